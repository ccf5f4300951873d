"""Each language has all words, in the form of the English ones."""

import re

import pytest
from page_server import serving_files
from spoken import english, scripts, speaking, text_modules

from ingenious_env import languages
from ingenious_env.languages import ENGLISH, Texts, word, words_of
from ingenious_env.render.modules import read
from ingenious_env.web import lessons
from ingenious_env.web.tables import LEVELS

OTHERS = [tag for tag in languages.languages() if tag != ENGLISH]
DIFFERENCES = """async ([path, tag]) => {
  const [english, other] = await Promise.all([import(`/${path}`), import(`/languages/${tag}/${path}`)]);
  const same = ["taught", "example"];
  const differ = (one, two, name) => {
    const kinds = [one, two].map((each) => (Array.isArray(each) ? "list" : typeof each));
    if (kinds[0] !== kinds[1]) return [`${name}: ${kinds.join(" or ")}`];
    const counts = [one.length, two.length];
    if (kinds[0] === "function") return counts[0] === counts[1] ? [] : [`${name}: ${counts.join(" or ")}`];
    const equal = JSON.stringify(one) === JSON.stringify(two);
    if (same.includes(name.split(" ").pop())) return equal ? [] : [`${name} differs`];
    if (kinds[0] === "string") return (one === "") === (two === "") ? [] : [`${name}: empty in one of them`];
    const keys = new Set([...Object.keys(one), ...Object.keys(two)]);
    return [...keys].flatMap((key) => differ(one[key], two[key], `${name} ${key}`));
  };
  return differ({ ...english }, { ...other }, path);
}"""


@pytest.fixture(scope="module", name="page")
def _page(browser):
    """A page that can import all modules of the package."""
    with serving_files({**scripts(), "index.html": b""}) as port:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        yield page
        page.close()


def test_german_is_a_language():
    assert OTHERS == ["de"]


def test_there_are_words_of_each_part():
    """So that the next tests have found them."""
    folders = {path.rpartition("/")[0] for path in text_modules()}
    games = {f"games/{name}/page" for name in ("ingenious", "loopit")}
    assert folders == {"render/static", "web/static", "web/local", *games}


@pytest.mark.parametrize("path", text_modules())
@pytest.mark.parametrize("tag", OTHERS)
def test_a_module_of_words_has_its_like(page, tag, path):
    """The same names, and functions of as many arguments."""
    assert page.evaluate(DIFFERENCES, [path, tag]) == []


@pytest.mark.parametrize("tag", OTHERS)
def test_nothing_else_is_translated(tag):
    prefix = f"languages/{tag}/"
    assert {path.removeprefix(prefix) for path in scripts() if path.startswith(prefix)} == {*text_modules()}


@pytest.mark.parametrize("tag", OTHERS)
def test_sentences_of_python_have_theirs(tag):
    """All of them, no others, with the same values to fill in."""
    found = words_of(tag)
    assert found.keys() == english()
    for one, other in found.items():
        assert sorted(set(re.findall(r"\{\w+\}", one))) == sorted(set(re.findall(r"\{\w+\}", other))), one


@pytest.mark.parametrize("tag", languages.languages())
def test_levels_have_different_names_and_titles(tag):
    with speaking(tag):
        assert len({word(name) for name in LEVELS}) == len(LEVELS)
        assert len({word(strength.title) for strength in LEVELS.values()}) == len(LEVELS)


def paragraphs(text):
    """The numbers that each paragraph of rules has, by its own number or its heading's."""
    found = {}
    for part in re.split(r"^(?=\d\.\d |## )", text, flags=re.MULTILINE)[1:]:
        (number,) = re.findall(r"^(?:## )?([\d.]+)", part)
        found[number] = sorted(re.findall(r"\d+", part.replace(",", ".")))
    return found


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("game", sorted(lessons.WHOLE))
def test_the_whole_rules_have_the_same_paragraphs_with_the_same_numbers(tag, game):
    path = f"web/static/{game}.txt"
    english_rules = lessons.made(path)
    with speaking(tag):
        rules = lessons.made(path)
    assert rules != english_rules
    assert paragraphs(rules) == paragraphs(english_rules)
    assert len(paragraphs(rules)) > 15
    for sign in ("|", "**", "×", "±", "…"):
        assert rules.count(sign) == english_rules.count(sign), sign


def test_words_are_in_the_language_that_was_chosen():
    texts = Texts({"turn": "{name}'s turn", 1: "of another package"})
    assert dict(texts) == {"turn": "{name}'s turn", 1: "of another package"}
    with speaking("de"):
        assert languages.language() == "de"
        assert dict(texts) == {"turn": "{name} ist am Zug", 1: "of another package"}
        assert word("to move") == "am Zug"
        assert "Du bist am Zug" in read("render/static/drawing_texts.js")
    assert languages.language() == ENGLISH
    assert word("to move") == "to move"
    assert "Your turn" in read("render/static/drawing_texts.js")


def test_another_language_is_refused():
    with pytest.raises(ValueError, match="the language must be one of de, en, not 'fr'"):
        languages.choose("fr")
    assert languages.language() == ENGLISH
