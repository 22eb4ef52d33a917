"""Every rule that a game's page tells of has its test: one named after it, or one that says which rule it is about."""

from __future__ import annotations

import re

import pytest

from tests.games import GAMES, home, kept


def rules(key: str) -> list[str]:
    """The ids of a game's rules, in order, as its page has them: `J1`, `J2` … A range names those in between."""
    page = (home(key) / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")
    found = re.search(r"\(([A-Z])\d+\)", page)
    assert found, f"{key}: no rule has an id"
    letter = found[1]
    numbers = {int(number) for number in re.findall(rf"\b{letter}(\d+)\b", page)}
    for first, last in re.findall(rf"\b{letter}(\d+)–{letter}(\d+)\b", page):
        numbers |= set(range(int(first), int(last) + 1))
    return [f"{letter}{number}" for number in sorted(numbers)]


def with_tests(key: str) -> set[str]:
    """The ids in the names of a game's tests, and those that stand alone in what is said there; ranges say nothing."""
    texts = [path.read_text(encoding="utf-8") for path in kept(key).glob("*.py")]
    found: set[str] = set()
    for text in texts:
        for name in re.findall(r"def (test_\w+)", text):
            found |= {part.upper() for part in name.split("_") if re.fullmatch(r"[a-z]\d+", part)}
        found |= set(re.findall(r"(?<!–)\b[A-Z]\d+\b(?!–)", text))
    return found


games = pytest.mark.parametrize("key", GAMES)


@games
def test_the_rules_of_a_page_are_numbered_without_a_gap(key: str) -> None:
    letter = rules(key)[0][0]
    assert rules(key) == [f"{letter}{number}" for number in range(1, len(rules(key)) + 1)]


@games
def test_every_rule_has_its_test(key: str) -> None:
    assert not set(rules(key)) - with_tests(key)


def rulings(key: str) -> tuple[set[str], set[str]]:
    """What a page marks as rulings, and what its last section lists: ids, or the bold words where there is no id."""
    page = (home(key) / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")
    text, _, last = page.partition("\n## Our rulings\n")
    marked: set[str] = set()
    named = ""
    for found in re.finditer(
        r"\(([A-Z]\d+)\b(?!–)|\*\*(The [a-z]+)\*\*|\*\*our\s+ruling\*\*", text.partition("\n## ")[2]
    ):
        if found[1] or found[2]:
            named = found[1] or found[2]
        else:
            marked.add(named)
    listed = {name for names in re.findall(r"^- \*\*(.+?)\*\*", last, re.MULTILINE) for name in names.split(", ")}
    return marked, listed


@games
def test_every_ruling_is_marked_where_it_stands_and_listed_at_the_end(key: str) -> None:
    marked, listed = rulings(key)
    together = {name for name in listed if "–" in name}  # components of our own, marked where they are told
    assert listed - marked == {"A player who does not act", *together}
    assert not marked - listed
