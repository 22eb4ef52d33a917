"""Positions of Jesters from a line of text, and how tests move on from there.

`hands: 1 5 / 20 | dice: 2 red blue / green | board: 13 20 27 7` is an open turn of seat 0 in the first round. Groups of
seats are parted by strokes, and seats left out have nothing. The keys:

- `seats` (3), `turn` (0), `first` (0), `round` (1)
- `hands`: Jest cards by seat; `draw`: the draw pile, its top first (all that are left); `discard` (none)
- `dice`: by seat; the middle has the rest
- `board`, `pile` (its top first; all that are left), `completed` by seat
- `favorite` (1), `favorites` (its pile, the top first), `placed`
- `gifts` by seat, `gift pile` (its top first; all that are left), `used`
- `failures`, `fame`: numbers by seat; `passed`, `done`: seats in order
- `perform`: an attempt under way: `13 R3 B5 B1` or `favorite P6`; seat 0 has these dice besides `dice`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random

from engines.jesters import JESTERS, model, prospects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import Adjust, Effect
from engines.jesters.model import FinalScoring, Finish, Learn, Mark, Move, Options, Perform, Reroll, Roll, State
from engines.jesters.requirements.evaluation import Requirement, is_met
from engines.jesters.view import View
from engines.kit.chance import Chance
from tests.engines.position_tools import PositionTools, parse_facts

SEED = "c0ffee00" * 4
COLOURS = ("red", "blue", "green", "purple")
FACT_KEYS = {
    *("seats", "turn", "first", "round", "hands", "draw", "discard", "dice", "board", "pile", "completed"),
    *("favorite", "favorites", "placed", "gifts", "gift pile", "used", "failures", "fame", "passed", "done", "perform"),
}
TOOLS = PositionTools(JESTERS)
seat_to_act, legal_notations = TOOLS.seat_to_act, TOOLS.legal_notations
play_moves, expect_refusal = TOOLS.play_moves, TOOLS.expect_refusal


class LoadedChance(Chance):
    def __init__(self, faces: Iterable[int]) -> None:
        super().__init__(SEED)
        self.faces = list(faces)

    def roll_die(self) -> int:
        return self.faces.pop(0) if self.faces else super().roll_die()


def parse_position(text: str = "", rolls: str = "") -> State:
    """The state behind such a line, in which the next dice show `rolls`. Raises ValueError if it makes no sense."""
    facts = parse_facts(text.split("|"), FACT_KEYS)
    seats = int(facts.get("seats", "3"))
    state = JESTERS.start(seats, Options(), Chance(SEED))
    state.chance = LoadedChance(_parse_numbers(rolls))
    state.turn, state.first = int(facts.get("turn", "0")), int(facts.get("first", "0"))
    state.round = int(facts.get("round", "1"))
    state.failures, state.fame = (
        [*_parse_numbers(facts.get(key, "")), *[0] * seats][:seats] for key in ("failures", "fame")
    )
    state.passed, state.done = (_parse_numbers(facts.get(key, "")) for key in ("passed", "done"))
    _lay_cards(state, facts, seats)
    _lay_dice(state, facts, seats)
    return state


def _lay_cards(state: State, facts: dict[str, str], seats: int) -> None:
    state.hands = [sorted(hand) for hand in _by_seat(facts, "hands", seats)]
    state.discard = _parse_numbers(facts.get("discard", ""))
    state.draw = _make_pile(facts, "draw", range(1, 51), [*_flatten(state.hands), *state.discard])
    state.favorite = int(facts.get("favorite", "1"))
    state.placed = _parse_numbers(facts.get("placed", ""))
    state.favorites = _make_pile(facts, "favorites", range(1, 6), [state.favorite, *state.placed])
    state.completed = _by_seat(facts, "completed", seats)
    left = [number for number in range(1, 39) if number not in _flatten(state.completed)]
    state.board = _parse_numbers(facts["board"]) if "board" in facts else left[: seats + 1]
    state.pile = _make_pile(facts, "pile", left, state.board)
    state.gifts = _by_seat(facts, "gifts", seats)
    state.gift_pile = _make_pile(facts, "gift pile", range(1, 26), _flatten(state.gifts))
    state.used = _parse_numbers(facts.get("used", ""))


def _lay_dice(state: State, facts: dict[str, str], seats: int) -> None:
    groups = facts.get("dice", "").split("/")
    state.dice = [_parse_dice(group) for group in [*groups, *[""] * seats][:seats]]
    if "perform" in facts:
        target, *dice = facts["perform"].split()
        state.target = model.FAVORITE_TARGET if target == "favorite" else int(target)
        state.phase = "attempt"
        state.own = ["RBGP".index(die[0]) for die in dice]
        state.colours, state.faces = state.own.copy(), [int(die[1]) for die in dice]
        for colour in state.own:
            state.dice[state.turn][colour] += 1
    state.middle = [seats + 1 - sum(column) for column in zip(*state.dice, strict=True)]
    if min(state.middle) < 0:
        raise ValueError(f"the middle would have {state.middle}")


def performance_with(requirement: str) -> int:
    return next(each.id for each in catalogue.all_components().performances if str(each.requirement) == requirement)


def favorite_with(requirement: str) -> int:
    return next(each.id for each in catalogue.all_components().favorites if str(each.requirement) == requirement)


def card_with(top: str = "", bottom: str = "", nth: int = 0) -> int:
    """The first Jest card with those halves (`red any`, `±2 blue`, `turn any`), or the one so many later."""
    words = (*COLOURS, "any")
    fitting = []
    for each in catalogue.all_components().jest_cards:
        below = each.bottom
        effect = f"±{below.amount}" if isinstance(below, Adjust) else "turn"
        halves = " ".join(words[colour] for colour in each.top), f"{effect} {words[below.colour]}"
        if top in ("", halves[0]) and bottom in ("", halves[1]):
            fitting.append(each.id)
    return fitting[nth]


def gift_with(effect: Effect, nth: int = 0) -> int:
    """The first Gift that does that, or the one so many later."""
    return [each.id for each in catalogue.all_components().gifts if each.effect == effect][nth]


def dice_meeting(requirement: Requirement) -> str:
    """Dice that meet it: `R3 B5 G1`."""
    rng = Random(3)
    for tries in range(100_000):
        found = [(rng.randrange(4), rng.randint(1, 6)) for _ in range(1 + tries // 20_000 + rng.randrange(3))]
        if is_met(requirement, found) and all(sum(own == colour for own, _ in found) <= 3 for colour in range(4)):
            return " ".join(f"{'RBGP'[colour]}{face}" for colour, face in sorted(found))
    raise AssertionError("no dice meet it")


def choose_purposeful(state: State, rng: Random, purpose: float) -> Move:
    """A move of one who, as often as `purpose` says, works towards a success; else any."""
    moves = JESTERS.moves(state, state.turn)
    if rng.random() < purpose:
        wanted = _wanted_moves(state, moves, rng)
        if wanted:
            return rng.choice(wanted)
    return rng.choice(moves)


def completing_moves(view: View, moves: Iterable[Move]) -> list[Move]:
    """Of these moves of an attempt, the ones after which the dice meet the requirement without any more luck."""
    requirement = prospects.attempted_task(view).requirement
    after = ((move, prospects.dice_after_move(view, move)) for move in moves)
    return [move for move, dice in after if dice is not None and is_met(requirement, dice)]


def _wanted_moves(state: State, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
    """Learn up to four dice, perform with all of them, and finish what is done; do not pass while there is a choice."""
    view = JESTERS.view(state, state.turn)
    kinds = {kind: [move for move in moves if isinstance(move, kind)] for kind in (Learn, Perform, Mark, Roll, Reroll)}
    match state.phase:
        case "turn":
            number = sum(view.dice[state.turn])
            every = [move for move in kinds[Perform] if isinstance(move, Perform) and sum(move.dice) == number]
            return every if every and (number > 3 or not kinds[Learn]) else kinds[Learn]
        case "attempt":
            if prospects.meets_requirement(view):
                return [Finish()]
            return completing_moves(view, moves) or kinds[Reroll]
        case "mark":
            return kinds[Roll] if rng.random() < 0.4 else kinds[Mark]
    return ()


def _flatten(groups: Iterable[Iterable[int]]) -> list[int]:
    return [number for group in groups for number in group]


def _parse_numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def _by_seat(facts: dict[str, str], key: str, seats: int) -> list[list[int]]:
    groups = facts.get(key, "").split("/")
    return [_parse_numbers(group) for group in [*groups, *[""] * seats][:seats]]


def _make_pile(facts: dict[str, str], key: str, every: Iterable[int], used: Sequence[int]) -> list[int]:
    """The pile told of, its top last; else all that are nowhere else, shuffled."""
    if key in facts:
        return _parse_numbers(facts[key])[::-1]
    left = [number for number in every if number not in used]
    Random(5).shuffle(left)
    return left


def _parse_dice(text: str) -> list[int]:
    """`2 red blue` by colour."""
    counts = [0, 0, 0, 0]
    for number, colour in re.findall(r"(\d*)\s*([a-z]+)", text):
        counts[COLOURS.index(colour)] += int(number or "1")
    return counts


def owned_dice_text(state: State, seat: int = 0) -> str:
    """A seat's dice: `2 red blue`."""
    return _dice_text(state.dice[seat])


def middle_dice_text(state: State) -> str:
    return _dice_text(state.middle)


def _dice_text(counts: Sequence[int]) -> str:
    pairs = zip(counts, COLOURS, strict=True)
    return " ".join(colour if number == 1 else f"{number} {colour}" for number, colour in pairs if number)


def attempt_dice_text(state: State) -> str:
    """The dice of the attempt as everybody sees them: `R3 B5`."""
    attempt = JESTERS.view(state, None).attempt
    return "" if attempt is None else " ".join(f"{'RBGP'[die.colour]}{die.face}" for die in attempt.dice)


def table_view(state: State) -> View:
    return JESTERS.view(state, None)


def final_of(state: State) -> FinalScoring:
    scored = table_view(state).final
    assert scored is not None
    return scored


def asked_decision(state: State) -> str:
    (decision,) = JESTERS.decisions(state).values()
    return decision.kind


def position_after(text: str, *moves: str, rolls: str = "") -> State:
    state = parse_position(text, rolls)
    play_moves(state, *moves)
    return state


def refusal_reason(state: State, move: str | Move, seat: int | None = None) -> str:
    return expect_refusal(state, move, seat).reason
