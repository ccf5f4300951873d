"""Other browsers, keyboards and readers: storage, layouts, history, sizes of letters, texts with markup."""

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import PHONE, middle, sit_down
from web_server import playing

from ingenious_env import Rules, Session
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.tables import Agent, built_in_agents

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}


# Storage.


DENIED = {
    "denied": "Object.defineProperty(window, 'localStorage',"
    " { get() { throw new DOMException('no', 'SecurityError'); } })",
    "absent": "Object.defineProperty(window, 'localStorage', { value: null })",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
}
LEFT = {
    "null": ("null", "null"),
    "lists": ("[]", "[1]"),
    "texts": ('"x"', '"x"'),
    "numbers": ("5", "5"),
    "broken": ("{", "}"),
    "values": ('{"a": null, "b": 3}', '{"theme": 7, "confirm": null, "warn": "no", "letters": 0, "x": {}}'),
}


@pytest.mark.parametrize("name", [*DENIED, *LEFT])
def test_a_game_is_played_whatever_the_browser_keeps(client, browser, name):
    """It is started and played, settings hold for the page, and keys of letters work."""
    tab = Tab(browser, client.port)
    script = DENIED.get(name)
    if script is None:
        kept = dict(zip(("ingenious-tables", "ingenious-settings"), LEFT[name], strict=True))
        script = "".join(f"localStorage['{item}'] ??= '{text}';" for item, text in kept.items())
    tab.context.add_init_script(script)
    tab.open()
    tab.page.click("#others-shown")
    tab.page.select_option("#seat1", "greedy")
    tab.page.click("#start")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.page.keyboard.press("1")
    tab.page.wait_for_selector("#slot0.picked")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector("#replay:has-text('move 2')")
    tab.page.click("#theme")
    tab.page.wait_for_selector("html[data-theme]")
    theme = tab.page.evaluate("document.documentElement.dataset.theme")
    tab.page.click("#help")
    assert tab.page.is_checked("#set-letters")
    tab.page.click("#set-confirm")
    tab.page.click("#close")
    tab.page.click("#help")
    assert tab.page.is_checked("#set-confirm")
    tab.page.click("#close")
    if name in LEFT:
        tab.page.reload()
        tab.page.wait_for_selector("#slot0:not([disabled])")
        assert tab.page.evaluate("document.documentElement.dataset.theme") == theme
    tab.close()


# Keys.


PRESSED = {
    # layout: (key, code, with shift, the key that is meant)
    "english": ("h", "KeyH", False, "h"),
    "capital": ("H", "KeyH", True, "h"),
    "russian": ("р", "KeyH", False, "h"),
    "greek": ("η", "KeyH", False, "h"),
    "arabic": ("ا", "KeyH", False, "h"),
    "hebrew": ("י", "KeyH", False, "h"),
    "input method": ("Process", "KeyH", False, "h"),
    "dvorak": ("h", "KeyJ", False, "h"),
    "dvorak's other letter there": ("d", "KeyH", False, None),
    "dvorak's sign on Z": (";", "KeyZ", False, None),
    "french figure": ("&", "Digit1", False, "1"),
    "french figure with an accent": ("é", "Digit2", False, "2"),
    "french figure with shift": ("1", "Digit1", True, "1"),
    "arabic figure": ("١", "Digit1", False, "1"),
    "persian figure": ("۲", "Digit2", False, "2"),
    "figure on the right": ("1", "Numpad1", False, "1"),
    "no figure on the right": ("Delete", "NumpadDecimal", False, None),
    "english ?": ("?", "Slash", True, "?"),
    "french ?": ("?", "KeyM", True, "?"),
    "arabic ?": ("؟", "Slash", True, "?"),
    "russian letter on R": ("к", "KeyR", False, "r"),
    "german z": ("z", "KeyY", False, "z"),
    "constructor": ("constructor", "", False, None),
}
NAMES = """async (pressed) => {
    const { nameOf } = await import("/web/static/keys.js");
    return pressed.map(([key, code, shiftKey]) => nameOf({ key, code, shiftKey }));
}"""
KEYS = [*"hznrfxkst126?", "Enter", "Escape", "Home", "End"]
KEYS += [f"Arrow{way}" for way in ("Left", "Right", "Up", "Down")]


