"""Somebody who looks at a phone sees what to do and all that it depends on: no message is longer than the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from cogs.features.lessons import game_lesson
from cogs.features.lessons.feature_ui import page_before_move
from cogs.features.lessons.game_lesson import GameLesson
from cogs.features.puzzles import game_puzzles
from cogs.features.registry import FURTHER_HELP
from cogs.features.replays.replay_pages import replay_page
from cogs.features.replays.replay_place import OPEN_HANDS, TABLE, ReplayPlace
from cogs.games import GAME_UIS as GAMES_ON_DISCORD
from cogs.screens.control_widths import estimate_width
from cogs.table.actions.first_steps import game_page, games_page, help_page
from cogs.table.commands.feature_ui import HandClick
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Page, Press, Row, Text
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.surfaces.move_steps import MoveStep
from cogs.table.wording.narration import narrate_briefly, screen_context
from cogs.table.wording.sentences import join_newest
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.replayed_position import LEARNER
from engines.kit.options import game_options
from engines.store.table_options import TableOptions, list_all_options
from players import MoveValue
from players.levels import player_model_of
from tests.cogs.table.pages.test_lobby_pages import lobby_snapshot
from tests.cogs.table.pages.test_options_pages import PLAIN, many_options
from tests.contract.helper import MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots, options_pages_of, replayed_match, step_paths
from tests.features.exercises import LESSONS, PUZZLES
from tests.game_uis import GAME_UIS, RULES, SCREENS
from tests.games import GAMES
from tests.page.measure import (
    LOBBY_HEIGHT,
    LONG_HEIGHT,
    MAX_BELOW,
    NEW_READER,
    SCREEN_HEIGHT,
    WIDEST_NAMES,
    ShownMessage,
    game_messages,
    hardest_messages,
    measure_messages,
    page_setting,
)
from tests.page.message_heights import MessageRuler
from tests.page.page_driver import NARROW_SIZE, WIDE_SIZE, BrowserWindows
from tests.test_intros import PRESSES

LONG_TABLE: Final = TableOptions(known=TABLE_OPTIONS).set_values(
    {
        "clock": "2 minutes plus 15 seconds a move",
        "hints": False,
        "guesses": True,
        "autoplay": False,
        "takebacks": "free only",
    }
)
SOME: Final = 5  # messages of each kind, by each of three ways to choose them


@pytest.mark.sampled(1)
@pytest.mark.parametrize("key", HELPERS)
async def test_messages_of_whole_matches_fit_a_phone_and_a_desktop(browser: BrowserWindows, key: str) -> None:
    some = hardest_messages(game_messages(key), SOME, Random(f"heights of {key}"))
    found = []
    for size in (NARROW_SIZE, WIDE_SIZE):
        async with MessageRuler.open(browser, size) as ruler:
            found += await measure_messages(some, ruler, size)
    wrong = [f"{each.message}, {each.size[0]} wide: {'; '.join(each.problems)}" for each in found if any(each.problems)]
    assert wrong == []


@pytest.mark.parametrize("key", HELPERS)
async def test_a_result_is_one_screen_also_after_the_longest_match(browser: BrowserWindows, key: str) -> None:
    """With every number of players, and as many rounds as there can be."""
    helper = HELPERS[key]
    most = {
        option.name: option.high
        for option in game_options(helper.game)
        if option.group == "length" and option.high is not None
    }
    starts = [MatchStart(seats, helper.game.options(**most), f"{seats:032x}") for seats in helper.game.seats]
    endings = [match_snapshots(helper, start, WIDEST_NAMES)[-1] for start in starts]
    setting = page_setting(helper)
    pages = [match_pages.table_page(ending, setting) for ending in endings]
    pages += [match_pages.hand_page(ending, 0, setting, NEW_READER) for ending in endings]
    for size in (NARROW_SIZE, WIDE_SIZE):
        async with MessageRuler.open(browser, size) as ruler:
            found = await ruler.measure(pages)
        assert [each.height for each in found if each.height > SCREEN_HEIGHT or each.wide] == []


BUTTON = Row((Press("Play", "m:abcd2345:1:play 10H"),))
THERE = Press("More", "t:abcd2345:more")
MORE = Row((THERE,))
LONG_ONES: Final = {
    "words": ("hand", Page((Text("Word\n" * 29), BUTTON)), f"{SCREEN_HEIGHT} at most"),
    "controls": ("step", Page((*[BUTTON] * 13, MORE)), f"{SCREEN_HEIGHT} at most"),
    "below": ("hand", Page((BUTTON, Text("Word\n\n"), MORE, MORE)), f"above the end, {MAX_BELOW} at most"),
    "lobby": ("lobby", Page((Text("Word\n" * 24), BUTTON)), f"{LOBBY_HEIGHT} at most"),
    "result": ("result", Page((Text("Word\n" * 29),)), f"{SCREEN_HEIGHT} at most"),
    "More": ("result", Page((Row((Press("W" * 10, "a"), Press("W" * 7, "b"), THERE)),)), "More stands alone"),
}


async def test_messages_that_are_too_long_are_found_and_others_are_not(browser: BrowserWindows) -> None:
    fits = Page((Text("Word\n" * 15), BUTTON, MORE))
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        for kind, page, problem in (*LONG_ONES.values(), ("hand", fits, "")):
            (found,) = await measure_messages([ShownMessage("any", 2, kind, "turn", page)], ruler, NARROW_SIZE)
            problems = "; ".join(found.problems)
            assert problem in problems
            assert bool(problem) == bool(problems)


async def test_the_first_screen_and_how_it_works_are_one_screen_each(browser: BrowserWindows) -> None:
    introductions = [(game_ui.game, game_ui.intro) for game_ui in GAMES_ON_DISCORD.values()]
    pages = [
        games_page(introductions, PRESSES),
        games_page(introductions, PRESSES, has_pictures=False),
        help_page(introductions, further=FURTHER_HELP),
        *(game_page(game, intro, PRESSES[game.key]) for game, intro in introductions),
    ]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        found = await ruler.measure(pages)
    assert [each.wide for each in found] == [0] * len(pages)
    assert [each.height for each in found if each.height > SCREEN_HEIGHT] == []


@pytest.mark.parametrize("key", HELPERS)
async def test_the_news_are_two_lines_of_a_phone(browser: BrowserWindows, key: str) -> None:
    helper, found = HELPERS[key], set[str]()
    for start in helper.starts():
        for snapshot in match_snapshots(helper, start, WIDEST_NAMES):
            for seat in (None, 0):
                clauses = narrate_briefly(snapshot, helper.screen, seat)
                found.add(join_newest(clauses, screen_context(snapshot).short_names))
    widest = sorted(found, key=estimate_width)[-SOME * SOME :]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        two, three, *measured = await ruler.measure([Page((Text(text),)) for text in ("A\nB", "A\nB\nC", *widest)])
    assert two.height < three.height
    too_high = [text for text, each in zip(widest, measured, strict=True) if each.height > two.height]
    assert too_high == []


MINUTE, HOUR, DAY = 60, 3600, 86400
SAID = [
    *[(0, "now"), (1, "in 1 second"), (44, "in 44 seconds"), (45, "in a minute"), (-90, "2 minutes ago")],
    *[(44 * MINUTE, "in 44 minutes"), (45 * MINUTE, "in an hour"), (21 * HOUR, "in 21 hours")],
    *[(22 * HOUR, "in a day"), (DAY, "in a day"), (-35 * HOUR, "a day ago"), (36 * HOUR, "in 2 days")],
    *[(25 * DAY, "in 25 days"), (26 * DAY, "in a month"), (-60 * DAY, "2 months ago"), (400 * DAY, "in a year")],
]
_RELATIVE = """async (seconds) => {
    const { relative } = await import("/static/markdown.js"), now = 1790000000;
    Date.now = () => now * 1000;
    return seconds.map((each) => relative(now + each));
}"""


async def test_times_are_rounded_as_in_discord(browser: BrowserWindows) -> None:
    async with MessageRuler.open(browser, WIDE_SIZE) as ruler:
        found = await ruler.page.evaluate(_RELATIVE, [seconds for seconds, _ in SAID])
    assert found == [texts for _, texts in SAID]


@pytest.mark.parametrize("key", RULES)
async def test_every_leaf_of_the_rules_is_one_screen(browser: BrowserWindows, key: str) -> None:
    pages = [RULES[key].render_page(leaf, PRESSES[key]) for leaf in range(len(RULES[key].pages))]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        minute, *others = await ruler.measure(pages)
    assert [found.wide for found in (minute, *others)] == [0] * len(pages)
    assert minute.picture[1] > 0
    assert minute.height - minute.picture[1] <= SCREEN_HEIGHT
    assert max(found.height for found in others) <= SCREEN_HEIGHT


def lesson_pages_of(lesson: GameLesson) -> Iterator[Page]:
    """Every page of a lesson: its steps, what it answers to other moves, and the choices within a move."""
    for number in range(1, lesson.step_count + 1):
        yield game_lesson.step_page(lesson, number, DEFAULT_READER)
        step, snapshot = lesson.step(number), lesson.snapshot(number)
        if step.asked:
            longest = max((text for _, text in step.wrong), key=len, default=step.text)
            yield game_lesson.step_page(lesson, number, DEFAULT_READER, longest, "W7")
            yield from (game_lesson.also_fine_page(lesson, number, text) for _, text in step.fine)
            drawn = lesson.screen.hand(
                snapshot.view(lesson.seat),
                snapshot.decisions()[lesson.seat],
                snapshot.moves(lesson.seat),
                screen_context(snapshot),
            )
            for keys, _ in step_paths(drawn.controls):
                if keys:
                    yield page_before_move(
                        lesson,
                        number,
                        DEFAULT_READER,
                        HandClick("step", step=MoveStep(LEARNER, 0, custom_ids.step_path(keys))),
                    )


@pytest.mark.parametrize("key", GAMES)
async def test_every_page_of_options_is_one_screen_also_if_it_has_most_to_say(
    browser: BrowserWindows, key: str
) -> None:
    """As published, with a value of each option that differs, and at the longest; each effect is one line."""
    game, screen, rng = GAMES[key], SCREENS[key], Random(f"options of {key}")
    pages = []
    for seats in (1, *game.seats):
        for options in (game.options(), *rng.sample([*many_options(game)], min(SOME, len([*many_options(game)])))):
            for table_options in (PLAIN, LONG_TABLE):
                at = lobby_snapshot(game, seats, options, table_options=table_options)
                pages += options_pages_of(at, screen)
    pages = list(dict.fromkeys(pages))
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        found = await ruler.measure(pages)
        titles = [Page((Text(f"-# {option.description}"),)) for option in list_all_options(game, TABLE_OPTIONS)]
        lines = await ruler.measure(titles)
    assert [each.wide for each in found] == [0] * len(pages)
    assert [(each.height, page) for each, page in zip(found, pages, strict=True) if each.height > SCREEN_HEIGHT] == []
    assert len({each.height for each in lines}) == 1, "an effect takes two lines"


@pytest.mark.parametrize("key", GAME_UIS)
async def test_every_page_of_a_lesson_is_one_screen(browser: BrowserWindows, key: str) -> None:
    pages = [*lesson_pages_of(LESSONS[key])]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        found = await ruler.measure(pages)
    assert [each.wide for each in found] == [0] * len(pages)
    assert [(each.height, page) for each, page in zip(found, pages, strict=True) if each.height > SCREEN_HEIGHT] == []


@pytest.mark.parametrize("key", GAME_UIS)
async def test_a_puzzle_is_one_screen_and_its_answer_a_little_more(browser: BrowserWindows, key: str) -> None:
    puzzles, unit = PUZZLES[key], player_model_of(GAME_UIS[key].game).unit
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        for number, puzzle in enumerate(puzzles.puzzles, 1):
            moves = puzzles.snapshot(number).moves(puzzle.seat)
            values = [MoveValue(move, 12.3, 0.1) for move in moves]
            pages = (
                game_puzzles.puzzle_page(puzzles, number, DEFAULT_READER),
                game_puzzles.answer_page(puzzles, number, moves[-1], values, unit, 9999),
            )
            question, answered = await ruler.measure(pages)
            assert (question.wide, answered.wide) == (0, 0)
            assert question.height <= SCREEN_HEIGHT, number
            assert answered.height <= LONG_HEIGHT, number


async def test_the_offer_of_the_rules_makes_a_hand_no_higher(browser: BrowserWindows) -> None:
    offer = (Press("Back", "t:abcd2345:back"), Press("Rules", "t:abcd2345:minute"), THERE)
    pages = [Page((Text("Play a card."), Row(presses))) for presses in ((THERE,), offer)]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        without, with_it = await ruler.measure(pages)
    assert with_it.height == without.height
    assert with_it.wide == 0


@pytest.mark.parametrize("key", HELPERS)
async def test_a_replay_fits_a_telephone(browser: BrowserWindows, key: str) -> None:
    """One steps without scrolling: the screen has room for everything down to the buttons for that."""
    helper, rng = HELPERS[key], Random(f"replays of {key}")
    match = replayed_match(helper, rng.choice(helper.starts()))
    moments = sorted(rng.sample(range(match.last), min(SOME, match.last)))
    places = [ReplayPlace("abcd2345", moment, view) for moment in moments for view in (TABLE, "0")]
    more = [ReplayPlace("abcd2345", moment, OPEN_HANDS) for moment in moments] + [ReplayPlace("abcd2345", match.last)]
    pages = [replay_page(match, place, helper.screen, DEFAULT_READER) for place in (*places, *more)]
    stepping = [replace(page, blocks=page.blocks[:3]) for page in pages[: len(places)]]
    assert all(isinstance(page.blocks[-1], Row) for page in stepping)
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        found, above = await ruler.measure(pages), await ruler.measure(stepping)
    assert [each.wide for each in found] == [0] * len(pages)
    assert max(each.height for each in above) <= SCREEN_HEIGHT
    assert max(each.height for each in found) <= LONG_HEIGHT
