"""The clip of a section, or of the moments that mattered in a match: its pictures, captions and alt text, and the GIF.

A clip shows what everybody saw, so it knows only the spectator's views and public events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from math import ceil, inf
from typing import Any

from cogs.features.clips.drawing import MAX_FRAMES, MAX_SECONDS, ClipFrame, ClipTooLarge, draw_clip
from cogs.features.clips.steps import (
    ALWAYS,
    DETAIL,
    UNSEEN,
    USUAL,
    ClipStep,
    TellsStandings,
    event_weights,
    move_steps,
    table_steps,
)
from cogs.pictures.raster.canvas import Layouts
from cogs.pictures.raster.typeface import has_all_signs
from cogs.pictures.spec import ResultBanner
from cogs.pictures.studio import Studio
from cogs.screens.picture import ALT
from cogs.screens.screen import Context, GameScreen
from cogs.table.state.replayed_match import ReplayedMatch
from cogs.table.wording.narration import screen_context
from cogs.table.wording.sentences import join_clauses
from engines.kit.contract import AnyGame, Event
from engines.store.match_store import SavedMatch

WHOLE_MATCH = 0  # in place of a section's number
MAX_SECTIONS = 24  # as a list has 25 lines, one of which is the whole match
MIN_MOVES = 6  # of a section, on average
MOMENTS_AFTER = 6  # at least, after the one with which the clip of a match begins; fewer only in a shorter match
LAST_MILLISECONDS = 3000  # the last picture
MIN_FRAMES = 2
ATTEMPTS = ((0.6, 0.6), (0.4, 0.0), (inf, 0.0))
"""For each attempt its share of the processor time, and the share of its frames that the next attempt has.