def press(page, **event):
    """A browser's key event; whether the page handles it."""
    return page.evaluate(
        "(event) => !document.body.dispatchEvent("
        "new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...event }))",
        event,
    )


def test_keys_of_other_layouts(client, browser):
    tab, _, _ = sit_down(client, browser, Rules())
    tab.wait_for_turn()
    names = tab.page.evaluate(NAMES, [each[:3] for each in PRESSED.values()])
    known = set(KEYS)
    for (layout, (*_, meant)), name in zip(PRESSED.items(), names, strict=True):
        assert (name if name in known else None) == meant, layout
    assert press(tab.page, key="р", code="KeyH")
    tab.page.wait_for_selector("#hints[aria-pressed=true]")
    assert press(tab.page, key="&", code="Digit1")
    tab.page.wait_for_selector("#slot0.picked")
    assert not press(tab.page, key="constructor", code="")
    assert press(tab.page, key="؟", code="Slash", shiftKey=True)
    tab.page.wait_for_selector("dialog[open] #set-letters")
    tab.page.click("#set-letters")
    tab.page.click("#close")
    for key, code in (("р", "KeyH"), ("&", "Digit1"), ("h", "KeyH"), ("?", "Slash")):
        assert not press(tab.page, key=key, code=code)
    tab.close()


@pytest.mark.parametrize("game", RULES)
def test_keys_with_others_are_not_ours(client, browser, game):
    """With Ctrl, Alt, Meta or AltGr no key of the page does anything, with and without a tile in hand."""
    tab, _, _ = sit_down(client, browser, RULES[game])
    tab.wait_for_turn()
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    look = "[...document.querySelectorAll('#app, #dialog')].map((each) => each.outerHTML) + location.href"
    for hand in (False, True):
        if hand:
            press(tab.page, key="1", code="Digit1")
            tab.page.wait_for_selector("#slot0.picked")
            press(tab.page, key="ArrowRight", code="ArrowRight")
            tab.page.wait_for_selector(".ghost")
        before = tab.page.evaluate(look)
        asked.clear()
        for modifier in ("ctrlKey", "altKey", "metaKey", "modifierAltGraph"):
            for key in KEYS:
                code = {"?": "Slash"}.get(
                    key, f"Key{key.upper()}" if key.isalpha() and len(key) == 1 else key
                )
                assert not press(tab.page, key=key, code=code, **{modifier: True}), (modifier, key)
                assert not press(tab.page, key="р", code=code, **{modifier: True})
        assert tab.page.evaluate(look) == before
        assert asked == []
    tab.close()


# The history, and a server that is away.


def test_back_and_forward(client, browser):
    """A dialog does not stay over another table; once it is closed, the address is that of the table."""
    tab = Tab(browser, client.port)
    page = tab.page
    tab.open()
    page.click("#others-shown")
    page.select_option("#seat1", "greedy")
    page.click("#start")
    page.wait_for_selector("#slot0")
    address = page.url
    page.go_back()
    page.wait_for_selector("dialog[open] #start")
    page.go_forward()
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.wait_for_selector("#slot0:not([disabled])")
    page.go_back()
    page.wait_for_selector("dialog[open] #start")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.wait_for_url(address)
    page.click("#new")
    page.click("#cancel")
    assert page.url == address
    page.keyboard.press("1")
    page.wait_for_selector("#slot0.picked")
    tab.close()


def test_the_first_dialog_is_closed(client, browser):
    """Behind it there is no bar of a missing game, and it leads to a new game."""
    tab = Tab(browser, client.port)
    page = tab.page
    tab.open()
    page.wait_for_selector("#start")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")
    assert not page.is_visible("#replay")
    for key in ("z", "h", "n", "1", "?", "ArrowLeft", "End"):
        page.keyboard.press(key)
    page.click("#theme")
    page.click("#help")
    page.click("#close")
    page.click("#new")
    assert page.locator("#cancel").count() == 0
    page.click("#start")
    page.wait_for_selector("#slot0")
    assert page.is_visible("#replay")
    tab.close()


