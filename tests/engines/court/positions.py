"""Positions of Jester's Court drawn as text, and how tests move on from there.

    position('''
            J K L M
        10  . . a .
        11  . A . .
        12  . . . B
        hands: 4H QS / 2C
        health: 6 1
    ''')

The board is a cut-out with its columns above and its rows to the left: `A`–`D` are the Mages of the seats in their
order, `a`–`d` their Menhirs. There are as many seats as Mages. A is in turn, in Phase One of its first turn. The other
lines are facts, by seat where they have a `/`:

- `hands`: the first cards of every hand (the rest of six, or of what Phase Two leaves, are filled in)
- `fill`: what hands are filled with: `number`, `other` (no number cards); else anything
- `health` (6 6 …), `banners` (`HD / - / S`), `rest`: Mages and Menhirs elsewhere (`B V22 c A1`)
- `phase`: `one` or `two`; `turn` (A), `order` (A B …), `turns` (1), `cap`, `goal` (4)
- `draw`: how many cards the draw pile has, and `top`: which come first; `pile`: the discard pile's top, in order.
  What is left over is in the draw pile, or with `draw` at the bottom of the discard pile
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

from engines.court import COURT, board, deck
from engines.court.board import OFF_BOARD
from engines.court.model import FULL_HEALTH, HAND_SIZE, MagesAttacked, Move, Options, State
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.engines.position_tools import PositionTools, parse_facts

SEED = "c0ffee00" * 4
SEATS = "ABCD"
TWO = "   K L\n9 A B\nphase: two\n"
THREE = "   K L M\n9 A B C\nphase: two\n"
FOUR = "   K L M N\n9 A B C D\nphase: two\n"
TOOLS = PositionTools(COURT, deck)
seat_to_act, legal_notations, play_moves = TOOLS.seat_to_act, TOOLS.legal_notations, TOOLS.play_moves
parse_cards, card_names = TOOLS.parse_cards, TOOLS.card_names
hand_names, pile_names = TOOLS.hand_names, TOOLS.pile_names
square_number, card_number = board.parse_square, deck.parse_card
FACT_KEYS = [
    "hands",
    "fill",
    "health",
    "banners",
    "rest",
    "phase",
    "turn",
    "order",
    "turns",
    "cap",
    "goal",
    "draw",
    "top",
    "pile",
]


def parse_position(text: str) -> State:
    """The state behind such a drawing. Raises ValueError if it makes no sense."""
    lines = [line for line in text.splitlines() if line.strip()]
    facts = parse_facts((line for line in lines if ":" in line), FACT_KEYS)
    pieces = _parse_pieces([line for line in lines if ":" not in line])
    pieces_elsewhere = facts.get("rest", "").split()
    pieces |= dict(zip(pieces_elsewhere[::2], map(board.parse_square, pieces_elsewhere[1::2]), strict=True))
    seats = max(SEATS.index(piece.upper()) for piece in pieces) + 1
    state = COURT.start(seats, Options(), Chance(SEED))
    state.owed.clear()
    state.mages = [pieces[mage] for mage in SEATS[:seats]]
    state.menhirs = [pieces.get(menhir.lower(), OFF_BOARD) for menhir in SEATS[:seats]]
    _set_turn(state, facts)
    _set_health_and_banners(state, facts)
    _set_cards(state, facts)
    return state


def check_board(state: State, drawing: str) -> None:
    expected = _parse_pieces(drawing.splitlines())
    assert standing_squares(state) == {piece: board.square_name(square) for piece, square in expected.items()}


def standing_squares(state: State) -> dict[str, str]:
    """The square of each Mage (`A`) and Menhir (`a`) that stands on the board."""
    pieces = [*zip(SEATS, state.mages, strict=False), *zip(SEATS.lower(), state.menhirs, strict=False)]
    return {piece: board.square_name(square) for piece, square in pieces if square != OFF_BOARD}


def finish_turn(state: State) -> list[Event]:
    """Let the turn go by: in Phase One the first that is legal, in Phase Two the first card discarded."""
    events: list[Event] = []
    turns = state.turns
    while COURT.decisions(state) and state.turns == turns:
        choices = legal_notations(state, "discard") or legal_notations(state)
        events += play_moves(state, choices[0])
    return events


def make_attack(state: State, text: str, dice: str) -> list[Event]:
    """Make an attack that rolls these dice, such as `5 / 3 / 5 5 2`: the attacker's, and every defender's."""
    wanted = [tuple(map(int, rolls.split())) for rolls in dice.split("/")]
    for number in range(60_000):
        state.chance = Chance(f"{number:032x}")
        (attacked,) = [e.attacked for e in play_moves(COURT.copy(state), text) if isinstance(e, MagesAttacked)]
        if [(attacked.roll,), *(defence.rolls for defence in attacked.defences)] == wanted:
            return play_moves(state, text)
    raise ValueError(f"these dice cannot be rolled: {dice}")


def asked_decision(state: State) -> str:
    """Decisions and their seats: `A move`, `B place`; `over`."""
    return "".join(f"{SEATS[seat]} {d.kind}" for seat, d in COURT.decisions(state).items()) or "over"


def expect_refusal(state: State, move: str | Move, seat: int | None = None) -> tuple[str | None, str]:
    """Try a move (of the seat to act, unless told) that is to be refused: the rule, and what is said."""
    refusal = TOOLS.expect_refusal(state, move, seat)
    parsed_move = COURT.parse_move(move) if isinstance(move, str) else move
    assert parsed_move not in COURT.moves(state, seat_to_act(state) if seat is None else seat)
    return refusal.rule, refusal.reason


def banner_text(state: State) -> str:
    """Everybody's banners: `HD / - / S`."""
    banners = COURT.view(state, None).banners
    return " / ".join("".join(letter for letter in "CDHS" if "CDHS".index(letter) in own) or "-" for own in banners)


