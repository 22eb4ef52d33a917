"""Laws of clips: every round or turn of every match has one that is short, tells what happens, and moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from cogs.features.clips.clip_frames import (
    MIN_FRAMES,
    MOMENTS_AFTER,
    WHOLE_MATCH,
    ClipPlan,
    clip_alt,
    clip_frames,
    plain_context,
    plan_clip,
)
from cogs.features.clips.drawing import MAX_FRAMES
from cogs.features.clips.steps import ALWAYS, DETAIL, HOLD_MILLISECONDS, UNSEEN, USUAL, TellsStandings, event_weights
from cogs.pictures.raster.typeface import has_all_signs
from cogs.screens.picture import ALT
from cogs.table.state.replayed_match import ReplayedMatch
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Move
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import match_snapshots
from tests.contract.walk import choose_move
from tests.until_over import until_over

SOME_SECTIONS = 3


def every_section_has_a_clip(helper: GameHelper, start: MatchStart) -> None:
    """Of 2 to 60 different pictures, with words for each in our typeface, and an alt text. Nothing private is said."""
    match = _random_match(helper, start)
    private = _private_sentences(helper, match)
    for plan in _some_plans(helper, start, match):
        moments = plan.choose_moments(MAX_FRAMES)
        frames = clip_frames([plan.opening, *moments], plan.banner)
        assert MIN_FRAMES <= len(frames) <= MAX_FRAMES, f"{len(frames)} frames: {plan.heading}"
        assert len({frame.spec for frame in frames}) >= MIN_FRAMES, f"nothing happens: {plan.heading}"
        assert all(0 < frame.milliseconds <= HOLD_MILLISECONDS for frame in frames[:-1])
        for moment in plan.moments:
            assert moment.caption, f"a picture without words: {moment}"
            assert has_all_signs(moment.caption), f"not in our typeface: {moment.caption}"
            public = {moment.caption, *moment.caption.split(" · "), *(sentence for _, sentence in moment.sentences)}
            assert not public & private, f"private, and yet told: {public & private}"
        alt = clip_alt(plan.heading, [plan.opening, *moments])
        assert plan.heading in alt
        assert len(alt) <= ALT


def a_clip_begins_with_a_moment_that_mattered(helper: GameHelper, start: MatchStart) -> None:
    """The clip of a match that is offered first: with the turning point, which everybody saw, if enough follows it."""
    match = _random_match(helper, start)
    screen, views = helper.screen, [*match.public_views()]
    standings = [screen.standings(view) if isinstance(screen, TellsStandings) else () for view in views[:-1]]
    assert {len(each) for each in standings} <= {0, start.seats}, "a seat has no standing"
    plan = plan_clip(match, screen, WHOLE_MATCH)
    assert plan is not None
    assert plan.opening.number > 0, "it begins with the table before the first move"
    assert plan.opening.caption, "its first picture has no words"
    assert plan.opening.number < plan.moments[-1].number == match.last
    seen_moves = _seen_moves(helper, match)
    assert len(plan.moments) >= min(MOMENTS_AFTER, len(seen_moves) - 1), "hardly anything follows its first picture"
    outcome = match.snapshot(match.last).outcome()
    assert outcome is not None
    others = [seat for seat in range(start.seats) if seat not in outcome.winners]
    if others and all(standings):
        leads = [min(each[seat] for seat in outcome.winners) - max(each[seat] for seat in others) for each in standings]
        growth = [after - before for before, after in pairwise(leads)]
        turned = growth.index(max(growth)) + 1
        if max(growth) > 0 and sum(number > turned for number in seen_moves) >= MOMENTS_AFTER:
            assert plan.opening.number == turned, "the lead grew more at another moment"


def every_event_has_a_weight(helper: GameHelper, start: MatchStart) -> None:
    """One of those that clips know; an event of another weight would never be seen."""
    weight_of = event_weights(helper.screen)
    for snapshot in match_snapshots(helper, start):
        for match_event in snapshot.events:
            weight = weight_of(match_event.event)
            assert weight in (ALWAYS, USUAL, DETAIL, UNSEEN), f"the weight of {match_event.event} is {weight}"


def _seen_moves(helper: GameHelper, match: ReplayedMatch) -> list[int]:
    """The moves with something to be seen, and the last one."""
    weight_of = event_weights(helper.screen)
    public = (
        [each.event for each in match.events_of(number) if each.event.is_visible_to(None)]
        for number in range(1, match.last + 1)
    )
    weights = [max(map(weight_of, events), default=UNSEEN) for events in public]
    return [number for number, weight in enumerate(weights, 1) if weight > UNSEEN or number == match.last]


def _some_plans(helper: GameHelper, start: MatchStart, match: ReplayedMatch) -> Iterator[ClipPlan]:
    """What the clips of a match could show: of the whole match, of some sections, and of the last one."""
    whole = plan_clip(match, helper.screen, WHOLE_MATCH)
    assert whole is not None
    count = len(whole.sections)
    chosen = {count, *Random(start.seed).sample(range(1, count + 1), min(SOME_SECTIONS, count))}
    yield whole
    yield from filter(None, (plan_clip(match, helper.screen, number) for number in sorted(chosen)))


def _private_sentences(helper: GameHelper, match: ReplayedMatch) -> set[str]:
    """What is said of events that not everybody sees, and of no other event."""
    context = plain_context(match)
    sentences: dict[bool, set[str]] = {True: set(), False: set()}
    for match_event in (match_event for number in range(1, match.last + 1) for match_event in match.events_of(number)):
        words = (
            helper.screen.narrate(match_event.event, context),
            helper.screen.narrate_briefly(match_event.event, context),
        )
        sentences[match_event.event.is_visible_to(None)] |= {each.removesuffix(".") for each in words if each}
        sentences[match_event.event.is_visible_to(None)] |= {each for each in words if each}
    return sentences[False] - sentences[True]


def _random_match(helper: GameHelper, start: MatchStart) -> ReplayedMatch:
    game, rng = helper.game, Random(f"{start.seed} clips")
    snapshot: MatchSnapshot = match_snapshots(helper, start)[-1]
    state, moves = helper.start_state(start), list[Move]()
    for decisions in until_over(game, state):
        seat, move = choose_move(helper, state, rng)
        moves.append(Move(0, seat, decisions[seat].number, game.format_move(move), 10 + seat))
        game.play(state, seat, move)
    return ReplayedMatch(game, snapshot.info, game, helper.start_state(start), moves)
