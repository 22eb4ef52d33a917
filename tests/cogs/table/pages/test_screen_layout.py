"""A screen as a message: headline and picture by default, or everything in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.features.notes.note_pages import note_line
from cogs.screens.screen import Button, Buttons, LazyParagraphs, Picture, Screen, Step, Steps
from cogs.table.pages import hand_controls, match_pages, screen_layout
from cogs.table.pages.page import Block, Press, Row, Text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording.player_names import short_names
from engines.store.match_store import Status
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots, page_setting
from tests.game_uis import SCREENS

PICTURE = Picture("spec", "hand.png", "A hand.")
CONTROLS = (Buttons((Button("2♣", "play 2C"),)),)
SCREEN = Screen(("Above.",), PICTURE, ("Below.",), CONTROLS, headline="Play a card.", worth_text="Worth.")
STEP = Step("2♣", "2C", CONTROLS, intro="It goes up.")
MORE = (Press("More", "t:abcd2345:more"),)


def draw_blocks(reader: Reader, screen: Screen = SCREEN, *keys: str) -> tuple[Block, ...]:
    trail = hand_controls.find_steps(screen.controls, keys) if keys else ()
    assert trail is not None
    laid = hand_controls.lay_out_controls("abcd2345", 3, screen.controls, trail)
    return screen_layout.hand_blocks("-# Wizard", screen, ("Ada 2♣", "Bela 5♣"), reader, laid, MORE)


def block_texts(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Text)]


def row_labels(blocks: tuple[Block, ...]) -> list[list[str]]:
    rows = [block.items for block in blocks if isinstance(block, Row)]
    return [[press.label for press in items] for items in rows if isinstance(items, tuple)]


def test_a_screen_has_a_sentence_the_news_the_worth_the_picture_and_the_controls_in_this_order() -> None:
    found = draw_blocks(Reader())
    assert [type(block) for block in found] == [Text, Picture, Row]
    assert block_texts(found) == ["-# Wizard\n**Play a card.**\nAda 2♣. Bela 5♣.\n-# Worth."]
    assert row_labels(found) == [["2♣", "More"]]
    assert "Worth" not in block_texts(draw_blocks(Reader(worth=False)))[0]


def test_a_note_takes_the_place_of_the_values_and_makes_no_part_of_its_own() -> None:
    with_note = Reader(lines=(note_line("Bela has\nno *hearts*"),))
    found = draw_blocks(with_note)
    assert len(found) == len(draw_blocks(Reader()))
    line = "-# Note: Bela has · no \\*hearts\\*"
    assert block_texts(found) == [f"-# Wizard\n**Play a card.**\nAda 2♣. Bela 5♣.\n{line}"]
    found = draw_blocks(replace(with_note, words=True))
    assert block_texts(found) == [f"-# Wizard\n{line}", "Above.", "-# Worth.", "Below."]
    step = Screen((), PICTURE, (), (Steps("A card", (STEP,)),), "Play.")
    assert draw_blocks(with_note, step, "2C") == draw_blocks(Reader(), step, "2C"), "a step has no room for it"


@pytest.mark.parametrize("status", [Status.RUNNING, Status.OVER, Status.ENDED, Status.PAUSED])
@pytest.mark.parametrize("away", [False, True])
def test_a_hand_has_its_note_whatever_has_become_of_the_match(status: Status, away: bool) -> None:
    helper = HELPERS["wizard"]
    looks = match_snapshots(helper, helper.starts()[0])
    snapshot = looks[-1] if status is Status.OVER else looks[0]
    seats = tuple(replace(seat, level="easy" if away else "") for seat in snapshot.info.seats)
    snapshot = replace(snapshot, info=replace(snapshot.info, status=status, seats=seats))
    for words in (False, True):
        page = match_pages.hand_page(
            snapshot, 0, page_setting(helper), Reader(words=words, lines=(note_line("a thought"),))
        )
        assert "\n-# Note: a thought" in block_texts(page.blocks)[0]


def test_in_words_everything_is_told_in_its_order_and_joined_if_discord_takes_no_more_parts() -> None:
    found = draw_blocks(Reader(words=True))
    assert [type(block) for block in found] == [Text, Text, Text, Picture, Row, Text, Row]
    assert block_texts(found) == ["-# Wizard", "Above.", "-# Worth.", "Below."]
    assert block_texts(draw_blocks(Reader(words=True, worth=False))) == ["-# Wizard", "Above.", "Below."]
    many = tuple(Buttons(tuple(Button(f"{row}{i}", f"play {row}{i}") for i in range(5))) for row in "ABCDEF")
    screen = replace(SCREEN, above=("One.", "Two."), below=("Three.", "Four."), controls=many)
    found = draw_blocks(Reader(words=True), screen)
    assert block_texts(found) == ["-# Wizard\n\nOne.\n\nTwo.\n\n-# Worth.", "Three.\n\nFour."]


def test_a_step_keeps_the_shape_leads_back_beside_the_rest_and_may_ask_in_a_sentence_of_its_own() -> None:
    found = draw_blocks(Reader(), Screen((), PICTURE, (), (Steps("A card", (STEP,)),), "Play."), "2C")
    assert block_texts(found) == ["-# Wizard\n**2♣**\nIt goes up."]
    assert [type(block) for block in found] == [Text, Picture, Row, Row]
    assert row_labels(found) == [["2♣", "Back to the hand", "More"]]
    step = Step("2♣", "2C", CONTROLS, question="2♣ moves whom?", back="Other card")
    found = draw_blocks(Reader(), Screen((), PICTURE, (), (Steps("A card", (step,), buttons=True),), "Play."), "2C")
    assert block_texts(found) == ["-# Wizard\n**2♣ moves whom?**"]
    assert row_labels(found) == [["2♣", "Other card", "More"]]


def test_news_name_people_shortly_after_the_letter_that_pictures_show_instead() -> None:
    found = short_names(["Ada", "Maximiliana", "Maximiliano", "שלום", "Bob the Builder", "_x_"])
    assert found[:3] == ("Ada", "B Maximil…", "C Maximil…")
    assert found[3].startswith("D ")
    assert found[4:] == ("Bob the", "\\_x\\_")
    assert short_names(("Alexandra von und zu", "Ben", "日本")) == ("Alexandr", "Ben", "C 日本")


@pytest.mark.parametrize("key", HELPERS)
def test_words_are_written_for_their_readers_alone(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    helper, written, write = HELPERS[key], list[LazyParagraphs](), LazyParagraphs._paragraphs

    def note_and_read(self: LazyParagraphs) -> tuple[str, ...]:
        written.append(self)
        return write(self)

    monkeypatch.setattr(LazyParagraphs, "_paragraphs", note_and_read)
    around = replace(page_setting(helper), screen=SCREENS[key])
    for snapshot in (each for each in match_snapshots(helper, helper.starts()[0]) if each.outcome() is None):
        match_pages.table_page(snapshot, around)
        for seat in range(len(snapshot.info.seats)):
            match_pages.hand_page(snapshot, seat, around)
        assert not written
        match_pages.hand_page(snapshot, 0, around, Reader(words=True))
        assert written
        written.clear()


def test_text_made_when_it_is_read_equals_text_made_before() -> None:
    calls: list[str] = []

    def write() -> tuple[str, ...]:
        calls.append("written")
        return "One.", "Two."

    lines = LazyParagraphs(write)
    assert calls == []
    assert (len(lines), lines[1], [*lines], "One." in lines) == (2, "Two.", ["One.", "Two."], True)
    assert lines == ("One.", "Two.") == LazyParagraphs(lambda: ["One.", "Two."])
    assert (hash(lines), repr(lines)) == (hash(("One.", "Two.")), "('One.', 'Two.')")
    assert lines != ("One.",)
    assert calls == ["written"]
