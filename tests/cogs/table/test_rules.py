"""The rules in parts: where each rule is said, and that every rule an engine cites is said somewhere."""

from __future__ import annotations

import ast
import re

import pytest

from cogs.table.rules import RULE as SAID
from tests.fronts import RULES
from tests.games import GAMES, home

RULE = re.compile(r"[A-Z]\d{1,2}")
every_game = pytest.mark.parametrize("key", GAMES)


def cited(key: str) -> set[str]:
    """The rules that an engine names in its code, comments and docstrings left out."""
    letter = next(iter(RULES[key].places))[0]
    found: set[str] = set()
    for path in (home(key) / "engines" / key).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE.fullmatch(node.value):
                found.add(node.value)
    return {rule for rule in found if rule[0] == letter}  # K11 is a square, too


@every_game
def test_every_rule_that_an_engine_cites_is_said_on_its_page(key: str) -> None:
    assert cited(key)
    assert {rule for rule in cited(key) if rule not in RULES[key].places} == set()


def components(key: str) -> set[int]:
    """The numbers of rules that a page's last part lists together, as about components of our own, told as they are."""
    _, rulings = RULES[key].parts[-1]
    spans = re.findall(r"^- \*\*[A-Z](\d+)–[A-Z](\d+)\*\*", rulings, re.MULTILINE)
    return {number for first, last in spans for number in range(int(first), int(last) + 1)}


@every_game
def test_a_rule_is_said_in_one_part_and_every_rule_is(key: str) -> None:
    said: dict[str, set[str]] = {}
    for title, body in RULES[key].parts:
        for line in body.splitlines():
            if found := SAID.match(line):
                said.setdefault(found[1], set()).add(title)
    assert {rule: titles for rule, titles in said.items() if len(titles) > 1} == {}
    letter = next(iter(said))[0]
    told = {int(rule[1:]) for rule in said}
    assert set(range(1, max(told) + 1)) - told <= components(key)
    assert all(rule.startswith(letter) for rule in said)


@pytest.mark.parametrize(
    ("key", "rule", "title"),
    [
        ("wizard", "W7", "Playing"),
        ("jest", "J6", "Taking cards"),
        ("jokers", "K9", "Declaring"),
        ("court", "T8", "Phase Two"),
        ("court", "T10", "Knocked out"),
        ("jesters", "S7", "An attempt"),
        ("jesters", "S22", "What Gifts do"),
    ],
)
def test_known_rules_and_their_parts(key: str, rule: str, title: str) -> None:
    number = RULES[key].places[rule]
    assert RULES[key].parts[number][0] == title


def test_a_rule_that_nobody_says_has_no_part() -> None:
    assert "W99" not in RULES["wizard"].places
    assert "K3" not in RULES["wizard"].places
