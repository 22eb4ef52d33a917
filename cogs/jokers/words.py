"""Jokers' table and hand in words: short lines that alone say all that the pictures say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.screens import words
from cogs.screens.screen import Context
from engines.jokers import deck
from engines.jokers.deck import DEPTH, JOKER
from engines.jokers.melds import Meld, Split, best, full
from engines.jokers.model import Score, View
from engines.jokers.scoring import Line
from engines.jokers.turn import STALL
from engines.kit import cards

REACH = 13  # no safety card reaches deeper
ENDINGS = {
    "empty": "the draw pile was empty and nobody declared",
    "stall": f"{STALL} turns in a row without a trade or a safety card",
}


def short(one: int) -> str:
    """A card where there is little room: `10♥`, `joker`."""
    return "joker" if one == JOKER else f"{cards.RANKS[one % 13]}{words.SHAPES[one // 13]}"


def the(one: int) -> str:
    """`the 10♥`, `the joker`."""
    return f"the {short(one)}"


def in_order(hand: Iterable[int]) -> list[int]:
    """Cards as a hand is held: suit by suit from the ace up, then the jokers."""
    return sorted(hand, key=_place)


def _place(one: int) -> tuple[int, int]:
    return (9, 0) if one == JOKER else (words.SUIT_ORDER.index(one // 13), one)


def row(some: Iterable[int], nothing: str = "none") -> str:
    """Cards in the order given: `4♣, 9♦, joker`."""
    return ", ".join(map(short, some)) or nothing


def round_line(view: View) -> str:
    """`Round 2 of 6`."""
    return f"Round {view.round} of {view.rounds}"


def waiting(view: View, context: Context) -> str:
    """Whom the match waits for, and for what."""
    return _waiting(view, f"**{words.seat(context, view.turn)}**")


def waits(view: View, context: Context) -> str:
    """The same by a short name."""
    return _waiting(view, context.short[view.turn])


def _waiting(view: View, name: str) -> str:
    if view.phase == "over":
        return "The match is over."
    wanted = {"turn": "take a turn", "safety": "use the safety card turned up", "discard": "discard a card"}
    what = "take the last turn" if view.declared is not None and view.phase == "turn" else wanted[view.phase]
    return f"Waiting for {name} to {what}."


# The table


def turn_lines(view: View, context: Context) -> list[str]:
    """How far the turn is, the safety card that lies turned up, the draw pile, and how near a stall is."""
    if view.phase == "over":
        return []
    turn = words.who(context, view.turn, view.seat)
    lines = [f"**Turn**: {turn}, {words.counted(view.trades, 'trade')} left"]
    if view.turned is not None:
        lines.append(f"**Turned up**: {short(view.turned)}, which reaches {_reach(view)}")
    lines.append(f"**Draw pile**: {words.counted(view.draw, 'card')}")
    if view.still:
        turns = words.counted(view.still, "turn")
        lines.append(f"{turns} without a trade or a safety card; {STALL} in a row end the round")
    return lines


def reach(view: View) -> int:
    """How many cards of the discard pile the safety card turned up reaches."""
    return 0 if view.turned is None else min(DEPTH[view.turned], len(view.discard))


def _reach(view: View) -> str:
    return "the top card" if reach(view) == 1 else f"the top {reach(view)} cards"


def pile_lines(view: View) -> list[str]:
    """The whole discard pile with depths, 1 being its top; what no safety card reaches stands on lines of its own."""
    if not view.discard:
        return ["**Discard pile**: empty"]
    numbered = [f"{depth}: {short(one)}" for depth, one in enumerate(reversed(view.discard), 1)]
    lines = [words.dotted(numbered[i : i + REACH]) for i in range(0, len(numbered), REACH)]
    return [f"**Discard pile**: {words.counted(len(numbered), 'card')}, by depth", *lines]


def seat_lines(view: View, context: Context) -> list[str]:
    """A line a seat: points, cards in hand, safety cards."""
    return [_seat_line(view, context, seat) for seat in range(2)]


def _seat_line(view: View, context: Context, seat: int) -> str:
    gained = f" ({words.signed(view.sheet[-1][seat].points)} last round)" if view.sheet else ""
    points, held = words.counted(view.scores[seat], "point"), words.counted(view.hand_sizes[seat], "card")
    return f"**{words.seat(context, seat, view.seat)}**: {points}{gained}, {held}, {_safety(view, seat)}"


def _safety(view: View, seat: int) -> str:
    """Which safety cards are still there, face down."""
    down = [number for number, one in enumerate(view.safety[seat], 1) if one is None]
    if not down:
        return "no safety card"
    return "safety cards 1 and 2" if len(down) == 2 else f"safety card {down[0]}"


def declared_lines(view: View, context: Context) -> list[str]:
    """The hand that has been declared, as it will score."""
    if view.declared is None or view.phase == "over":
        return []
    split = best(deck.hand(view.known[view.declared]), declared=True)
    who = words.who(context, view.declared, view.seat)
    return [f"**Declared** by {who}: {split_words(split)}", f"It scores {scored(split)}"]


def last_lines(view: View, context: Context) -> list[str]:
    """How the newest round that is scored ended: both hands, and what they scored line by line."""
    if view.last is None:
        return []
    ending = ENDINGS.get(view.last.ending)
    if view.last.declared is not None:
        ending = f"{words.who(context, view.last.declared, view.seat)} declared"
    lines = [f"**Round {view.last.round} is scored**: {ending}"]
    for seat, held in enumerate(view.last.hands):
        split = best(deck.hand(held), declared=seat == view.last.declared)
        lines.append(f"{words.brief(context, seat)}: {split_words(split)}; {scored(split)}")
    return lines


def round_lines(view: View, context: Context) -> list[str]:
    """The sheet, a line a round."""
    return [f"Round {number}: {', '.join(_cells(rounds, context))}" for number, rounds in enumerate(view.sheet, 1)]


def _cells(scores: Sequence[Score], context: Context) -> list[str]:
    won = [" (won)" if score.win else "" for score in scores]
    called = [words.brief(context, seat) for seat in range(len(scores))]
    return [f"{called[seat]} {words.signed(score.points)}{won[seat]}" for seat, score in enumerate(scores)]


def sheet_lines(view: View, context: Context) -> list[str]:
    """The sheet with what each score is made of; of the newest round both hands."""
    lines = []
    for number, scores in enumerate(view.sheet[:-1], 1):
        winner = next((words.brief(context, seat) for seat, score in enumerate(scores) if score.win), None)
        lines.append(f"**Round {number}**, {f'won by {winner}' if winner else 'not won'}")
        lines += [
            f"{words.brief(context, seat)} {words.signed(score.points)}: {parts(score)}"
            for seat, score in enumerate(scores)
        ]
    return [*lines, *last_lines(view, context)]


def parts(score: Score) -> str:
    """What a score is made of: `round won 20, melds 55, in no meld −10, one colour 15, both jokers 5`."""
    named = {
        "round won": score.win,
        "melds": score.melds,
        "in no meld": score.extras,
        "one colour": score.colour,
        "both jokers": score.jokers,
    }
    return ", ".join(f"{key} {words.plain(value)}" for key, value in named.items() if value or key == "melds")


# Hands


def hand_lines(view: View) -> list[str]:
    """The reader's cards, their best split and what it is worth: always as many lines, so that nothing jumps."""
    hand = in_order(view.hand)
    lines = [f"**Your hand**, {words.counted(len(hand), 'card')}: {row(hand)}"]
    without, split = best_eight(view.hand)
    of = "" if without is None else f" without {the(without)}"
    melds = "; ".join(map(meld_words, split.melds)) or "none"
    lines += [f"**Melds**{of}: {melds}", f"**In no meld**: {row(in_order(split.extras))}"]
    if view.declared == view.seat:
        lost = f"**Declared**: {scored(best(deck.hand(view.hand), declared=True))}"
    else:
        lost = f"**As a lost hand**: {scored(split)}"
    return [*lines, lost, f"**Full hand**: {_full(view, without)}"]


