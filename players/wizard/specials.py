"""What computers do with special cards, and the playout of a round that has some."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from engines.wizard.deck import (
    CAROUSEL,
    ELEPHANT,
    JESTER,
    TRAPDOOR,
    WEATHERVANE,
    WIZARD,
    highest_index,
    pack,
    suit_to_follow,
)
from engines.wizard.model import State
from players.wizard.odds import CARD_BIT
from players.wizard.policy import Policy
from players.wizard.rounds import RoundTable, choose_card, unseen_wizards


def choose_adjustment(table: RoundTable, seat: int, hand: Sequence[int], policy: Policy) -> int:
    """Return by how much the seat changes its bid: towards the tricks that it is likely to take (W25)."""
    bid = table.bids[seat] or 0
    if not 0 < bid < table.trick_count:
        return -1 if bid else 1
    likely = sum(_chances(table, seat, hand, policy)) if hand else 0.0
    return 1 if likely > bid - table.taken[seat] else -1


def rank_passes(table: RoundTable, seat: int, hand: Sequence[int], policy: Policy) -> list[int]:
    """Return the cards that the seat can pass, best first: the others and an unknown one should fit its bid (W24)."""
    chances = _chances(table, seat, hand, policy)
    need = (table.bids[seat] or 0) - table.taken[seat]
    likely = sum(chances) + 1 / len(table.taken)
    offs = {card: abs(likely - chance - need) for card, chance in zip(hand, chances, strict=True)}
    return sorted(offs, key=lambda card: (offs[card], card))


def play_out_special_round(state: State, table: RoundTable, policy: Policy) -> Sequence[int]:
    """Play a round on after the bids. Return, by place, how many tricks its bid still lacks. Empties the hands.

    `table` is the one of the state. A dummy plays its last card (W19).
    """
    hands, dummy = state.hands, len(table.bids)
    if state.phase == "adjust":
        _adjust_bid(table, hands, state.turn, policy)
        _leave_trick(table, hands, state.fallen[-len(hands) :], policy)
    elif state.phase == "pass":
        table.turn = state.leader
        _pass_cards(table, hands, state.passes, policy)
    while any(hands):
        hand = hands[table.turn]
        if table.turn == dummy:
            card = hand.pop()
        else:
            card = choose_card(table, hand, policy) if len(hand) > 1 else hand[0]
            hand.remove(card)
        _lay_card(table, card)
        if len(table.trick) == len(hands):
            _end_trick(table, hands, policy)
        else:
            table.turn = (table.turn + 1) % len(hands)
    return table.needs


def _chances(table: RoundTable, seat: int, hand: Sequence[int], policy: Policy) -> list[float]:
    """Return the chance of each card of a hand to take one of the remaining tricks."""
    needs = table.public_needs
    wanted = sum([need for other, need in enumerate(needs) if need > 0 and other != seat])
    return policy.remaining_chances(
        hand,
        table.trump,
        table.open_cards | sum([CARD_BIT[card] for card in hand]),
        unseen_wizards(table, hand),
        len(pack(table.specials)) - table.open_count - len(hand),
        len(table.taken),
        wanted / len(hand),
        (table.bids[seat] or 0) - table.taken[seat],
    )


def _lay_card(table: RoundTable, card: int) -> None:
    table.trick.append(card)
    table.open_count += 1
    table.open_cards |= CARD_BIT[card]
    table.wizards += card in (WIZARD, ELEPHANT)
    if table.follow is None and card < JESTER:
        table.follow = suit_to_follow(table.trick)


def _end_trick(table: RoundTable, hands: Sequence[list[int]], policy: Policy) -> None:
    """W9, W22, W25: give the trick to its taker."""
    trick, places = table.trick, len(hands)
    taker = (table.turn + 1 + highest_index(trick, table.trump, table.follow)) % places
    table.trick, table.follow, table.turn = [], None, taker
    if TRAPDOOR not in trick:
        table.taken[taker] += 1
        if WEATHERVANE in trick and taker < len(table.bids):
            _adjust_bid(table, hands, taker, policy)
    _leave_trick(table, hands, trick, policy)


def _leave_trick(table: RoundTable, hands: Sequence[list[int]], trick: Sequence[int], policy: Policy) -> None:
    """W24: let everybody pass a card if the Carousel lay in the trick and cards are left."""
    if CAROUSEL in trick and hands[0]:
        _pass_cards(table, hands, [None] * len(table.bids), policy)


def _adjust_bid(table: RoundTable, hands: Sequence[list[int]], seat: int, policy: Policy) -> None:
    table.bids[seat] = (table.bids[seat] or 0) + choose_adjustment(table, seat, hands[seat], policy)


def _pass_cards(table: RoundTable, hands: Sequence[list[int]], chosen: Sequence[int | None], policy: Policy) -> None:
    """W24: let everybody who has not chosen a card choose one, and pass them all."""
    passed = [
        rank_passes(table, seat, hands[seat], policy)[0] if card is None else card for seat, card in enumerate(chosen)
    ]
    for seat, card in enumerate(passed):
        hands[seat].remove(card)
        insort(hands[(seat + 1) % len(passed)], card)
