"""A screen as a message: one look for most people, all of it in words for whoever wants words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.screens.control_widths import NEWS, lines
from cogs.screens.screen import Button, Buttons, Picture, Screen, Step, Steps, Unwritten
from cogs.screens.words import opening
from cogs.table.pages import hand_controls, match_pages, screen_layout
from cogs.table.pages.page import Block, Press, Row, Text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording.player_names import short
from tests.contract.helpers import HELPERS
from tests.contract.shown import looks, setting
from tests.fronts import SCREENS

DOT = "\N{NO-BREAK SPACE}· "
PICTURE = Picture("spec", "hand.png", "A hand.")
SCREEN = Screen(
    ("Above.",), PICTURE, ("Below.",), (Buttons((Button("2♣", "play 2C"),)),), headline="Play a card.", worth="Worth."
)
STEPPED = Screen((), PICTURE, (), (Steps("A card", (Step("2♣", "2C", SCREEN.controls, said="It goes up."),)),), "Play.")
MORE = (Press("⋯", "t:abcd2345:more"),)


def drawn(reader: Reader, screen: Screen = SCREEN, *keys: str) -> tuple[Block, ...]:
    trail = hand_controls.trail(screen.controls, keys) if keys else ()
    assert trail is not None
    laid = hand_controls.laid("abcd2345", 3, screen.controls, trail)
    return screen_layout.hand("-# Wizard", screen, ("Ada 2♣", "Bela 5♣"), reader, laid, MORE)


def texts(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Text)]


def labels(blocks: tuple[Block, ...]) -> list[list[str]]:
    """The buttons of each row."""
    return [
        [press.label for press in block.items]
        for block in blocks
        if isinstance(block, Row) and isinstance(block.items, tuple)
    ]


def test_one_look_has_a_sentence_news_what_things_are_worth_the_picture_and_controls_in_this_order() -> None:
    found = drawn(Reader())
    assert [type(block) for block in found] == [Text, Picture, Row]
    assert texts(found) == [f"-# Wizard\n**Play a card.**\nAda 2♣{DOT}Bela 5♣\n-# Worth."]
    assert labels(found) == [["2♣", "⋯"]]


def test_what_things_are_worth_can_be_turned_off() -> None:
    assert "Worth" not in texts(drawn(Reader(worth=False)))[0]


def test_in_words_everything_is_told_in_its_order() -> None:
    found = drawn(Reader(words=True))
    assert [type(block) for block in found] == [Text, Text, Text, Picture, Row, Text, Row]
    assert texts(found) == ["-# Wizard", "Above.", "-# Worth.", "Below."]
    assert texts(drawn(Reader(words=True, worth=False))) == ["-# Wizard", "Above.", "Below."]


def test_in_words_paragraphs_are_joined_where_discord_would_not_take_so_many_parts() -> None:
    many = tuple(Buttons(tuple(Button(f"{row}{i}", f"play {row}{i}") for i in range(5))) for row in "ABCDEF")
    found = drawn(Reader(words=True), replace(SCREEN, above=("One.", "Two."), below=("Three.", "Four."), controls=many))
    assert texts(found) == ["-# Wizard\n\nOne.\n\nTwo.\n\n-# Worth.", "Three.\n\nFour."]


def test_a_step_keeps_the_shape_and_leads_back_beside_the_rest() -> None:
    found = drawn(Reader(), STEPPED, "2C")
    assert texts(found) == ["-# Wizard\n**2♣**\nIt goes up."]
    assert [type(block) for block in found] == [Text, Picture, Row, Row]
    assert labels(found) == [["2♣", "Back to the hand", "⋯"]]


def test_a_step_may_ask_in_a_sentence_of_its_own() -> None:
    step = Step("2♣", "2C", SCREEN.controls, asks="2♣ moves whom?", back="Other card")
    found = drawn(Reader(), Screen((), PICTURE, (), (Steps("A card", (step,), buttons=True),), "Play."), "2C")
    assert texts(found) == ["-# Wizard\n**2♣ moves whom?**"]
    assert labels(found) == [["2♣", "Other card", "⋯"]]


@pytest.mark.parametrize("items", [["x" * 30] * 9, ["y" * 300, "z"], ["x" * 300]])
def test_news_are_the_newest_that_two_lines_hold(items: list[str]) -> None:
    said = screen_layout.briefly(items)
    assert 0 < len(said) <= NEWS + 3
    assert said.endswith((items[-1][: NEWS - 1], opening(items[-1])[: NEWS - 1], "…"))


def test_news_of_people_with_broad_names_stand_on_two_lines() -> None:
    said = screen_layout.briefly([f"AWWWWWWW {what}" for what in ("turns up 4♦", "keeps 4♦", "discards A♦")])
    assert said == f"AWWWWWWW keeps 4♦{DOT}AWWWWWWW discards A♦"
    assert lines(said) == 2


def test_no_line_of_news_begins_with_a_dot_and_the_first_begins_like_a_sentence() -> None:
    said = screen_layout.briefly(["round 2 is dealt, 8♠ turned up", "Dora bids 0", "Emil bids 1"])
    assert said == f"Round 2 is dealt, 8♠ turned up{DOT}Dora bids 0{DOT}Emil bids 1"


def test_news_name_people_shortly_after_the_letter_that_pictures_show_instead() -> None:
    found = short(["Ada", "Maximiliana", "Maximiliano", "שלום", "Bob the Builder", "_x_"])
    assert found[:3] == ("Ada", "B Maximil…", "C Maximil…")
    assert found[3].startswith("D ")
    assert found[4:] == ("Bob the", "\\_x\\_")


def test_what_one_does_on_and_on_is_told_of_them_once() -> None:
    did = ["Ana 5♣", "Ana takes it", "Ana 🤖 rolls again", "Bo 2♣", "Bo 3♣", "round 2"]
    said = screen_layout.briefly(did, ("Ana", "Ana 🤖", "Bo")).replace("\N{NO-BREAK SPACE}", " ")
    assert said == "Ana 5♣; takes it · Ana 🤖 rolls again · Bo 2♣; 3♣ · round 2"


@pytest.mark.parametrize("key", HELPERS)
def test_a_table_and_a_hand_are_put_into_words_for_whoever_reads_words_alone(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper, written, write = HELPERS[key], list[Unwritten](), Unwritten._all

    def noted(self: Unwritten) -> tuple[str, ...]:
        written.append(self)
        return write(self)

    monkeypatch.setattr(Unwritten, "_all", noted)
    around = replace(setting(helper), screen=SCREENS[key])
    for look in (each for each in looks(helper, helper.starts()[0]) if each.outcome() is None):
        match_pages.table(look, around)
        for seat in range(len(look.info.seats)):
            match_pages.hand(look, seat, around)
        assert not written
        match_pages.hand(look, 0, around, Reader(words=True))
        assert written
        written.clear()


def test_what_is_written_when_it_is_read_is_read_like_what_was_written_before() -> None:
    calls: list[str] = []

    def write() -> tuple[str, ...]:
        calls.append("written")
        return "One.", "Two."

    lines = Unwritten(write)
    assert calls == []
    assert (len(lines), lines[1], [*lines], "One." in lines) == (2, "Two.", ["One.", "Two."], True)
    assert lines == ("One.", "Two.") == Unwritten(lambda: ["One.", "Two."])
    assert (hash(lines), repr(lines)) == (hash(("One.", "Two.")), "('One.', 'Two.')")
    assert lines != ("One.",)
    assert calls == ["written"]
