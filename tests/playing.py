"""Whole matches of any game, made by what stands on messages: clicks, lists, steps and picks; or by commands."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cache

from bench.bot import taps
from cogs.screens.screen import Picks
from cogs.table.commands.game_commands import Number
from cogs.table.pages import custom_ids
from cogs.table.wording import narration
from engines.hosting.match import MatchSnapshot
from engines.hosting.records import record
from engines.store.match_store import Status
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.secrets import PlannedMove, plan_match
from tests.game_uis import GAME_UIS
from tests.games import GAMES
from tests.messages import (
    RESULT_BUTTONS,
    SELECT,
    Message,
    alt_texts,
    button_labels,
    control_ids,
    kind_of,
    message_text,
    walk_components,
)

SEED_COUNT = 150
"""How many matches are dealt to find the shortest one with every kind of decision."""
ClickControl = Callable[[Message, str, Sequence[str] | None], Awaitable[Message]]
"""Press a button or pick lines of a list; the message as it stands then."""
PauseBetween = Callable[[Message], Awaitable[None]]


@cache
def short_match(helper: GameHelper, seats: int) -> tuple[MatchStart, Sequence[PlannedMove]]:
    """A random match with every kind of decision that matches of so many come to, as short as they are."""
    options = helper.game.options(**helper.short_options)
    starts = [MatchStart(seats, options, f"{number:032x}") for number in range(SEED_COUNT)]
    plans = [(start, plan_match(helper, start, 0, from_deal=True)) for start in starts]
    kinds = frozenset[str]().union(*(_decision_kinds(helper, plan) for _, plan in plans))
    return min((each for each in plans if _decision_kinds(helper, each[1]) == kinds), key=lambda each: len(each[1]))


def _decision_kinds(helper: GameHelper, plan: Sequence[PlannedMove]) -> frozenset[str]:
    return frozenset(kind for step in plan for kind in due_kinds(helper, step))


def due_kinds(helper: GameHelper, step: PlannedMove) -> Iterator[str]:
    return (decision.kind for decision in helper.game.decisions(step.state).values() if decision.due)


# By messages


async def make_move(
    click: ClickControl,
    hand: Message,
    snapshot: MatchSnapshot,
    step: PlannedMove,
    between: PauseBetween | None = None,
    *,
    sure: bool = False,
) -> None:
    """Make a move by what stands on a hand, step by step; `between` happens on the way, if there is one.

    What asks first is answered by going back once, unless one is sure.
    """
    move = snapshot.game.format_move(step.move)
    prefix = f"{snapshot.info.id}:{snapshot.decisions()[step.seat].number}"
    way = hand_path_to(snapshot, step.seat, move)
    for depth in range(len(way.step_keys)):
        path = "/".join(way.step_keys[: depth + 1])
        onward = f"n:{prefix}:{path}"
        listed = onward not in control_ids(hand)
        hand = await click(hand, _list_with(hand, "f", path) if listed else onward, [path] if listed else None)
        if between is not None:
            await between(hand)
    if way.picks is not None:
        await _make_picks(click, hand, prefix, way.picks, way.tokens, move)
    elif f"m:{prefix}:{move}" in control_ids(hand):
        await click(hand, f"m:{prefix}:{move}", None)
    elif f"c:{prefix}:{move}" in control_ids(hand):
        question = await click(hand, f"c:{prefix}:{move}", None)
        if sure:
            await click(question, f"m:{prefix}:{move}", None)
        else:
            (back,) = [custom_id for custom_id in control_ids(question) if custom_id.endswith(":return")]
            hand_again = await click(question, back, None)  # the hand stands where it asked
            await click(await click(hand_again, f"c:{prefix}:{move}", None), f"m:{prefix}:{move}", None)
    elif any(move in values for _, values in _lists(hand, "s")):
        await click(hand, _list_with(hand, "s", move), [move])
    else:
        value = custom_ids.instant_move_value(move)
        await click(hand, _list_with(hand, "f", value), [value])


async def _make_picks(
    click: ClickControl, hand: Message, prefix: str, picks: Picks, tokens: Sequence[str], move: str
) -> None:
    lines = taps.at_once(picks, tokens)
    if lines:
        hand = await click(hand, f"p:{prefix}:{picks.verb}", lines[::-1])
    for number in range(len(lines) + 1, len(tokens) + 1):
        hand = await click(hand, f"o:{prefix}:{' '.join((picks.verb, *tokens[:number]))}", None)
    parts = [each for each in walk_components(hand["components"]) if each.get("custom_id")]
    enabled = [each["custom_id"] for each in parts if not each.get("disabled")]
    (confirm,) = [each for each in enabled if each.startswith(f"m:{prefix}:{picks.verb} ")]
    assert confirm == f"m:{prefix}:{move}", f"{confirm} in place of {move}"
    await click(hand, confirm, None)


def values_of(offered: Sequence[str], tokens: Sequence[str]) -> list[str]:
    left, found = list(offered), list[str]()
    for wanted in tokens:
        value = next(value for value in left if custom_ids.pick_token(value) == wanted)
        left.remove(value)
        found.append(value)
    return found


def _list_with(message: Message, kind: str, value: str) -> str:
    for custom_id, values in _lists(message, kind):
        if value in values:
            return custom_id
    raise AssertionError(f"nothing on the message leads to {value}")


def _lists(message: Message, kind: str) -> Iterator[tuple[str, list[str]]]:
    for each in walk_components(message["components"]):
        if each["type"] == SELECT and each["custom_id"].startswith(f"{kind}:"):
            yield str(each["custom_id"]), [option["value"] for option in each["options"]]


def hand_path_to(snapshot: MatchSnapshot, seat: int, move: str) -> taps.HandPath:
    around = narration.screen_context(snapshot)
    screen = GAME_UIS[snapshot.info.game].screen
    drawn = screen.hand(snapshot.view(seat), snapshot.decisions()[seat], snapshot.moves(seat), around)
    way = taps.find_hand_path(drawn.controls, move)
    assert way is not None, f"no control leads to {move}"
    return way


def first_tap(snapshot: MatchSnapshot, seat: int, move: str) -> tuple[str, Sequence[str] | None] | None:
    """What is tapped first on the way to a move, and the lines that are picked; None if one tap makes the move."""
    way, at = hand_path_to(snapshot, seat, move), (snapshot.info.id, snapshot.decisions()[seat].number)
    if way.step_keys:
        return custom_ids.next_step_id(*at, way.step_keys[:1]), None
    if way.picks is None:
        return None
    if lines := taps.at_once(way.picks, way.tokens):
        return custom_ids.picks_id(*at, way.picks.verb), lines
    return custom_ids.picks_order_id(*at, f"{way.picks.verb} {way.tokens[0]}"), None


# By commands


def move_command(key: str, notation: str) -> tuple[str, dict[str, str | int]]:
    """The command that makes a move, and its options: that of its verb, if it has one, else `move`."""
    verb, *words = notation.split()
    own = [each for each in GAME_UIS[key].cog_class.verbs if each.name == verb]
    if not own:
        return f"{key} move", {"move": notation}
    (known,) = own
    names = [name.rstrip("_") for name in known.options]
    parts = [*words[: len(names) - 1], " ".join(words[len(names) - 1 :])] if names else []
    kinds = [isinstance(option, Number) for option in known.options.values()]
    every = zip(names, parts, kinds, strict=True)
    return f"{key} {verb}", {name: int(part) if number else part for name, part, number in every if part}


# At the end


def check_ending(
    snapshot: MatchSnapshot,
    table: Message,
    lobby: Message,
    hands: Sequence[Message],
    names: Sequence[str],
    files: Sequence[bytes],
) -> None:
    """A match that is over says so everywhere, with everybody's points, and hands out the record, which replays."""
    outcome = snapshot.outcome()
    assert snapshot.info.status is Status.OVER
    assert outcome is not None
    result_texts = "\n".join([message_text(table), *alt_texts(table)])
    for seat, name in enumerate(names):
        points = str(outcome.points[seat]).replace("-", "−")
        line = re.search(rf"{name}\W*[^.]*?(?<!\d){points}(?!\d)", result_texts)
        assert line, f"{name}'s {points} are not told"
    assert button_labels(table) == RESULT_BUTTONS
    winners = [names[seat] for seat in outcome.winners]
    for message in (lobby, *hands):
        assert re.search("wins with|share the win with", message_text(message)), message_text(message)
        assert all(name in message_text(message) for name in winners)
        assert not [custom_id for custom_id in control_ids(message) if kind_of(custom_id) in {*"mcspofng"}]
    assert "the match is over" in message_text(lobby)
    attached = [each["filename"] for each in table["attachments"]]
    assert f"{snapshot.info.game}-{snapshot.info.id}.txt" in attached
    assert [name for name in attached if name.endswith(".png")]
    (paper,) = [each for each in files if not each.startswith(b"\x89PNG")]
    assert record.replay(record.parse_record(paper.decode()), GAMES).state == snapshot.state
