"""Every rule that a game's page tells of has its test: one named after it, or one that says which rule it is about."""

from __future__ import annotations

import re

import pytest

from tests.games import GAMES, game_root, game_test_folder


def rule_ids(key: str) -> list[str]:
    """The ids of a game's rules, in order, as its page has them: `J1`, `J2` … A range names those in between."""
    page = (game_root(key) / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")
    found = re.search(r"\(([A-Z])\d+\)", page)
    assert found, f"{key}: no rule has an id"
    letter = found[1]
    numbers = {int(number) for number in re.findall(rf"\b{letter}(\d+)\b", page)}
    for first, last in re.findall(rf"\b{letter}(\d+)–{letter}(\d+)\b", page):
        numbers |= set(range(int(first), int(last) + 1))
    return [f"{letter}{number}" for number in sorted(numbers)]


def rules_with_tests(key: str) -> set[str]:
    """The ids in the names of a game's tests, and those that stand alone in what is said there; ranges say nothing."""
    texts = [path.read_text(encoding="utf-8") for path in game_test_folder(key).rglob("*.py")]
    found: set[str] = set()
    for text in texts:
        for name in re.findall(r"def (test_\w+)", text):
            found |= {part.upper() for part in name.split("_") if re.fullmatch(r"[a-z]\d+", part)}
        found |= set(re.findall(r"(?<!–)\b[A-Z]\d+\b(?!–)", text))
    return found


MINUTE = 120
"""Fewer words than these are read in a minute with a picture beside them."""
DISCLAIMERS = (r"\b[Tt]he\s+ids\s+in\s+brackets\b", r"\bour\s+own\b")
games = pytest.mark.parametrize("key", GAMES)


@games
def test_the_rules_of_a_page_are_numbered_without_a_gap(key: str) -> None:
    letter = rule_ids(key)[0][0]
    assert rule_ids(key) == [f"{letter}{number}" for number in range(1, len(rule_ids(key)) + 1)]


@games
def test_every_rule_has_its_test(key: str) -> None:
    assert not set(rule_ids(key)) - rules_with_tests(key)


def ruling_ids(key: str) -> tuple[set[str], set[str]]:
    """What a page marks as rulings, and what its last section lists: ids, or the bold words if there is no id."""
    page = (game_root(key) / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")
    text, _, last = page.partition("\n## Our rulings\n")
    marked: set[str] = set()
    rule_id = ""
    for found in re.finditer(r"\(([A-Z]\d+)\b(?!–)|\*\*(The [a-z]+)\*\*|\bour\s+ruling\b", text):
        if found[1] or found[2]:
            rule_id = found[1] or found[2]
        else:
            marked.add(rule_id)
    listed = {name for names in re.findall(r"^- \*\*(.+?)\*\*", last, re.MULTILINE) for name in names.split(", ")}
    return marked, listed


def opening_problems(page: str) -> list[str]:
    """What is wrong with a page for somebody who opens it to play: at its beginning, and at its end."""
    _, *parts = page.split("\n## ")
    titles = [part.partition("\n")[0] for part in parts]
    found = []
    if titles[0] != "The rules in one minute":
        found.append("it does not begin with “The rules in one minute”")
    elif len(re.sub(r"[*#]", " ", parts[0].partition("\n")[2]).split()) >= MINUTE:
        found.append("that minute is too long")
    patterns = ("You want", "turn|round", "You score|You earn|You claim|wins|worth")
    found += [
        f"no “{pattern}” in that minute" for pattern in patterns if not re.search(rf"\*\*[^*]*({pattern})", parts[0])
    ]
    if titles[-1] != "Our rulings":
        found.append("our rulings are not the last part")
    if not re.match(r"# [^\n]+\n\n## ", page):
        found.append("something stands before all parts")
    early = "\n".join(parts[:-1])
    found += [f"“{pattern}” stands before the last part" for pattern in DISCLAIMERS if re.search(pattern, early)]
    if not all(re.search(pattern, parts[-1]) for pattern in DISCLAIMERS):
        found.append("the last part does not say whose rules these are")
    return found


@games
def test_a_page_begins_with_the_minute_and_ends_with_what_one_need_not_know_to_play(key: str) -> None:
    page = (game_root(key) / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")
    assert opening_problems(page) == []


@pytest.mark.parametrize(
    ("text", "instead", "wrong"),
    [
        ("## The rules in one minute", "## Aim", "does not begin"),
        ("**You want**", "**You want** " + "a word more " * 40, "too long"),
        ("**You want**", "**It is nice to have**", "You want"),
        ("**You score**", "**You get**", "You score"),
        ("## Our rulings", "## Notes", "not the last part"),
        (
            "## The rules in one minute",
            "The ids in brackets name the rules.\n\n## The rules in one minute",
            "before all parts",
        ),
        ("For 3 to 6 players.", "For 3 to 6 players. The ids in brackets name the rules.", "before the last part"),
        ("in our own words", "as ever", "does not say whose"),
    ],
)
def test_a_page_in_another_order_would_be_found(text: str, instead: str, wrong: str) -> None:
    page = (game_root("wizard") / "docs" / "rules" / "wizard.md").read_text(encoding="utf-8")
    assert text in page
    assert any(wrong in fault for fault in opening_problems(page.replace(text, instead)))


@games
def test_every_ruling_is_marked_where_it_stands_and_listed_at_the_end(key: str) -> None:
    marked, listed = ruling_ids(key)
    together = {name for name in listed if "–" in name}  # components of our own, marked where they are told
    assert listed - marked == {"A player who does not act", *together}
    assert not marked - listed
