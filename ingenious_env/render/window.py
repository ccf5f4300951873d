"""A window that shows frames, for the render mode "human"; needs the extra `window` (pygame)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNSEEN = ("offscreen", "dummy")
"""Drivers of SDL that draw into memory, which it takes by itself where nothing can be shown."""


class Window:
    """A window that shows one frame after the other, at a limited rate.

    Args:
        title: of the window.
        frames_per_second: the largest rate of frames.

    Raises:
        ImportError: pygame is not installed.
    """

    def __init__(self, title: str, frames_per_second: float) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame  # noqa: PLC0415 - in an extra
        except ImportError:
            msg = "render_mode=\"human\" needs the extra `window`: pip install 'ingenious-env[window]'"
            raise ImportError(msg) from None
        self._pygame: Any = pygame
        self._title, self._rate = title, frames_per_second
        self._surface: Any = None

    def show(self, frame: NDArray[np.uint8]) -> None:
        """Show a frame, uint8 [H, W, 3], once the previous one was shown long enough.

        Raises:
            OSError: this machine has no display.
        """
        pygame = self._pygame
        size = frame.shape[1], frame.shape[0]
        if self._surface is None:
            try:
                pygame.display.init()
                self._check_driver()
                pygame.display.set_caption(self._title)
                self._surface = pygame.display.set_mode(size)
            except pygame.error as error:
                raise OSError(str(error)) from None
            self._clock = pygame.time.Clock()
        picture = pygame.surfarray.make_surface(frame.swapaxes(0, 1))
        self._surface.blit(picture, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def _check_driver(self) -> None:
        if "SDL_VIDEODRIVER" not in os.environ and self._pygame.display.get_driver() in UNSEEN:
            self._pygame.display.quit()
            msg = "this machine has no display"
            raise OSError(msg)

    def close(self) -> None:
        """Close the window; the next frame opens another one."""
        if self._surface is not None:
            self._pygame.display.quit()
            self._surface = None
