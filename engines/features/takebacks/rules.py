"""What a player may take back, whether the others need not be asked, and whom they have to ask. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from engines.hosting.feature import Feature
from engines.hosting.match import RequestRefused, status_sentence
from engines.hosting.match_loading import replay_history
from engines.hosting.undoing import UndoPlan
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import MatchInfo, Move, SavedMatch, Status
from engines.store.owner_settings import OwnerSetting, OwnerSettings
from engines.store.table_options import TableOption
from engines.store.undoing import Undo

WORLDS = 16  # sampled worlds in which a move must be legal so that it tells nothing about the hand
NOTHING_MADE = "You have made no move that could be taken back."
CAME_TO_LIGHT = "That move cannot be taken back, because it revealed something. {}"
MOVED_SINCE = "{} has moved since, so your move stands."
CHOOSE_AGAIN = (
    "Nobody else knows that you changed that choice, and they would notice that you took it back. "
    "Choose again on your hand instead."
)
RAN_OUT = "{}'s time has run out since, and the computer moved, so your move stands."
NEVER = "Moves cannot be taken back at this table. Its host chose that before the start."
FREE_ONLY = (
    "At this table you can take a move back only if the others have seen nothing new and it is still your turn, or if "
    "your choice is still secret. Its host chose that before the start."
)
TakeBackChoice = Literal["by consent", "free only", "never"]
TAKEBACKS: TableOption[TakeBackChoice] = TableOption(
    name="takebacks",
    label="Take-backs",
    default="by consent",
    values=get_args(TakeBackChoice),
    description="When a player can take a move back",
    rank=60,
    always_stored=True,
    paces={"to-learn": "by consent"},
    value_texts={"free only": "only if nothing was revealed"},
    phrases={"free only": "take-backs if nothing was revealed", "never": "no take-backs"},
)
_Times = Annotated[int, Field(ge=1, le=10_000)]
PER_DECISION: OwnerSetting[int] = OwnerSetting("take_backs_per_decision", _Times, 1)
PER_MATCH: OwnerSetting[int] = OwnerSetting("take_backs_per_match", _Times, 2)


def is_free(game: AnyGame, before: Any, move: Any, after: Any, seat: int, reveals: Collection[int]) -> bool:
    """Whether a seat may take back one move without asking the others.

    `before` and `after` are the states around that move, and `reveals` is what the game says of it. It is free if it
    reveals nothing, shows nobody a part of the mover's hand, and the match still waits for nobody but that seat. A
    sealed choice is free as well: others still choose, and cannot see what this seat chose.
    """
    if reveals:
        return False
    due = [other for other, decision in game.decisions(after).items() if decision.due]
    if due == [seat]:
        return not shows_hand(game, before, seat, move)
    return _is_sealed(game, before, after, seat)


def shows_hand(game: AnyGame, state: Any, seat: int, move: Any) -> bool:
    """Whether a legal move tells spectators that the seat could make it, as a card that it plays does.

    They knew it if the move is legal in every world behind their view. Of those, `WORLDS` are sampled.
    """
    sample = game.sampler(game.view(state, None))
    return not all(_is_legal(game, sample(Chance(f"{number:032x}")), seat, move) for number in range(WORLDS))


def _is_legal(game: AnyGame, state: Any, seat: int, move: Any) -> bool:
    try:
        game.check(state, seat, move)
    except IllegalMove:
        return False
    return True


def _is_sealed(game: AnyGame, before: Any, after: Any, seat: int) -> bool:
    """Whether others decide at the same time, and see the same after any other choice of this seat."""
    others = [other for other in game.decisions(before) if other != seat]
    if not others:
        return False
    readers = (None, *others)
    views_after = [game.view(after, reader) for reader in readers]
    states = [game.state_after(before, seat, move) for move in game.moves(before, seat)]
    return all([game.view(state, reader) for reader in readers] == views_after for state in states)


@dataclass(frozen=True, slots=True)
class TakeBackLimits:
    """How often a person may ask the others: about one move, and in one match."""

    per_decision: int = 1
    per_match: int = 2


@dataclass(frozen=True, slots=True)
class TakeBackPlan(UndoPlan):
    """What a take-back would do. If it is free, nobody has to agree; otherwise `seats` do."""

    is_free: bool
    seats: tuple[int, ...]


def plan_take_back(game: AnyGame, info: MatchInfo, saved: SavedMatch, user: int) -> TakeBackPlan:
    """Return what it would do if this person took back their newest move. Raises RequestRefused, saying why not."""
    seat = info.seat_of(user)
    if seat is None:
        raise RequestRefused("You are not sitting at this table.")
    if info.status is not Status.RUNNING:
        raise RequestRefused(status_sentence(info), has_names=True)
    if info.table_options.of(TAKEBACKS) == "never":
        raise RequestRefused(NEVER)
    in_force = saved.in_force()
    place = next((i for i in reversed(range(len(in_force))) if _is_own(in_force[i], seat, user)), None)
    if place is None:
        raise RequestRefused(NOTHING_MADE)
    tail = in_force[place:]
    is_alone = [number for number, each in enumerate(info.seats) if each.has_owner] == [seat]
    states = _states_around(game, saved, in_force, place)
    around = zip(states[:-1], tail, strict=True)
    reveals = [game.reveals(state, row.seat, game.parse_move(row.notation)) for state, row in around]
    learners = frozenset().union(*reveals)
    newest = game.parse_move(tail[0].notation)
    free = all(row.seat == seat for row in tail) and is_free(game, states[0], newest, states[-1], seat, learners)
    only = not free and _stays_sealed(game, states, tail, reveals)
    others = (None, *(number for number in range(len(info.seats)) if number != seat))
    if (free or only) and not _is_seen(game, states[0], states[1], others):
        raise RequestRefused(CHOOSE_AGAIN)  # everybody is told of a take-back, and so of the choice before
    if not free and not only and not is_alone:
        _require_nothing_against(game, info, seat, states, tail, reveals)
    row = Move(info.moves + 1, seat, tail[0].decision, str(Undo(tail[0].number, only)), user)
    base = game.checkpoint_adapter.validate_json(saved.base)
    undone = tuple(tail[:1] if only else tail)
    history = replay_history(game, base, (*saved.moves, row))
    seats = tuple(number for number, each in enumerate(info.seats) if each.owner_plays and number != seat)
    is_practice = is_alone and not free and not only
    due = [number for number, each in game.decisions(states[-1]).items() if each.due]
    is_sealed = only or (free and due != [seat])
    return TakeBackPlan(row, undone, history, is_sealed, is_practice, free or only or is_alone or not seats, seats)


def is_surely_refused(
    game: AnyGame, info: MatchInfo, saved: SavedMatch, user: int, unwilling: Collection[int], limits: TakeBackLimits
) -> bool:
    """Whether somebody at the table can tell that the others' moves, or their own, stand in the way of a take-back.

    It counts only what they see: a choice that another player changed in secret must not show in what is offered.
    """
    seat, in_force = info.seat_of(user), saved.in_force()
    place = next((i for i in reversed(range(len(in_force))) if _is_own(in_force[i], seat or 0, user)), None)
    if seat is None or place is None:
        return True
    states = _states_around(game, saved, in_force, place)
    tail = in_force[place:]
    reveals = [
        game.reveals(state, row.seat, game.parse_move(row.notation))
        for state, row in zip(states[:-1], tail, strict=True)
    ]
    changes = [*pairwise(states)]
    visible = [0, *(i for i in range(1, len(tail)) if _is_seen(game, *changes[i], (seat,)))]
    others = [number for number in range(len(info.seats)) if number != seat]
    if len(visible) == 1 and not _is_seen(game, *changes[0], (None, *others)):
        return True
    people = [number for number in others if info.seats[number].owner_plays]
    if not any(info.seats[number].has_owner for number in others) or _stays_sealed(game, states, tail, reveals):
        return False
    rows, learners = [tail[i] for i in visible], frozenset().union(*(reveals[i] for i in visible))
    newest = game.parse_move(tail[0].notation)
    if all(row.seat == seat for row in rows) and is_free(game, states[0], newest, states[-1], seat, learners):
        return False
    if any(row.user and not row.is_forced and (row.level or row.seat != seat) for row in rows) or learners:
        return True
    if not people:
        return False
    requests = info.undoing.asked_by(seat)
    return (
        info.table_options.of(TAKEBACKS) == "free only"
        or requests.count(rows[0].number) >= limits.per_decision
        or len(requests) >= limits.per_match
        or any(info.seats[number].user in unwilling for number in people)
    )


def _is_own(row: Move, seat: int, user: int) -> bool:
    """Whether a person chose this move at their seat."""
    return (row.seat, row.user, row.level) == (seat, user, "")


def _states_around(game: AnyGame, saved: SavedMatch, in_force: Sequence[Move], place: int) -> list[Any]:
    """Return the states before each of the moves from that place on, and the last state."""
    state = game.checkpoint_adapter.validate_json(saved.base)
    states = []
    for number, row in enumerate(in_force):
        if number >= place:
            states.append(game.copy(state))
        game.play(state, row.seat, game.parse_move(row.notation))
    return [*states, state]


def _stays_sealed(
    game: AnyGame, states: Sequence[Any], tail: Sequence[Move], reveals: Sequence[frozenset[int]]
) -> bool:
    """Whether the first move is a sealed choice that can be taken back alone, because the others' choices stay."""
    own = tail[0]
    if len(tail) < 2 or any(reveals) or any(row.seat == own.seat for row in tail[1:]):
        return False
    if not is_free(game, states[0], game.parse_move(own.notation), states[1], own.seat, frozenset()):
        return False
    state = game.copy(states[0])
    try:
        for row in tail[1:]:
            move = game.parse_move(row.notation)
            game.check(state, row.seat, move)
            game.play(state, row.seat, move)
    except IllegalMove:
        return False
    decision = game.decisions(states[0])[own.seat]
    return {**game.decisions(states[-1]), own.seat: decision} == {**game.decisions(state)}


