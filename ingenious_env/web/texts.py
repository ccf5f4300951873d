"""Words of a server: why it refuses what a person at a page asks for, or fails to do it."""

from __future__ import annotations

from ingenious_env.languages import Texts

TEXTS = Texts(
    {
        "agent failed": "{agent} failed: {error}",
        "deleted": "this game was deleted",
        "fault": "the server has failed; its terminal shows the error",
        "full": "there are too many games; restart the server with a folder for them",
        "hidden": "{what} reveals the bag and all racks: it is available at the end",
        "hints": "there are hints for your own moves only, as other racks are not known",
        "long move": "a move has at most {most} characters",
        "no judge": "moves of this variant cannot be judged: that requires a network, which {judge} has",
        "no move": "there is no move of yours to take back",
        "no seat": "this page has no seat in that game",
        "no table": "there is no such game on this server",
        "no text": "there is no text of this game: {what} has the tiles of all players",
        "not asked": "nobody asks you to allow a takeback",
        "not compared": "agents are compared only in finished solitaire games that began with a deal",
        "not deleted": "the game could not be deleted ({reason})",
        "not over": "there are hints for earlier moves once the game is over",
        "not real": "this is not a real table",
        "not read": "the game cannot be read ({reason}); try again",
        "not saved": "the game could not be saved ({reason})",
        "opponent": "Opponent",
        "partner": "Partner",
        "others": "others play this game, too, so that it cannot be deleted",
        "over": "the game is over, so that there is no move to give a hint for",
        "position": "the text of a position",
        "record": "a record",
        "replay": "a page of the game",
        "retried": "{error} with the move of {player}; it is tried again",
        "unchanged": "{error}, so nothing has changed; try again",
        "was deleted": "the game was deleted",
    }
)
