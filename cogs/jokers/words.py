"""Jokers' table and hand in words: short lines with everything that the pictures show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.screens import words
from cogs.screens.emoji import Emoji, playing_card_emoji
from cogs.screens.screen import Context
from engines.jokers import deck
from engines.jokers.deck import JOKER, SAFETY_DEPTH
from engines.jokers.melds import Meld, Split, best_split, is_full_hand
from engines.jokers.model import Score
from engines.jokers.scoring import ScoreLine
from engines.jokers.turn import STALL_TURNS
from engines.jokers.view import View
from engines.kit import cards

MAX_REACH = 13  # no safety card reaches deeper
ENDING_TEXTS = {
    "empty": "the draw pile was empty and nobody declared",
    "stall": f"{STALL_TURNS} turns in a row without a trade or a safety card",
}


def short_card(card: int) -> str:
    """Return a card's short name: `10♥`, `joker`."""
    return "joker" if card == JOKER else f"{cards.RANKS[card % 13]}{words.SUIT_SHAPES[card // 13]}"


def emoji_of(card: int) -> Emoji:
    """Return the small picture of a card for its control."""
    return Emoji("joker") if card == JOKER else playing_card_emoji(card)


def the_card(card: int) -> str:
    """Return a card with its article: `the 10♥`, `the joker`."""
    return f"the {short_card(card)}"


def sort_hand(hand: Iterable[int]) -> list[int]:
    """Return cards in hand order: suit by suit from the ace up, then the jokers."""
    return sorted(hand, key=_hand_position)


