"""Clips of matches: their sections, which moments they show, captions, alt texts, and what moves."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bench.bot import clips
from cogs.features.clips import clip_frames, drawing
from cogs.features.clips.clip_frames import (
    LAST_MILLISECONDS,
    MAX_SECTIONS,
    MIN_FRAMES,
    MOMENTS_AFTER,
    WHOLE_MATCH,
    ClipMoment,
    ClipPlan,
    choose_moments,
    clip_alt,
    clip_of,
    clip_sections,
    plan_clip,
)
from cogs.features.clips.drawing import MAX_BYTES, MAX_FRAMES, MAX_SECONDS, ClipTooLarge
from cogs.features.clips.steps import (
    ALWAYS,
    DETAIL,
    HOLD_MILLISECONDS,
    MOTION_MILLISECONDS,
    USUAL,
    ClipStep,
    event_weights,
)
from cogs.jesters.drawing.spec import Stage
from cogs.pictures.spec import ResultBanner
from cogs.screens.picture import ALT
from cogs.screens.screen import Context
from cogs.table.state.replayed_match import ReplayedMatch
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.screen import WizardScreen
from engines.hosting.records.record import parse_record
from tests.game_uis import GAME_UIS, STUDIO
from tests.games import GAMES, ROOT
from tests.record_replays import replay_record

WIZARD, OLD_WIZARD, JESTERS = "wizard/golden/six.txt", "wizard/golden/four-rounds.txt", "jesters/golden/three.txt"


def record_match(path: str) -> ReplayedMatch:
    record = parse_record(Path(ROOT, "tests", "engines", path).read_text(encoding="utf-8"))
    return replay_record(GAMES[record.game], record, "abcdefgh")


def plan(path: str, chosen: int = WHOLE_MATCH) -> ClipPlan:
    match = record_match(path)
    found = plan_clip(match, GAME_UIS[match.game.key].screen, chosen)
    assert found is not None
    return found


def moment(weight: int, motion: int = 0, name: str = "") -> ClipMoment:
    steps = (*(ClipStep(f"{name} {i}", MOTION_MILLISECONDS) for i in range(motion)), ClipStep(name))
    return ClipMoment(weight, steps, name, ((weight, f"{name}."),))


moments = st.lists(
    st.builds(moment, st.integers(0, 3), st.integers(0, 4), st.text(min_size=1)), min_size=1, max_size=90
)


# Which moments


@given(moments, st.integers(1, MAX_FRAMES))
def test_no_more_pictures_are_chosen_than_there_is_room_for(given: list[ClipMoment], most: int) -> None:
    chosen = choose_moments(given, most)
    assert 1 <= sum(len(each.steps) for each in chosen) <= most
    assert chosen[-1].steps[-1] is given[-1].steps[-1], "the end is missing"


def test_less_important_moments_are_left_out_first() -> None:
    given = [moment(weight, name=f"{weight}{i}") for i in range(10) for weight in (DETAIL, USUAL, ALWAYS)]
    for most, weights in ((30, {DETAIL, USUAL, ALWAYS}), (25, {USUAL, ALWAYS}), (19, {ALWAYS})):
        chosen = choose_moments(given, most)
        assert {each.weight for each in chosen} == weights
        assert chosen == [each for each in given if each.weight in weights]


def test_motion_is_left_out_before_what_always_matters() -> None:
    given = [moment(ALWAYS, motion=3, name=str(i)) for i in range(20)]
    chosen = choose_moments(given, 30)
    assert [each.caption for each in chosen] == [each.caption for each in given]
    assert {len(each.steps) for each in chosen[:-1]} == {1}


def test_some_of_many_are_shown_if_there_would_be_nothing_else() -> None:
    chosen = choose_moments([moment(USUAL, name=str(i)) for i in range(200)], 50)
    places = [int(each.caption) for each in chosen]
    assert len(chosen) == 50
    assert max(b - a for a, b in pairwise(places)) <= 6, "not evenly spread"


def test_a_picture_is_not_repeated_at_once() -> None:
    first, repeated = ClipMoment(USUAL, (ClipStep("a"),)), ClipMoment(USUAL, (ClipStep("a"), ClipStep("b")), "b")
    frames = clip_frames.clip_frames([first, repeated, ClipMoment(USUAL, (ClipStep("b"),), "still b")])
    assert [(frame.spec, frame.caption) for frame in frames] == [("a", ""), ("b", "b"), ("b", "still b")]
    assert [frame.milliseconds for frame in frames] == [HOLD_MILLISECONDS, HOLD_MILLISECONDS, LAST_MILLISECONDS]


def test_a_silent_picture_has_no_caption() -> None:
    rolling = ClipMoment(USUAL, (ClipStep("a", MOTION_MILLISECONDS, silent=True), ClipStep("b")), "Ada rolls 6")
    assert [frame.caption for frame in clip_frames.clip_frames([rolling])] == ["", "Ada rolls 6"]


# Sections


def test_a_section_is_all_moves_of_a_title() -> None:
    found = clip_sections(["Round 1"] * 5 + ["Round 2"] * 8)
    assert [(each.title, each.first, each.last) for each in found] == [("Round 1", 0, 5), ("Round 2", 5, 13)]


def test_single_turns_are_joined() -> None:
    titles = [f"Turn {1 + number // 2}" for number in range(20)]
    found = clip_sections(titles)
    assert [each.title for each in found] == [
        *("Turn 1 to turn 3", "Turn 4 to turn 6", "Turn 7 to turn 9"),
        "Turn 10",
    ]
    assert [each.first for each in found] == [0, 6, 12, 18]


@given(st.integers(1, 400), st.integers(1, 20))
def test_there_are_never_more_sections_than_lines_of_a_list(turns: int, moves: int) -> None:
    titles = [f"Turn {number // moves}" for number in range(moves * turns)]
    found = clip_sections(titles)
    assert 1 <= len(found) <= MAX_SECTIONS
    assert (found[0].first, found[-1].last) == (0, len(titles))
    assert all(a.last == b.first for a, b in pairwise(found))
    assert all(each.first < each.last for each in found)
    assert all(titles[each.first - 1] != titles[each.first] for each in found[1:])


def test_there_is_no_clip_of_a_section_that_the_match_lacks() -> None:
    match = record_match(JESTERS)
    assert plan_clip(match, GAME_UIS["jesters"].screen, 1 + len(plan(JESTERS).sections)) is None
    assert plan_clip(match, GAME_UIS["jesters"].screen, -1) is None


# What is shown


def test_the_cards_of_a_trick_slide_to_the_one_that_takes_it() -> None:
    found = plan(WIZARD, chosen=3)
    tricks = [each for each in found.moments if "takes" in each.caption]
    assert len(tricks) == 3
    for each in tricks:
        specs = [step.spec for step in each.steps if isinstance(step.spec, WizardPicture)]
        slid = [spec.trick.gathered for spec in specs if spec.trick.over]
        assert slid[:4] == [0, 30, 65, 100]
        assert len({spec.trick.cards for spec in specs[:4]}) == 1
        assert all(len(spec.trick.cards) == len(spec.plates) for spec in specs[:4])
        assert len({STUDIO.render(spec) for spec in specs[:4]}) == 4, "the cards do not move"


def test_dice_roll_before_they_lie_and_nothing_tells_what_they_will_show() -> None:
    rolls = [each for each in plan(JESTERS).moments if len(each.steps) > 2]
    assert rolls
    for each in rolls:
        *rolling, lying = each.steps
        assert len({STUDIO.render(step.spec) for step in each.steps}) == len(each.steps), "the dice do not move"
        for step in rolling:
            assert step.is_motion
            assert step.silent
            assert isinstance(step.spec, Stage)
            assert step.spec.attempt is not None
            assert any(die.turn for die in step.spec.attempt.dice)
            assert (step.spec.attempt.said, step.spec.attempt.quiet, step.spec.attempt.met) == ("", "", False)
        assert isinstance(lying.spec, Stage)
        assert lying.spec.attempt is not None
        assert not any(die.turn for die in lying.spec.attempt.dice)
        assert not lying.silent


def test_the_clip_of_a_match_ends_with_its_result() -> None:
    assert isinstance(plan(WIZARD).banner, ResultBanner)
    sections = len(plan(WIZARD).sections)
    assert isinstance(plan(WIZARD, sections).banner, ResultBanner)
    assert plan(WIZARD, sections - 1).banner is None


def test_a_match_of_older_rules_has_clips() -> None:
    match = record_match(OLD_WIZARD)
    found = clip_of(match, GAME_UIS["wizard"].screen, STUDIO, 2)
    assert found is not None
    assert found.frames > MIN_FRAMES


def test_the_first_picture_shows_the_moment_that_its_caption_tells() -> None:
    for path in (WIZARD, JESTERS):
        match = record_match(path)
        screen, views = GAME_UIS[match.game.key].screen, [*match.public_views()]
        context = clip_frames.plain_context(match)
        for turned in _heaviest_moves(match):
            opening = _opening_at(match, turned)
            picture = screen.table(views[turned], context).picture
            assert picture is not None
            assert [step.spec for step in opening.steps] == [picture.spec]


def _heaviest_moves(match: ReplayedMatch) -> list[int]:
    """The moves of a match that always matter and that many moments follow."""
    weight_of = event_weights(GAME_UIS[match.game.key].screen)
    return [
        number
        for number in range(1, match.last - 20)
        if max((weight_of(each.event) for each in match.events_of(number)), default=0) == ALWAYS
    ][:3]


def _opening_at(match: ReplayedMatch, turned: int) -> ClipMoment:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clip_frames, "turning_point", lambda *_: turned)
        found = plan_clip(match, GAME_UIS[match.game.key].screen)
    assert found is not None
    assert found.opening.number == turned
    return found.opening


@pytest.mark.parametrize("path", ["jokers/golden/one-round.txt", WIZARD, JESTERS, "court/golden/two.txt"])
@pytest.mark.parametrize("moves_before_the_end", [None, 1, 3])
def test_a_match_without_an_early_turning_point_begins_early(
    path: str, moves_before_the_end: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = record_match(path)
    turned = 0 if moves_before_the_end is None else match.last - moves_before_the_end
    monkeypatch.setattr(clip_frames, "turning_point", lambda *_: turned)
    found = plan_clip(match, GAME_UIS[match.game.key].screen)
    assert found is not None
    assert len(found.moments) >= MOMENTS_AFTER
    heaviest = max(each.weight for each in found.moments[:-MOMENTS_AFTER])
    assert found.opening.weight >= heaviest, "a moment that matters more comes later"


# Words


def test_the_alt_text_tells_the_section_and_its_end() -> None:
    found = plan(WIZARD, chosen=1)
    alt = clip_alt(found.heading, found.choose_moments(MAX_FRAMES))
    assert alt.startswith("Wizard, round 1. ")
    assert "bids" in alt
    assert alt.rpartition("Round 1 is scored:")[2].count(",") == 5


@given(st.lists(st.integers(0, 3), min_size=1, max_size=80), st.integers(1, 60))
def test_an_alt_text_always_fits_and_has_the_end(weights: list[int], length: int) -> None:
    moments = [moment(weight, name=f"{i} {'x' * length}") for i, weight in enumerate(weights)]
    alt = clip_alt("Wizard, round 1.", moments)
    assert len(alt) <= ALT
    assert alt.endswith(f"{len(weights) - 1} {'x' * length}.")


def test_a_long_alt_text_tells_what_matters() -> None:
    moments = [
        moment(weight, name=f"{weight}{i:02} {'x' * 30}") for i in range(12) for weight in (DETAIL, USUAL, ALWAYS)
    ]
    alt = clip_alt("Wizard, round 1.", moments)
    assert "200" in alt
    assert "100" not in alt


# Limits


@pytest.mark.parametrize("path", [WIZARD, JESTERS, "court/golden/four.txt"])
def test_the_longest_clips_stay_within_the_limits(path: str) -> None:
    match = record_match(path)
    found = clip_of(match, GAME_UIS[match.game.key].screen, STUDIO)
    assert found is not None
    assert MIN_FRAMES < found.frames <= MAX_FRAMES
    assert len(found.content) <= MAX_BYTES
    file = Image.open(BytesIO(found.content))
    delays = []
    for number in range(getattr(file, "n_frames", 1)):
        file.seek(number)
        delays.append(file.info["duration"])
    assert delays[-1] == LAST_MILLISECONDS
    assert max(delays[:-1]) <= HOLD_MILLISECONDS


@pytest.mark.parametrize(("refused_at", "frames"), [([30], 18), ([30, 15], 2), ([2], 2), ([1], 2)])
def test_a_clip_beyond_its_limits_is_drawn_with_fewer_frames(
    refused_at: list[int], frames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[tuple[int, float]] = []

    def refuse(frames: list[drawing.ClipFrame], *rest: object, seconds: float) -> bytes:
        attempts.append((len(frames), seconds))
        if len(attempts) <= len(refused_at):
            raise ClipTooLarge(refused_at[len(attempts) - 1])
        return drawing.draw_clip(frames, STUDIO)

    monkeypatch.setattr(clip_frames, "draw_clip", refuse)
    found = clip_of(record_match(WIZARD), GAME_UIS["wizard"].screen, STUDIO)
    assert found is not None
    assert found.frames == attempts[-1][0] <= frames
    assert found.frames >= MIN_FRAMES
    limits = [seconds for _, seconds in attempts]
    assert limits == [0.6, 0.4, inf][: len(attempts)], "the attempts may take more than a second together"


def test_a_slow_machine_gets_a_shorter_clip_in_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    used = [0.0]

    def slow_clock() -> float:
        used[0] += 0.02
        return used[0]

    monkeypatch.setattr(drawing, "thread_seconds", slow_clock)
    found = clip_of(record_match(WIZARD), GAME_UIS["wizard"].screen, STUDIO)
    assert found is not None
    assert 10 < found.frames < MAX_FRAMES / 2
    assert used[0] <= MAX_SECONDS + 0.1


class TellingScreen(WizardScreen):
    """A screen for which everything matters, and which notes of what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def clip_weight(self, event: Any) -> int:
        self.asked.append(event)
        return ALWAYS

    def narrate(self, event: Any, context: Context) -> str | None:
        self.asked.append(event)
        return super().narrate(event, context)

    def clip_steps(self, before: Any, events: Sequence[Any], after: Any, context: Context) -> Sequence[ClipStep]:
        self.asked += events
        return super().clip_steps(before, events, after, context)


def test_no_private_event_gets_into_a_clip() -> None:
    match, screen = record_match(WIZARD), TellingScreen()
    assert plan_clip(match, screen) is not None
    happened = [match_event.event for number in range(1, match.last + 1) for match_event in match.events_of(number)]
    assert any(not event.is_visible_to(None) for event in happened), "the match has no secrets"
    assert screen.asked
    assert all(event.is_visible_to(None) for event in screen.asked)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory")
def test_drawing_a_clip_takes_little_memory() -> None:
    before, after = clips.clip_memory("wizard")
    assert after - before < clips.MAX_MEGABYTES