The second attempt has less time than the first. The last one has the fewest frames, and cannot fail.
"""


@dataclass(frozen=True, slots=True)
class ClipSection:
    """A round of a match, or some turns: its title, and the moments before its first and after its last move."""

    title: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Clip:
    """A drawn clip: the GIF with its digest, its alt text, its number of frames, and the titles of all sections."""

    content: bytes
    digest: str
    alt: str
    frames: int
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClipMoment:
    """A move that a clip may show: how much it matters, its pictures, its caption, and its events in sentences.

    Each sentence comes with how much its event matters. `number` is that of the move, from 1.
    """

    weight: int
    steps: tuple[ClipStep, ...]
    caption: str = ""
    sentences: tuple[tuple[int, str], ...] = ()
    number: int = 0

    @property
    def without_motion(self) -> ClipMoment:
        """The moment with still pictures alone."""
        still = tuple(step for step in self.steps if not step.is_motion)
        return replace(self, steps=still or self.steps[-1:])


@dataclass(frozen=True, slots=True)
class ClipPlan:
    """Everything that a clip could show: its heading, the moment with which it begins, and those after it.

    The clip of a section begins with the table before its first move. The banner of a result lies on the last picture.
    `sections` has the titles of all sections of the match.
    """

    heading: str
    opening: ClipMoment
    moments: tuple[ClipMoment, ...]
    banner: ResultBanner | None
    sections: tuple[str, ...]

    def choose_moments(self, most: int) -> list[ClipMoment]:
        """Return the moments that follow the opening in a clip of at most `most` frames."""
        return choose_moments(self.moments, most - len(self.opening.steps))


def make_clip(game: AnyGame, screen: GameScreen, layouts: Layouts, saved: SavedMatch, chosen: int) -> Clip | None:
    """Return the clip of a section, from 1, or of the whole match; None if there is no such section. For a worker."""
    return clip_of(ReplayedMatch.from_saved(game, saved), screen, Studio([layouts]), chosen)


def clip_of(match: ReplayedMatch, screen: GameScreen, studio: Studio, chosen: int = WHOLE_MATCH) -> Clip | None:
    """Return the clip of a section, or of the whole match, with as many frames as the limits allow."""
    plan = plan_clip(match, screen, chosen)
    return None if plan is None else _draw_plan(plan, studio)


def plan_clip(match: ReplayedMatch, screen: GameScreen, chosen: int = WHOLE_MATCH) -> ClipPlan | None:
    """Return everything that a clip could show; None if there is no such section."""
    views = list(match.public_views())
    sections = clip_sections([screen.section_title(view) for view in views[:-1]])
    if not WHOLE_MATCH <= chosen <= len(sections):
        return None
    chosen_section = (
        sections[chosen - 1] if chosen != WHOLE_MATCH else ClipSection("the moments that mattered", 0, match.last)
    )
    context = plain_context(match)
    opening = ClipMoment(ALWAYS, table_steps(screen, views[chosen_section.first], context))
    moments = tuple(_iterate_moments(match, screen, context, views, chosen_section))
    if chosen == WHOLE_MATCH and (first := _first_moment(match, screen, views, moments)) is not None:
        begin = moments[first]
        steps = begin.steps or table_steps(screen, views[begin.number], context)
        still = [step for step in steps if not (step.is_motion or step.silent)]
        opening = replace(begin, steps=((still or steps)[-1],))  # the last one shows what the caption tells
        moments = moments[first + 1 :]
    return ClipPlan(
        heading=f"{match.game.title}, {chosen_section.title[0].lower()}{chosen_section.title[1:]}.",
        opening=opening,
        moments=moments,
        banner=_result_banner(match, screen, context, views[-1]) if chosen_section.last == match.last else None,
        sections=tuple(section.title for section in sections),
    )


def _draw_plan(plan: ClipPlan, studio: Studio) -> Clip:
    """Draw a clip. If it would pass a limit, draw it again with fewer frames; the last attempt cannot fail."""
    most = MAX_FRAMES
    for share, next_share in ATTEMPTS:
        moments = plan.choose_moments(most)
        frames = clip_frames([plan.opening, *moments], plan.banner)
        try:
            content = draw_clip(frames, studio, seconds=share * MAX_SECONDS)
        except ClipTooLarge as error:
            most = max(MIN_FRAMES, int(error.frames * next_share))
        else:
            break
    digest = blake2b(content, digest_size=16).hexdigest()
    return Clip(content, digest, clip_alt(plan.heading, [plan.opening, *moments]), len(frames), plan.sections)


def clip_sections(titles: Sequence[str]) -> tuple[ClipSection, ...]:
    """Return the sections of a match from the title of the section to which each move belongs.

    Neighbours are joined if there are too many, or if they have few moves, such as single turns.
    """
    starts = [at for at, title in enumerate(titles) if at == 0 or titles[at - 1] != title]
    joined = max(ceil(len(starts) / MAX_SECTIONS), ceil(MIN_MOVES * len(starts) / len(titles)))
    found = []
    for number in range(0, len(starts), joined):
        first, last = starts[number], starts[min(number + joined, len(starts)) - 1]
        title = titles[first] if first == last else f"{titles[first]} to {titles[last][0].lower()}{titles[last][1:]}"
        found.append(ClipSection(title, first, [*starts, len(titles)][min(number + joined, len(starts))]))
    return tuple(found)


def plain_context(match: ReplayedMatch) -> Context:
    """Return the names for pictures and alt texts: those of plates, without markdown."""
    context = screen_context(match.snapshot(match.last))
    return replace(context, names=context.plate_names, short_names=context.plate_names)


def _iterate_moments(
    match: ReplayedMatch, screen: GameScreen, context: Context, views: Sequence[Any], section: ClipSection
) -> Iterator[ClipMoment]:
    """Yield the moments of the moves in a section: those in which something is to be seen, and the last one."""
    weight_of = event_weights(screen)
    for number in range(section.first + 1, section.last + 1):
        events = [each.event for each in match.events_of(number) if each.event.is_visible_to(None)]
        weight = max(map(weight_of, events), default=UNSEEN)
        if weight > UNSEEN or number == section.last:
            steps = move_steps(screen, views[number - 1], events, views[number], context)
            visible = [event for event in events if weight_of(event) > UNSEEN] or events
            narrated = ((weight_of(event), screen.narrate(event, context)) for event in visible)
            sentences = tuple((matters, sentence) for matters, sentence in narrated if sentence)
            yield ClipMoment(weight, steps, _caption(visible, screen, context), sentences, number)


def turning_point(match: ReplayedMatch, screen: GameScreen, views: Sequence[Any]) -> int:
    """Return the move after which the winners' lead over the best other seat grew most, of those before the end.

    The first one counts of several that are equal. 0 if there is none, or if nobody can see how a match stands.
    """
    outcome = match.snapshot(match.last).outcome()
    if outcome is None or len(outcome.winners) == len(outcome.places) or not isinstance(screen, TellsStandings):
        return 0
    leads = [_lead(screen.standings(view), outcome.winners) for view in views[:-1]]
    growth = [after - before for before, after in pairwise(leads)]
    most = max(growth, default=0)
    return growth.index(most) + 1 if most > 0 else 0


def _lead(standings: Sequence[float], winners: Sequence[int]) -> float:
    """Return how far the last of the winners is ahead of the best other seat."""
    others = [points for seat, points in enumerate(standings) if seat not in winners]
    return min(standings[seat] for seat in winners) - max(others)


def _first_moment(
    match: ReplayedMatch, screen: GameScreen, views: Sequence[Any], moments: Sequence[ClipMoment]
) -> int | None:
    """Return the place of the moment with which the clip of a match begins; None if it has only one.

    It is the turning point. If there is none, or if too few moments follow it, it is the first of the moments that
    matter most and that enough others follow.
    """
    if len(moments) < 2:
        return None
    early = moments[: max(1, len(moments) - MOMENTS_AFTER)]
    if turned := turning_point(match, screen, views):
        place = next((place for place, moment in enumerate(early) if moment.number >= turned), None)
        if place is not None:
            return place
    return max(range(len(early)), key=lambda place: early[place].weight)


def _result_banner(match: ReplayedMatch, screen: GameScreen, context: Context, view: Any) -> ResultBanner | None:
    outcome = match.snapshot(match.last).outcome()
    picture = None if outcome is None else screen.result(view, outcome, context).picture
    banner = getattr(picture and picture.spec, "banner", None)
    return banner if isinstance(banner, ResultBanner) else None


def _caption(events: Sequence[Event], screen: GameScreen, context: Context) -> str:
    """Return a move in a few words: its events briefly, or else the one that matters most in a sentence."""
    brief = [text for event in events if (text := screen.narrate_briefly(event, context))]
    ranked = sorted(events, key=event_weights(screen), reverse=True)
    whole = next((text for event in ranked if (text := screen.narrate(event, context))), "")
    caption = (" ".join(join_clauses(brief, context.short_names)) or whole).removesuffix(".")
    return "".join(sign for sign in caption if has_all_signs(sign))


def choose_moments(moments: Sequence[ClipMoment], most: int) -> list[ClipMoment]:
    """Return the moments to show in at most `most` pictures, oldest first. The last one is always there.

    What matters more comes first. All moments that matter equally are shown or none, because a trick with some of its
    cards would confuse. Only if more than half of the clip would be empty, some of them are shown, evenly spread.
    """
    last = moments[-1]
    chosen = {len(moments) - 1: last if len(last.steps) <= most else replace(last, steps=last.steps[-1:])}
    for weight in (ALWAYS, USUAL, DETAIL):
        more = {at: moment for at, moment in enumerate(moments) if moment.weight == weight and at not in chosen}
        still = {at: moment.without_motion for at, moment in more.items()}
        room = most - _count_steps(chosen)
        if _count_steps(more) <= room:
            chosen |= more
        elif weight == ALWAYS and _count_steps(still) <= room:
            chosen |= still
        else:
            chosen |= _pick_evenly(more, room) if 2 * room > most else {}
            break
    return [chosen[at] for at in sorted(chosen)]


def _pick_evenly(moments: Mapping[int, ClipMoment], room: int) -> dict[int, ClipMoment]:
    """Return some of the moments, in at most `room` pictures."""
    places = list(moments)
    count = room // max(len(moment.steps) for moment in moments.values())
    chosen = (places[number * len(places) // count] for number in range(count))
    return {at: moments[at] for at in chosen}


def _count_steps(moments: Mapping[int, ClipMoment]) -> int:
    return sum(len(moment.steps) for moment in moments.values())


def clip_frames(moments: Sequence[ClipMoment], banner: ResultBanner | None = None) -> list[ClipFrame]:
    """Return the frames of these moments. The last one stays for long and shows the banner of a result, if any.

    A moment that begins with the picture before it does not repeat that.
    """
    frames: list[ClipFrame] = []
    for moment in moments:
        for step in moment.steps:
            if not frames or frames[-1].spec != step.spec or step is moment.steps[-1]:
                frames.append(ClipFrame(step.spec, step.milliseconds, "" if step.silent else moment.caption))
    return [*frames[:-1], replace(frames[-1], milliseconds=LAST_MILLISECONDS, banner=banner)]


def clip_alt(heading: str, moments: Sequence[ClipMoment]) -> str:
    """Return a clip in words: all its events if they fit, or those that matter, and in any case the end."""
    *others, last = moments
    end = " ".join(sentence for _, sentence in last.sentences)
    alt = f"{heading} {end}".strip()
    for weight in (DETAIL, USUAL, ALWAYS):
        sentences = [sentence for moment in others for matters, sentence in moment.sentences if matters >= weight]
        alt = " ".join(filter(None, (heading, *sentences, end))) if sentences else alt
        if len(alt) <= ALT:
            return alt
    return f"{alt[: ALT - len(end) - 3].rpartition('. ')[0]}. … {end}"