def view_health(state: State) -> tuple[int, ...]:
    return COURT.view(state, None).health


def all_cards(state: State) -> Counter[int]:
    return Counter([*state.draw, *state.discard, *(card for hand in state.hands for card in hand)])


def _parse_pieces(lines: Iterable[str]) -> dict[str, int]:
    header, *rows = [line.split() for line in lines if line.strip()] or [[]]
    pieces: dict[str, int] = {}
    for row in rows:
        for column, piece in zip(header, row[1:], strict=True):
            if piece != ".":
                if piece in pieces or piece not in SEATS + SEATS.lower():
                    raise ValueError(f"{piece} cannot stand on {column}{row[0]}")
                pieces[piece] = board.parse_square(column + row[0])
    return pieces


def _set_turn(state: State, facts: Mapping[str, str]) -> None:
    seats = len(state.mages)
    state.order = [SEATS.index(letter) for letter in facts.get("order", " ".join(SEATS[:seats])).split()]
    state.turn = SEATS.index(facts.get("turn", "A"))
    state.phase = {"one": "move", "two": "hinder"}[facts.get("phase", "one")]  # type: ignore[assignment]
    state.turns = int(facts.get("turns", "1"))
    state.cap = int(facts["cap"]) if "cap" in facts else None
    state.goal = int(facts.get("goal", "4"))


def _set_health_and_banners(state: State, facts: Mapping[str, str]) -> None:
    seats = len(state.mages)
    state.health = [int(health) for health in facts.get("health", f"{FULL_HEALTH} " * seats).split()]
    banners = facts.get("banners", "/" * (seats - 1)).split("/")
    state.banners = [tuple(sorted(map("CDHS".index, own.strip(" -")))) for own in banners]
    if not len(state.health) == len(state.banners) == seats:
        raise ValueError("health and banners are told for every seat")


def _set_cards(state: State, facts: Mapping[str, str]) -> None:
    seats = len(state.mages)
    hands = [parse_cards(hand) for hand in facts.get("hands", "/" * (seats - 1)).split("/")]
    top, top_of_pile = parse_cards(facts.get("top", "")), parse_cards(facts.get("pile", ""))
    pack = Counter(deck.full_pack(seats))
    rest = list((pack - Counter([*top, *top_of_pile, *(card for hand in hands for card in hand)])).elements())
    Random(5).shuffle(rest)
    wanted = {"number": deck.NUMBER_CARDS, "other": set(range(deck.CARD_KINDS)) - deck.NUMBER_CARDS}.get(
        facts.get("fill", "")
    )
    for seat, hand in enumerate(hands):
        size = HAND_SIZE - 1 if state.phase == "hinder" and seat == state.turn else HAND_SIZE
        fitting = [card for card in rest if wanted is None or card in wanted]
        for card in fitting[: max(0, size - len(hand))]:
            rest.remove(card)
            hand.append(card)
    state.hands = [sorted(hand) for hand in hands]
    number = int(facts.get("draw", len(rest) + len(top))) - len(top)
    state.draw = [*rest[:number], *top[::-1]]
    state.discard = [*rest[number:], *top_of_pile]
    if all_cards(state) != pack:
        raise ValueError("more cards of a kind than there are")