def test_a_server_that_is_away_and_comes_back(client, browser):
    """At the first page, at a move and at the stream of events; a notice until the server answers."""
    tab = Tab(browser, client.port)
    page = tab.page
    page.route("**/api/games", lambda route: route.abort())
    tab.open()
    page.wait_for_selector("#say:has-text('the server does not answer')")
    page.unroute("**/api/games")
    page.click("#new")
    page.wait_for_selector("#start")
    tab.close(broken=True)
    tab, *_ = sit_down(client, browser, Rules())
    page = tab.page
    tab.wait_for_turn()
    page.route("**/events*", lambda route: route.fulfill(status=502, body="gone"))
    page.route("**/advice", lambda route: route.abort())
    page.reload()
    tab.wait_for_turn()
    page.keyboard.press("h")
    page.wait_for_selector("#say:has-text('the server does not answer')")
    page.unroute("**/advice")
    page.unroute("**/events*")
    page.wait_for_selector("#say:not(.problem)")
    page.wait_for_selector("#hint0")
    tab.close(502, broken=True)


# The size of letters, and texts with markup.


SIZES = """() => {
    const found = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest("svg, script, noscript")) continue;
        const name = `${element.tagName} ${element.className} ${element.id}`;
        found[name] = parseFloat(getComputedStyle(element).fontSize);
    }
    return found;
}"""


@pytest.mark.parametrize("width", [390, 1340])
@pytest.mark.parametrize("game", RULES)
def test_letters_follow_the_size_that_the_reader_has_chosen(client, browser, game, width):
    """All of them, in a turn with hints and in dialogs; and nothing becomes wider than the window."""
    tab, _, _ = sit_down(client, browser, RULES[game], viewport={"width": width, "height": 844})
    page = tab.page
    tab.wait_for_turn()
    page.keyboard.press("h")
    page.wait_for_selector("#hint0")
    for dialog in (None, "#help", "#new"):
        if dialog:
            page.click(dialog)
            page.wait_for_selector("dialog[open]")
        usual = page.evaluate(SIZES)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        large = page.evaluate(SIZES)
        assert large == {name: pytest.approx(2 * size) for name, size in usual.items()}
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate("document.documentElement.style.fontSize = ''")
        if dialog:
            page.keyboard.press("Escape")
    tab.close()


MARKUP = "<img/src=x/onerror=alert(1)>&amp;"


def test_markup_is_text(browser, tmp_path):
    """In the names of players, in records and in what is refused."""
    agents = {agent.name: agent for agent in built_in_agents(definitions())}
    marked = Agent(MARKUP, agents["greedy"].make)
    with playing(tmp_path, [*agents.values(), marked]) as client:
        tab = Tab(browser, client.port)
        page = tab.page
        tab.open()
        page.select_option("#preset", "three")
        page.click("#others-shown")
        page.select_option("#seat1", MARKUP)
        page.select_option("#seat2", MARKUP)
        assert MARKUP in page.inner_text("#seat1")
        page.click("#start")
        page.wait_for_selector("#slot0:not([disabled])")
        names = [f"{MARKUP} 2", f"{MARKUP} 3"]
        assert page.locator(".other b").all_inner_texts() == names
        assert ", ".join(names) in page.inner_text(".who")
        assert set(names) < set(page.locator("#sheets header b").all_inner_texts())
        page.keyboard.press("h")
        page.wait_for_selector("#adviser")
        assert MARKUP in page.locator("#adviser option").all_inner_texts()
        page.fill("#move", MARKUP)
        page.press("#move", "Enter")
        page.wait_for_selector("#say.problem")
        assert MARKUP in page.inner_text("#say")
        page.locator("#move").blur()
        page.click("#new")
        page.click("#openings")
        page.fill("#opened", MARKUP)
        page.wait_for_selector(".problem:has-text('record')")
        assert MARKUP[:20] in page.inner_text("dialog .problem")
        page.click("#cancel")
        session = Session(Rules(2), 1, [definition_of(Rules()).policy("greedy")] * 2)
        for _ in session.run():
            pass
        text = session.record.to_text()
        made = client.post("/api/tables", {"text": text, "seats": [MARKUP, "greedy"]})
        tab.open(f"#{made['id']}")
        page.wait_for_selector("#judged")
        assert MARKUP in page.inner_text("#judged")
        assert MARKUP in page.inner_text(".results")
        page.click("#share")
        assert page.input_value("#record").strip() == text.strip()
        picture = client.get(f"/api/tables/{made['id']}/picture")
        assert "<img" not in picture
        assert page.locator("img").count() == 0
        tab.close(422)


