"""The browser game: a small server on this machine, and the pages that it serves; needs the extra `web`."""
