"""A round of Wizard in the form that the policy uses, and its playout: each seat uses only what it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.wizard.deck import SUIT, WIZARD
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import State
from engines.wizard.view import View
from players.wizard.odds import CARD_BIT, TOP_RANK, TRICK_RANKS
from players.wizard.policy import Policy


@dataclass(slots=True)
class RoundTable:
    """The public knowledge of a round."""

    trump: int | None
    turned: int | None
    dealer: int
    turn: int
    bids: list[int | None]
    taken: list[int]
    trick: list[int]
    follow: int | None
    open_cards: int  # the suits' cards that are or were face up: turned, in the trick, in earlier tricks
    wizards: int  # how many of those were Wizards
    open_count: int  # how many cards are or were face up in all
    trick_count: int
    hook: int | None

    @property
    def bids_made(self) -> list[int]:
        """Return the bids made so far, in order (W4)."""
        seats = len(self.bids)
        said = [self.bids[(self.dealer + 1 + place) % seats] for place in range(seats)]
        return [bid for bid in said if bid is not None]

    @property
    def forbidden_bid(self) -> int | None:
        """Return the bid that the seat in turn may not make (W12)."""
        return forbidden_bid(self.hook, self.trick_count, self.bids)


def make_round_table(round: State | View, fallen: Sequence[int], follow: int | None) -> RoundTable:
    """Return the public knowledge after those cards were played in earlier tricks."""
    lying = [*fallen, *round.trick, *(() if round.turned is None else (round.turned,))]
    shown = 0
    for card in lying:
        shown |= CARD_BIT[card]
    return RoundTable(
        round.trump,
        round.turned,
        round.dealer,
        round.turn,
        list(round.bids),
        list(round.taken),
        list(round.trick),
        follow,
        shown,
        lying.count(WIZARD),
        len(lying),
        round.trick_count,
        round.hook,
    )


def choose_bid(table: RoundTable, hand: Sequence[int], policy: Policy) -> int:
    """Return the bid of the seat in turn."""
    return policy.choose_bid(hand, table.trump, len(table.bids), table.turned, table.bids_made, table.forbidden_bid)


def choose_card(table: RoundTable, hand: Sequence[int], policy: Policy, values: dict[int, float] | None = None) -> int:
    """Return the card that the seat in turn plays; `values` receives the value of each legal card."""
    seats, own, played, size = len(table.bids), table.turn, len(table.trick), len(hand)
    needs = [(bid or 0) - taken for bid, taken in zip(table.bids, table.taken, strict=True)]
    keen = sum([needs[(own + place) % seats] > 0 for place in range(1, seats - played)])
    wanted = sum([need for seat, need in enumerate(needs) if need > 0 and seat != own])
    ranks = TRICK_RANKS[4 if table.trump is None else table.trump][4 if table.follow is None else table.follow]
    return policy.card(
        hand,
        table.bids[own] or 0,
        needs[own],
        table.trump,
        table.follow,
        max([ranks[each] for each in table.trick], default=-1),
        table.open_cards | sum([CARD_BIT[each] for each in hand]),
        4 - table.wizards - hand.count(WIZARD),
        60 - table.open_count - size,
        seats,
        keen,
        seats - 1 - played - keen,
        wanted / size,
        values,
    )


def finish_bidding(table: RoundTable, hands: Sequence[Sequence[int]], policy: Policy) -> None:
    """Return the bids that are still to be made."""
    seats = len(hands)
    while table.bids[table.turn] is None:
        table.bids[table.turn] = choose_bid(table, hands[table.turn], policy)
        table.turn = (table.turn + 1) % seats


def play_out_round(table: RoundTable, hands: Sequence[list[int]], policy: Policy) -> list[int]:
    """Play all tricks to the end with the policy's cards. Return, by seat, how many tricks its bid still lacks.

    Searches depend on the speed of this, so what `choose_card` recomputes is updated from card to card here. Empties
    the hands.
    """
    trump, follow, trick, turn = table.trump, table.follow, table.trick, table.turn
    seats, choose, shown, wizards, lying = len(hands), policy.card, table.open_cards, table.wizards, table.open_count
    bids = [bid or 0 for bid in table.bids]
    needs = [bid - taken for bid, taken in zip(bids, table.taken, strict=True)]
    own, held = [sum([CARD_BIT[card] for card in hand]) for hand in hands], [hand.count(WIZARD) for hand in hands]
    ranks = TRICK_RANKS[4 if trump is None else trump]
    wanted = sum([need for need in needs if need > 0])
    played = len(trick)
    best, leading = -1, turn
    for place, card in enumerate(trick):
        rank = ranks[4 if follow is None else follow][card]
        if rank > best:
            best, leading = rank, (turn - played + place) % seats
    while True:
        hand = hands[turn]
        size = len(hand)
        if size > 1:
            need = needs[turn]
            keen = 0
            for after in range(turn + 1 - seats, turn - played):
                if needs[after] > 0:
                    keen += 1
            card = choose(
                hand,
                bids[turn],
                need,
                trump,
                follow,
                best,
                shown | own[turn],
                4 - wizards - held[turn],
                60 - lying - size,
                seats,
                keen,
                seats - 1 - played - keen,
                (wanted - need if need > 0 else wanted) / size,
            )
        else:
            card = hand[0]
        hand.remove(card)
        lying += 1
        if card < 52:
            bit = CARD_BIT[card]
            own[turn] -= bit
            shown |= bit
            if follow is None and best < TOP_RANK:
                follow = SUIT[card]
        elif card == WIZARD:
            held[turn] -= 1
            wizards += 1
        rank = ranks[4 if follow is None else follow][card]
        if rank > best:
            best, leading = rank, turn
        played += 1
        if played == seats:
            if needs[leading] > 0:
                wanted -= 1
            needs[leading] -= 1
            turn, played, follow, best = leading, 0, None, -1
            if not hands[turn]:
                return needs
        else:
            turn = turn + 1 if turn + 1 < seats else 0


def round_points(bids: Sequence[int | None], needs: Sequence[int]) -> list[int]:
    """Return the points of a round (W10)."""
    return [-10 * abs(need) if need else 20 + 10 * (bid or 0) for bid, need in zip(bids, needs, strict=True)]
