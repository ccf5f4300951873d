"""A page of the browser game, and what axe-core finds on it."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from browser import Tab

from ingenious_env import Session
from ingenious_env.engine.definition import definition_of

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1340, "height": 900}


class Auditor:
    """A page whose states axe-core checks.

    Args:
        browser: as `chromium` gives it.
        client: of the server.
    """

    def __init__(self, browser: Any, client: Any) -> None:
        self.tab, self.client = Tab(browser, client.port), client
        self.page, self.states = self.tab.page, 0

    def look(self, state: str) -> None:
        """Each rule in the dark theme, and contrasts in the light one."""
        for theme in ("dark", "light"):
            self.page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
            options: dict[str, Any] = {"runOnly": ["color-contrast"]} if theme == "light" else {}
            options["resultTypes"] = ["violations"]
            found = Axe().run(self.page, options=options).response["violations"]
            faults = [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found]
            assert faults == [], (state, theme, faults)
        self.states += 1

    def look_on_a_phone(self, state: str) -> None:
        self.page.set_viewport_size(PHONE)
        self.look(state)
        self.page.set_viewport_size(LAPTOP)

    def made(self, body: Any) -> Any:
        return self.client.post("/api/tables", body)

    def new(self, rules: Any, seats: list[str], seed: int = 3) -> Any:
        definition = definition_of(rules)
        text = definition.rules_to_text(rules)
        return self.made({"game": definition.name, "rules": text, "seats": seats, "seed": seed})

    def sit(self, made: Any, *, open_rack: bool = True) -> None:
        self.tab.sit_down(made["id"], ",".join(made["keys"].values()))
        if open_rack and self.page.locator("#uncover").count():
            self.page.click("#uncover")

    def at(self, session: Any) -> None:
        """Sit down at all seats of a game as far as it has gone."""
        text = session.record.to_text()
        self.sit(self.made({"text": text, "seats": ["human"] * session.rules.num_players}))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


def until(rules: Any, wanted: Any, policy: str = "greedy") -> Any:
    """A game up to a position in which something holds."""
    for seed in range(200):
        session = Session(rules, seed, [definition_of(rules).policy(policy)] * rules.num_players)
        while not session.is_over:
            if wanted(session):
                return session
            session.advance()
    raise AssertionError(rules)


def whole(rules: Any, seed: int = 4) -> Any:
    """A game of weak players, so that moves are marked."""
    session = Session(rules, seed, [definition_of(rules).policy("uniform")] * rules.num_players)
    for _ in session.run():
        pass
    return session