def best_eight(hand: Sequence[int]) -> tuple[int | None, Split]:
    """The best split of a hand; of nine cards, the one of the best eight, and which card is left out."""
    if len(hand) <= 8:
        return None, best(deck.hand(hand))
    splits = {one: left_by(hand, one) for one in in_order(hand)}
    out = max(splits, key=lambda one: (not splits[one].extras, splits[one].points))
    return out, splits[out]


def left_by(hand: Sequence[int], one: int) -> Split:
    """The best split of what a discard leaves."""
    return best(deck.without(deck.hand(hand), one))


def _full(view: View, without: int | None) -> str:
    """Whether the hand may be declared, and for how much."""
    if view.declared is not None:
        mine = view.declared == view.seat
        return "you have declared it" if mine else "the other hand was declared, so yours cannot be"
    eight = deck.hand(view.hand) if without is None else deck.without(deck.hand(view.hand), without)
    if not full(eight):
        return "not yet"
    return f"yes, declared it scores {scored(best(eight, declared=True))}"


def split_words(split: Split) -> str:
    """Melds and extras: `run 2♣, 3♣, joker as 4♣; set 9♦, 9♥, 9♠; no meld K♥`."""
    said = [meld_words(meld) for meld in split.melds]
    if split.extras:
        said.append(f"no meld {row(in_order(split.extras))}")
    return "; ".join(said)


def laid(meld: Meld) -> list[int]:
    """A meld's cards as they lie: a run from low to high, a set in the order of suits, its jokers last."""
    return sorted(meld.cards, key=lambda one: (meld.kind == "set" and one in meld.jokers, _place(one)))


def meld_words(meld: Meld) -> str:
    """`run 2♣, 3♣, joker as 4♣`."""
    held = [f"joker as {short(one)}" if one in meld.jokers else short(one) for one in laid(meld)]
    return f"{meld.kind} {', '.join(held)}"


def scored(split: Split) -> str:
    """`+55 (run of 5 +40, set of 3 +10, both jokers +5)`."""
    lines = ", ".join(f"{_line(line)} {words.signed(line.points)}" for line in split.lines)
    return f"**{words.signed(split.points)}** ({lines})" if lines else f"**{words.signed(split.points)}**"


def _line(line: Line) -> str:
    match line.kind:
        case "win":
            return "round won"
        case "full run":
            return "run of 8"
        case "two sets":
            return "two sets of 4"
        case "two runs":
            return "two runs"
        case "set and run":
            return f"set of {line.cards} and run of {8 - line.cards}"
        case "run" | "set":
            return f"{line.kind} of {line.cards}"
        case "extras":
            return f"{words.counted(line.cards, 'card')} in no meld"
        case "colour":
            return "all of one colour"
        case "jokers":
            return "both jokers"
