"""The rules in pages: turning them, the page of each rule, and that every rule an engine cites has one."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

import pytest

from cogs.table.pages import custom_ids
from cogs.table.pages.page import Menu, Paper, Press, Row, Text
from cogs.table.pages.rules_pages import RULE_PATTERN
from engines.kit.errors import IllegalMove
from tests.game_uis import GAME_UIS, RULES, STUDIO
from tests.games import GAMES, game_root

FURTHER = (Press("Further", "i:games"),)
RULE = re.compile(r"[A-Z]\d{1,2}")
every_game = pytest.mark.parametrize("key", GAMES)


@every_game
def test_every_rule_that_an_engine_cites_is_said_on_its_page(key: str) -> None:
    letter = next(iter(RULES[key].pages_by_rule))[0]
    found: set[str] = set()
    for path in (game_root(key) / "engines" / key).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE.fullmatch(node.value):
                found.add(node.value)
    cited = {rule for rule in found if rule[0] == letter}  # K11 is a square, too
    assert set() < cited <= {*RULES[key].pages_by_rule}


@every_game
def test_a_rule_is_said_in_one_part_and_every_rule_is(key: str) -> None:
    parts_by_rule: dict[str, set[str]] = {}
    for title, body in RULES[key].parts:
        for line in body.splitlines():
            if found := RULE_PATTERN.match(line):
                parts_by_rule.setdefault(found[1], set()).add(title)
    assert {rule: titles for rule, titles in parts_by_rule.items() if len(titles) > 1} == {}
    assert len({rule[0] for rule in parts_by_rule}) == 1
    numbers = {int(rule[1:]) for rule in parts_by_rule}
    _, rulings = RULES[key].parts[-1]  # names ranges of rules about components of our own
    spans = re.findall(r"^- \*\*[A-Z](\d+)–[A-Z](\d+)\*\*", rulings, re.MULTILINE)
    of_components = {number for first, last in spans for number in range(int(first), int(last) + 1)}
    assert set(range(1, max(numbers) + 1)) - numbers <= of_components
    assert {*parts_by_rule} == {*RULES[key].pages_by_rule}


@pytest.mark.parametrize(
    ("key", "rule", "title"),
    [
        ("wizard", "W7", "Bidding and playing"),
        ("jest", "J6", "Taking cards"),
        ("jokers", "K4", "Safety cards"),
        ("jokers", "K9", "Full hands and declaring"),
        ("court", "T8", "Phase Two: the others"),
        ("court", "T10", "Knocked out, and the end"),
        ("jesters", "S7", "An attempt"),
        ("jesters", "S22", "What Gifts do"),
    ],
)
def test_known_rules_and_their_parts(key: str, rule: str, title: str) -> None:
    part, leaf = RULES[key].pages[RULES[key].pages_by_rule[rule]]
    assert RULES[key].parts[part][0] == title
    assert f"({rule})" in leaf


@every_game
def test_a_page_is_read_by_pressing_next_and_no_press_is_for_a_few_words(key: str) -> None:
    rules, read, leaf = RULES[key], 0, 0
    parts = set[int]()
    while True:
        page, part = rules.render_page(leaf, FURTHER), rules.pages[leaf][0]
        small, *_, text = (block.text for block in page.blocks if isinstance(block, Text))
        title = rules.parts[part][0]
        assert text.startswith(f"## {title}") is (part not in parts)
        assert small.endswith(f" · {title}") is (part in parts)
        parts.add(part)
        assert f"{rules.title} · rules, {leaf + 1} of {len(rules.pages)}" in small
        read += len(text)
        menu, turn = (block.items for block in page.blocks if isinstance(block, Row))
        assert isinstance(menu, Menu)
        assert not isinstance(turn, Menu)
        back, further, *others = turn
        assert [line.chosen for line in menu.lines] == [i == part for i in range(len(rules.parts))]
        assert (back.label, back.idle, further.label) == ("Back", leaf == 0, "Next")
        assert back.to != further.to  # Discord refuses duplicate custom_ids
        assert others == ([*FURTHER] if leaf == 0 else [])
        assert leaf == 0 or back.to == custom_ids.rules_id(key, leaf - 1)
        if further.idle:
            break
        assert further.to == custom_ids.rules_id(key, leaf + 1)
        leaf += 1
    assert read > sum(len(body) for _, body in rules.parts) * 0.95
    assert parts == {*range(len(rules.parts))}
    assert read / (leaf + 1) > 400


@every_game
def test_the_first_part_alone_has_a_picture_of_the_game_as_it_is_drawn_today(key: str) -> None:
    game_ui, rules = GAME_UIS[key], RULES[key]
    picture, caption = rules.example
    assert picture == game_ui.example_position.picture(game_ui.game, game_ui.screen)
    assert rules.render_page(0).picture == picture
    assert Text(f"-# {caption}") in rules.render_page(0).blocks
    assert 4 <= len(caption.split()) <= 20
    assert caption.endswith((".", "?"))
    assert 40 < len(picture.alt) <= 1024
    assert STUDIO.render(picture.spec)
    assert not [leaf for leaf in range(1, len(rules.pages)) if rules.render_page(leaf).picture]
    assert rules.render_page(99) == rules.render_page(len(rules.pages) - 1), (
        "not the leaf next to one that is not there"
    )
    assert rules.render_page(-1) == rules.render_page(0)


def test_a_page_that_a_part_points_to_comes_with_it_as_a_file() -> None:
    rules = RULES["jesters"]
    leaves = [leaf for leaf, (part, _) in enumerate(rules.pages) if rules.parts[part][0] == "Our components"]
    page = next(page for page in map(rules.render_page, leaves) if page.paper)
    (paper,) = (block for block in page.blocks if isinstance(block, Paper))
    assert paper.name == "jesters-components.md"
    assert paper.content == (GAME_UIS["jesters"].docs_folder / "rules" / paper.name).read_text(encoding="utf-8")
    _, text = (block.text for block in page.blocks if isinstance(block, Text))
    assert "**the components of Jesters**" in text
    assert "](" not in text


@every_game
def test_a_message_can_show_all_of_a_page_and_no_number_at_the_start_of_a_line_becomes_a_list(key: str) -> None:
    lines = [line for _, body in RULES[key].parts for line in body.splitlines()]
    numbered = [line for line in lines if re.match(r"\d+\. ", line)]
    assert len(numbered) != 1
    assert all(line[:2] in {"1.", "2.", "3.", "4."} for line in numbered)
    for number in range(len(RULES[key].pages)):
        text = "".join(block.text for block in RULES[key].render_page(number).blocks if isinstance(block, Text))
        assert "](" not in text
        assert not re.search(r"^\|", text, re.MULTILINE)  # Discord has no tables


def test_an_example_of_moves_that_are_not_legal_is_refused() -> None:
    game_ui = GAME_UIS["wizard"]
    broken = replace(game_ui.example_position, moves=game_ui.example_position.moves.replace("C bid 1", "C bid 2", 1))
    with pytest.raises(IllegalMove):
        broken.picture(game_ui.game, game_ui.screen)