def _is_seen(game: AnyGame, before: Any, after: Any, readers: Iterable[int | None]) -> bool:
    """Whether any of these readers sees a difference between two states."""
    return any(game.view(before, reader) != game.view(after, reader) for reader in readers)


def _require_nothing_against(
    game: AnyGame,
    info: MatchInfo,
    seat: int,
    states: Sequence[Any],
    tail: Sequence[Move],
    reveals: Sequence[frozenset[int]],
) -> None:
    """Refuse if somebody else has moved since, or if something hidden came to light.

    It rather names somebody of whom the asker can see that they moved.
    """
    around = zip(tail, states, states[1:], strict=False)
    informed = [row for row, before, after in around if _is_seen(game, before, after, (seat,))]
    for row in (*informed, *tail):
        name = info.seats[row.seat].name
        if row.user and row.level and not row.is_forced:
            raise RequestRefused(RAN_OUT.format(name), has_names=True)
        if row.user and row.seat != seat and not row.is_forced:
            raise RequestRefused(MOVED_SINCE.format(name), has_names=True)
    for state, row, learners in zip(states, tail, reveals, strict=False):
        if learners:
            move = game.parse_move(row.notation)
            raise RequestRefused(CAME_TO_LIGHT.format(game.describe_reveal(state, row.seat, move, seat)))


class TakeBacksFeature(Feature):
    """The core stores the request with the match, because time rests while it is open."""

    name = "takebacks"
    table_options = (TAKEBACKS,)
    owner_settings = (PER_DECISION, PER_MATCH)


def limits_of(settings: OwnerSettings) -> TakeBackLimits:
    """Return how often a person may ask, as the owner has set it."""
    return TakeBackLimits(settings.of(PER_DECISION), settings.of(PER_MATCH))
