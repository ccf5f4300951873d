"""A page at a real table: as requests to a server, and in a browser."""

from __future__ import annotations

from real_tables import SHOWING, drawn_by, is_public, table_for, texts_of


class Desk:
    """A page at a real table with the deal of a game.

    Args:
        client: of the server.
        game: the true game, at its deal.
        seat: the own one.
    """

    def __init__(self, client, game, seat):
        definition, table = game.definition, table_for(game, seat)
        start = None
        if definition.name == "loopit":
            start = texts_of(game.rules, game.board.values())[0]
        real = {"seat": seat, "rack": texts_of(game.rules, table.rack), "start": start}
        text = definition.rules_to_text(game.rules)
        made = client.post("/api/tables", {"game": definition.name, "rules": text, "real": real})
        self.client, self.seat, self.rules = client, seat, game.rules
        self.path, self.keys = f"/api/tables/{made['id']}", ",".join(made["keys"].values())
        self.state = self.look()

    def look(self, **query):
        more = "".join(f"&{name}={value}" for name, value in query.items())
        return self.client.get(f"{self.path}?keys={self.keys}{more}")

    def body(self, **more):
        return {"keys": self.keys, "version": self.state["version"]} | more

    def enter(self, move, tiles=()):
        """Enter a move with tiles, as their texts."""
        found = self.client.post(f"{self.path}/draws", self.body(move=move))
        own = self.state["to_play"] == self.seat and move != (self.state["real"]["shows"] or [""])[0]
        assert found["number"] == (len(tiles) if own else 0)
        for tile in tiles if own else ():
            assert tile in [text for text, _, _ in found["tiles"]]
        self.state = self.client.post(f"{self.path}/move", self.body(move=move, tiles=list(tiles)))

    def refused(self, message, move, tiles=()):
        status, answer = self.client.ask("POST", f"{self.path}/move", self.body(move=move, tiles=list(tiles)))
        assert status == 422
        assert message in answer["error"]
        assert self.look() == self.state

    def tell(self, before, after, move):
        """Enter what the seat sees of a move."""
        seat, text = before.to_play, before.definition.move_to_text(move)
        if seat == self.seat:
            self.enter(text, texts_of(self.rules, drawn_by(before, after, seat, move)))
            return
        if is_public(before, move):
            shown = before.racks[seat] if move in SHOWING else []
            if move in SHOWING:
                assert self.state["real"]["shows"] == [move, seat, len(shown)]
                self.state = self.client.post(
                    f"{self.path}/move", self.body(move=text, tiles=texts_of(self.rules, shown))
                )
            else:
                self.enter(text)
        ended = after.turn > before.turn and self.state["to_play"] == seat
        if ended and "stop" in self.state["scene"].get("choices", ()):
            self.enter("stop")


def begin(tab, game, seat):
    """Begin with the deal of a game by the dialog."""
    page, name = tab.page, game.definition.name
    tab.open()
    page.wait_for_selector("#start")
    page.click("#real")
    page.wait_for_selector("#real-game")
    page.select_option("#real-game", name)
    page.select_option("#real-preset", "two")
    page.select_option("#real-seat", str(seat))
    for tile in texts_of(game.rules, game.racks[seat]):
        page.click(f"#rack-{tile}")
        if name == "loopit":  # which has one of each
            page.wait_for_selector(f"#rack-{tile}[disabled]")
    if name == "loopit":
        assert page.is_disabled("#start")
        page.click(f"#start-{texts_of(game.rules, game.board.values())[0]}")
    page.click("#start:not([disabled])")
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.wait_for_selector("#slot0:not([disabled])")