def _hand_position(card: int) -> tuple[int, int]:
    return (9, 0) if card == JOKER else (words.SUIT_ORDER.index(card // 13), card)


def join_cards(some: Iterable[int], nothing: str = "none") -> str:
    """Return cards in the given order: `4♣, 9♦, joker`."""
    return ", ".join(map(short_card, some)) or nothing


def round_line(view: View) -> str:
    """Return the round: `Round 2 of 6`."""
    return f"Round {view.round} of {view.rounds}"


def waiting_text(view: View, context: Context) -> str:
    """Return the player that the match waits for, and the decision."""
    return _waiting_for(view, f"**{words.seat_label(context, view.turn)}**")


def waiting_headline(view: View, context: Context) -> str:
    """Return the player that the match waits for, and the decision, with a short name."""
    return _waiting_for(view, context.short_names[view.turn])


def _waiting_for(view: View, name: str) -> str:
    if view.phase == "over":
        return "The match is over."
    wanted = {"turn": "take a turn", "safety": "use a safety card", "discard": "discard a card"}
    what = "take the last turn" if view.declared is not None and view.phase == "turn" else wanted[view.phase]
    return f"Waiting for {name} to {what}."


# The table


def turn_lines(view: View, context: Context) -> list[str]:
    """Return the trades left, the safety card turned up, the draw pile, and the idle turns in a row."""
    if view.phase == "over":
        return []
    turn = words.seat_or_you(context, view.turn, view.seat)
    lines = [f"**Turn**: {turn}, {words.pluralize(view.trades, 'trade')} left"]
    if view.turned is not None:
        lines.append(f"**Turned up**: {short_card(view.turned)}, which reaches {_reach_text(view)}")
    lines.append(f"**Draw pile**: {words.pluralize(view.draw, 'card')}")
    if view.still:
        turns = words.pluralize(view.still, "turn")
        lines.append(f"{turns} without a trade or a safety card; {STALL_TURNS} in a row end the round")
    return lines


def safety_reach(view: View) -> int:
    """Return how many cards of the discard pile the turned-up safety card reaches."""
    return 0 if view.turned is None else min(SAFETY_DEPTH[view.turned], len(view.discard))


def _reach_text(view: View) -> str:
    return "the top card" if safety_reach(view) == 1 else f"the top {safety_reach(view)} cards"


def pile_lines(view: View) -> list[str]:
    """Return the discard pile by depth; depth 1 is the top. Cards out of reach are on separate lines."""
    if not view.discard:
        return ["**Discard pile**: empty"]
    numbered = [f"{depth}: {short_card(one)}" for depth, one in enumerate(reversed(view.discard), 1)]
    lines = [words.join_with_dots(numbered[i : i + MAX_REACH]) for i in range(0, len(numbered), MAX_REACH)]
    return [f"**Discard pile**: {words.pluralize(len(numbered), 'card')}, by depth", *lines]


def seat_lines(view: View, context: Context) -> list[str]:
    """Return a line per seat: points, cards in hand, safety cards."""
    return [_seat_line(view, context, seat) for seat in range(2)]


def _seat_line(view: View, context: Context, seat: int) -> str:
    gained = f" ({words.signed_number(view.sheet[-1][seat].points)} last round)" if view.sheet else ""
    points, cards = words.pluralize(view.scores[seat], "point"), words.pluralize(view.hand_sizes[seat], "card")
    return f"**{words.seat_label(context, seat, view.seat)}**: {points}{gained}, {cards}, {_safety_text(view, seat)}"


def _safety_text(view: View, seat: int) -> str:
    """The safety cards that are still face down."""
    down = [number for number, one in enumerate(view.safety[seat], 1) if one is None]
    if not down:
        return "no safety cards"
    return "safety cards 1 and 2" if len(down) == 2 else f"safety card {down[0]}"


def declared_lines(view: View, context: Context) -> list[str]:
    """Return the declared hand and its score."""
    if view.declared is None or view.phase == "over":
        return []
    split = best_split(deck.make_hand(view.known[view.declared]), declared=True)
    name = words.seat_or_you(context, view.declared, view.seat)
    return [f"**Declared** by {name}: {split_text(split)}", f"It scores {score_text(split)}"]


def last_lines(view: View, context: Context) -> list[str]:
    """Return how the last round ended: both hands and their scores line by line."""
    if view.last is None:
        return []
    ending = ENDING_TEXTS.get(view.last.ending)
    if view.last.declared is not None:
        ending = f"{words.seat_or_you(context, view.last.declared, view.seat)} declared"
    lines = [f"**Round {view.last.round} is over**: {ending}"]
    for seat, hand in enumerate(view.last.hands):
        split = best_split(deck.make_hand(hand), declared=seat == view.last.declared)
        lines.append(f"{words.short_seat_label(context, seat)}: {split_text(split)}; {score_text(split)}")
    return lines


def round_lines(view: View, context: Context) -> list[str]:
    """Return a line per round with the scores."""
    return [
        f"Round {number}: {', '.join(_round_cells(rounds, context))}" for number, rounds in enumerate(view.sheet, 1)
    ]


def _round_cells(scores: Sequence[Score], context: Context) -> list[str]:
    won = [" (won)" if score.win else "" for score in scores]
    called = [words.short_seat_label(context, seat) for seat in range(len(scores))]
    return [f"{called[seat]} {words.signed_number(score.points)}{won[seat]}" for seat, score in enumerate(scores)]


def sheet_lines(view: View, context: Context) -> list[str]:
    """Return the scores with their parts, and both hands of the last round."""
    lines = []
    for number, scores in enumerate(view.sheet[:-1], 1):
        winner = next((words.short_seat_label(context, seat) for seat, score in enumerate(scores) if score.win), None)
        lines.append(f"**Round {number}**, {f'won by {winner}' if winner else 'not won'}")
        lines += [
            f"{words.short_seat_label(context, seat)} {words.signed_number(score.points)}: {score_parts(score)}"
            for seat, score in enumerate(scores)
        ]
    return [*lines, *last_lines(view, context)]


def score_parts(score: Score) -> str:
    """Return the parts of a score: `round won 20, melds 55, unmelded cards −10, one colour 15, both jokers 5`."""
    named = {
        "round won": score.win,
        "melds": score.melds,
        "unmelded cards": score.extras,
        "one colour": score.colour,
        "both jokers": score.jokers,
    }
    return ", ".join(f"{key} {words.plain_number(value)}" for key, value in named.items() if value or key == "melds")


# Hands


def hand_lines(view: View) -> list[str]:
    """Return the player's cards, their best split and its worth. The number of lines never changes."""
    hand = sort_hand(view.hand)
    lines = [f"**Your hand**, {words.pluralize(len(hand), 'card')}: {join_cards(hand)}"]
    without, split = best_eight(view.hand)
    of = "" if without is None else f" without {the_card(without)}"
    melds = "; ".join(map(meld_text, split.melds)) or "none"
    lines += [f"**Melds**{of}: {melds}", f"**Not in a meld**: {join_cards(sort_hand(split.extras))}"]
    if view.declared == view.seat:
        lost = f"**Declared**: {score_text(best_split(deck.make_hand(view.hand), declared=True))}"
    else:
        lost = f"**If you lose the round**: {score_text(split)}"
    return [*lines, lost, f"**Full hand**: {_full_hand_text(view, without)}"]


def best_eight(hand: Sequence[int]) -> tuple[int | None, Split]:
    """Return the card left out and the best split. With nine cards, use the best eight; otherwise leave out none."""
    if len(hand) <= 8:
        return None, best_split(deck.make_hand(hand))
    splits = {one: split_without(hand, one) for one in sort_hand(hand)}
    out = max(splits, key=lambda one: (not splits[one].extras, splits[one].points))
    return out, splits[out]


def split_without(hand: Sequence[int], card: int) -> Split:
    """Return the best split of a hand without a card."""
    return best_split(deck.remove_card(deck.make_hand(hand), card))


def _full_hand_text(view: View, without: int | None) -> str:
    """Whether the hand can be declared, and its score."""
    if view.declared is not None:
        is_own = view.declared == view.seat
        return "you have declared it" if is_own else "your opponent has declared, so you cannot"
    eight = deck.make_hand(view.hand) if without is None else deck.remove_card(deck.make_hand(view.hand), without)
    if not is_full_hand(eight):
        return "not yet"
    return f"yes, it scores {score_text(best_split(eight, declared=True))}"


def split_text(split: Split) -> str:
    """Return melds and other cards: `run 2♣, 3♣, joker as 4♣; set 9♦, 9♥, 9♠; unmelded K♥`."""
    texts = [meld_text(meld) for meld in split.melds]
    if split.extras:
        texts.append(f"unmelded {join_cards(sort_hand(split.extras))}")
    return "; ".join(texts)


def sort_meld(meld: Meld) -> list[int]:
    """Return a meld's cards in order: a run from low to high, a set by suit with jokers last."""
    return sorted(meld.cards, key=lambda one: (meld.kind == "set" and one in meld.jokers, _hand_position(one)))


def meld_text(meld: Meld) -> str:
    """Return a meld: `run 2♣, 3♣, joker as 4♣`."""
    cards = [f"joker as {short_card(one)}" if one in meld.jokers else short_card(one) for one in sort_meld(meld)]
    return f"{meld.kind} {', '.join(cards)}"


def score_text(split: Split) -> str:
    """Return a score: `+55 (run of 5 +40, set of 3 +10, both jokers +5)`."""
    lines = ", ".join(f"{_score_line_text(line)} {words.signed_number(line.points)}" for line in split.lines)
    return f"**{words.signed_number(split.points)}** ({lines})" if lines else f"**{words.signed_number(split.points)}**"


def _score_line_text(line: ScoreLine) -> str:
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
            return f"{words.pluralize(line.cards, 'unmelded card')}"
        case "colour":
            return "all of one colour"
        case "jokers":
            return "both jokers"
