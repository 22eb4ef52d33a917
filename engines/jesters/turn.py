"""What moves do in Jesters, and who learns something hidden by them (S5–S15).

Learning is here; attempts and endings have their own modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engines.jesters import attempt, effects, rounds
from engines.jesters.events import (
    AttemptStarted,
    CardsDrawn,
    DiceRerolled,
    FavoritePlaced,
    GiftsDrawn,
    GiftsSeen,
    PerformanceRevealed,
    RoundBegan,
    TechniqueAdded,
    TechniquesLearned,
)
from engines.jesters.model import (
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    State,
    Unmark,
    UseGift,
)
from engines.kit.contract import Event
from engines.kit.phrases import join_phrases


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move, and then the next turn, the end of a round and the final scoring if they follow."""
    state.numbers[seat] += 1
    return _MOVE_HANDLERS[type(move)](state, seat, move)


def _learn(state: State, seat: int, move: Learn) -> list[Event]:
    """S6: discard the card for the Techniques of its top half."""
    taken = effects.taken_techniques(move.card, move.colours, tuple(state.middle))
    for colour in taken:
        state.middle[colour] -= 1
        state.dice[seat][colour] += 1
    state.hands[seat].remove(move.card)
    state.discard.append(move.card)
    return [TechniquesLearned(seat=seat, card=move.card, dice=taken), *rounds.pass_turn(state)]


_MOVE_HANDLERS: Mapping[type[Move], Callable[[State, int, Any], list[Event]]] = {
    Learn: _learn,
    Perform: attempt.begin_attempt,
    Pass: lambda state, seat, move: rounds.leave_round(state, seat),
    Spend: attempt.spend_card,
    Reroll: attempt.buy_reroll,
    UseGift: attempt.use_gift,
    Mark: attempt.change_mark,
    Unmark: attempt.change_mark,
    Roll: attempt.change_marked_dice,
    Paint: attempt.change_marked_dice,
    Finish: lambda state, seat, move: rounds.finish_attempt(state, seat),
    Keep: lambda state, seat, move: rounds.keep_gift(state, seat, move.gift),
}


def seats_shown(state: State, after: State, seat: int, move: Move) -> frozenset[int]:
    """Return the seats that learn something hidden by a move between these two states."""
    has_drawn = after.chance.count > state.chance.count
    shows_all = (
        (has_drawn and isinstance(move, Perform | Roll | UseGift))  # S7, S22: dice
        or after.round > state.round  # S14
        or len(after.placed) > len(state.placed) + 1  # S15: Favorites of rounds that are not played
        or 1 < len(state.pile) > len(after.pile)  # S9: everybody can name the last Performance of the pile
    )
    if shows_all:
        return frozenset(range(len(state.hands)))
    return frozenset({seat} if has_drawn or _sees_gift(state, after, seat) or _sees_card(state, after, seat) else ())


def _sees_gift(state: State, after: State, seat: int) -> bool:
    """S10: whether the seat has drawn a Gift that it could not name before."""
    unseen = len(state.gift_pile) - sum(seat in known for known in state.under)
    return unseen > 1 and any(seat not in known for known in after.drawn_known)


def _sees_card(state: State, after: State, seat: int) -> bool:
    """S11: whether the seat has drawn Jest cards that it could not name: they are not the last of a refill."""
    drawn = len(after.hands[seat]) - len(state.hands[seat])
    others = [card for other, hand in enumerate(state.hands) for card in hand if other != seat]
    is_in_hand = any(state.packs[card - 1] == state.refills for card in others)
    return drawn > 0 and (is_in_hand or drawn < len(state.draw))


def reveal_text(events: Sequence[Event], reader: int) -> str:
    """Say what came to light by a move with these events."""
    kinds = {type(event): event for event in events}
    if RoundBegan in kinds:
        return "A new round began."
    if kinds.keys() & {AttemptStarted, DiceRerolled, TechniqueAdded}:
        return "Dice were rolled."
    if isinstance(new := kinds.get(PerformanceRevealed), PerformanceRevealed):
        return f"Performance {new.performance} was revealed."
    if isinstance(gifts_seen := kinds.get(GiftsSeen), GiftsSeen):
        return f"You saw Gifts {join_phrases(map(str, gifts_seen.gifts))}."
    if isinstance(drawn := kinds.get(CardsDrawn), CardsDrawn):
        cards = join_phrases(map(str, drawn.cards))
        return f"You drew Jest card{'s' if len(drawn.cards) > 1 else ''} {cards}."
    if FavoritePlaced in kinds:
        return "The last Favorites were revealed."
    return "Another player drew Gifts." if GiftsDrawn in kinds else "Another player drew cards."