def test_a_key_that_is_held_acts_once(client, browser):
    """Another move would be taken back for each repetition; only steps over the board are repeated."""
    tab, path, key = sit_down(client, browser, Rules.solitaire())
    tab.wait_for_turn()
    for made in range(1, 4):
        tab.page.keyboard.press("1")
        tab.page.keyboard.press("ArrowRight")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_selector(f"#replay:has-text('move {made}')")
    for _ in range(3):
        tab.page.keyboard.down("z")
    tab.page.keyboard.up("z")
    tab.page.wait_for_selector("#replay:has-text('move 2')")
    tab.settle()
    assert client.get(f"{path}?keys={key}")["total"] == 2
    for _ in range(2):
        tab.page.keyboard.down("ArrowLeft")
    tab.page.keyboard.up("ArrowLeft")
    tab.page.wait_for_selector("#replay:has-text('move 0')")
    tab.close()


# Pointers.


WITHOUT_KIND = """
const { get } = Object.getOwnPropertyDescriptor(PointerEvent.prototype, "pointerType");
Object.defineProperty(PointerEvent.prototype, "pointerType", {
  get() { return this.type === "click" ? KIND : get.call(this); },
});
"""


@pytest.mark.parametrize("kind", ["undefined", "'mouse'"])
def test_a_tap_only_aims_whatever_a_click_says_of_its_kind(client, browser, kind):
    """Clicks were no pointer events in Firefox before 129, and those of the mouse in Safari before 18.4."""
    tab, path, key = sit_down(client, browser, Rules(), **PHONE)
    tab.page.evaluate(WITHOUT_KIND.replace("KIND", kind))
    tab.wait_for_turn()
    tab.page.tap("#slot0")
    first, _ = Rules().geometry.pairs[client.get(f"{path}?keys={key}")["scene"]["open"][0]]
    tab.page.touchscreen.tap(*middle(tab, first))
    tab.page.wait_for_selector("#place:not([disabled])")
    tab.settle()
    assert client.get(f"{path}?keys={key}")["total"] == 0
    tab.close()


# Two tabs.


TWO_TABS = """async () => {
  const { store, stored } = await import("/web/static/stored.js");
  const other = (content) => (localStorage.games = JSON.stringify(content));
  const { setItem } = Storage.prototype;
  other({ a: 1, b: 1, d: 1 });
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  store("games", { a: 2, b: 1 });
  const alone = stored("games");
  other({ a: 1, b: 5, c: 1, d: 1 });
  const both = stored("games");
  Storage.prototype.setItem = setItem;
  store("games", { ...both, a: 3 });
  const { games } = localStorage;
  other({ c: 2 });
  const after = stored("games");
  localStorage.removeItem("games");
  return [alone, both, JSON.parse(games), after];
}"""


def test_what_could_not_be_kept_undoes_nothing_of_another_tab(client, browser):
    tab = Tab(browser, client.port)
    tab.open()
    assert tab.page.evaluate(TWO_TABS) == [
        {"a": 2, "b": 1},
        {"a": 2, "b": 5, "c": 1},
        {"a": 3, "b": 5, "c": 1},
        {"c": 2},
    ]
    tab.close()
