"""A round of Wizard in the form that the policy uses, and its playout: each seat uses only what it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from engines.wizard.deck import ELEPHANT, MOUSE, SUIT, TRAPDOOR, WIZARD, pack
from engines.wizard.house_rules import are_bids_hidden, forbidden_bid, is_blind_round
from engines.wizard.model import State
from engines.wizard.view import View
from players.wizard.odds import CARD_BIT, RANKS_BESIDE, TOP_RANK, TRICK_RANKS, VANISHED_RANK
from players.wizard.policy import Policy


@dataclass(slots=True)
class RoundTable:
    """The public knowledge of a round."""

    trump: int | None
    turned: int | None
    dealer: int
    turn: int
    bids: list[int | None]
    taken: list[int]  # also of a dummy hand, which has no bid (W19)
    trick: list[int]
    follow: int | None
    open_cards: int  # the suits' cards that are or were face up: turned, in the trick, in earlier tricks
    wizards: int  # how many of those were Wizards, or the Elephant
    open_count: int  # how many cards are or were face up in all
    trick_count: int
    hook: int | None
    is_sealed: bool  # everybody bids without seeing other bids (W16, W17)
    hides_bids: bool  # and plays without seeing them (W17)
    is_blind: bool  # everybody bids without seeing their cards (W18)
    specials: tuple[int, ...]  # the special cards in the pack

    @property
    def fair_share(self) -> float:
        """The number of tricks that a seat bids on average, as far as nothing is known about it."""
        return self.trick_count / len(self.taken)

    def bids_before(self, seat: int) -> Sequence[float]:
        """Return the bids that the seat sees when it bids, in order (W4): none for the seat that bids first or leads.

        The others see one fair share instead of hidden bids.
        """
        seats = len(self.bids)
        before = (seat - self.dealer - 1) % seats
        if self.is_sealed:
            return (self.fair_share,) if before else ()
        bids = [self.bids[(self.dealer + 1 + place) % seats] for place in range(before)]
        return [bid for bid in bids if bid is not None]

    @property
    def needs(self) -> list[int]:
        """How many tricks each place still needs. A dummy needs none."""
        return [(bid or 0) - taken for bid, taken in zip_longest(self.bids, self.taken)]

    @property
    def public_needs(self) -> list[float]:
        """The same as far as the others know: one fair share instead of a hidden bid."""
        if not self.hides_bids:
            return [*self.needs]
        shares = [self.fair_share] * len(self.bids)
        return [share - taken for share, taken in zip_longest(shares, self.taken, fillvalue=0)]

    @property
    def forbidden_bid(self) -> int | None:
        """Return the bid that the seat in turn may not make (W12)."""
        return forbidden_bid(self.hook, self.trick_count, self.bids)


def make_round_table(round: State | View, fallen: Sequence[int], follow: int | None) -> RoundTable:
    """Return the public knowledge after those cards were played in earlier tricks."""
    lying = [*fallen, *round.trick, *(() if round.turned is None else (round.turned,))]
    visible = 0
    for card in lying:
        visible |= CARD_BIT[card]
    return RoundTable(
        round.trump,
        round.turned,
        round.dealer,
        round.turn,
        list(round.bids),
        list(round.taken),
        list(round.trick),
        follow,
        visible,
        lying.count(WIZARD) + lying.count(ELEPHANT),
        len(lying),
        round.trick_count,
        round.hook,
        round.bidding != "open",
        are_bids_hidden(round.bidding, "play"),
        is_blind_round(round.blind, round.round),
        round.specials,
    )


def choose_trump(round: State | View, hand: Sequence[int], policy: Policy, rng: Random) -> int | None:
    """Return the trump that is named: any suit by players who have not seen their hand (W18)."""
    if is_blind_round(round.blind, round.round):
        return rng.randrange(4)
    return policy.choose_trump(hand, len(round.taken), round.turned, round.specials)


def choose_bid(table: RoundTable, seat: int, hand: Sequence[int], policy: Policy) -> int:
    """Return the bid of a seat. In a blind round it does not depend on the hand (W18)."""
    before, places = table.bids_before(seat), len(table.taken)
    if table.is_blind:
        return policy.choose_blind_bid(table.trick_count, places, before, table.forbidden_bid)
    return policy.choose_bid(hand, table.trump, places, table.turned, before, table.forbidden_bid, table.specials)


def choose_card(table: RoundTable, hand: Sequence[int], policy: Policy, values: dict[int, float] | None = None) -> int:
    """Return the card that the seat in turn plays; `values` receives the value of each legal card."""
    seats, own, played, size = len(table.taken), table.turn, len(table.trick), len(hand)
    needs = table.public_needs
    keen = sum([needs[(own + place) % seats] > 0 for place in range(1, seats - played)])
    wanted = sum([need for seat, need in enumerate(needs) if need > 0 and seat != own])
    trick, specials = table.trick, table.specials
    beside = 0
    if specials:
        beside = 2 if ELEPHANT in trick else 1 if MOUSE in trick else 0
    by_suit = RANKS_BESIDE[beside][4 if table.trump is None else table.trump]
    ranks = by_suit[4 if table.follow is None else table.follow]
    best = max([ranks[each] for each in trick], default=-1)
    return policy.card(
        hand,
        table.bids[own] or 0,
        (table.bids[own] or 0) - table.taken[own],
        table.trump,
        table.follow,
        VANISHED_RANK if specials and TRAPDOOR in trick else best,
        table.open_cards | sum([CARD_BIT[each] for each in hand]),
        unseen_wizards(table, hand),
        len(pack(specials)) - table.open_count - size,
        seats,
        keen,
        seats - 1 - played - keen,
        wanted / size,
        values,
        beside,
    )


def unseen_wizards(table: RoundTable, hand: Sequence[int]) -> int:
    """Return how many Wizards a seat has not seen; the Elephant counts as one."""
    left = 4 - table.wizards - hand.count(WIZARD)
    return left + table.specials.count(ELEPHANT) - hand.count(ELEPHANT) if table.specials else left


def finish_bidding(table: RoundTable, hands: Sequence[Sequence[int]], policy: Policy) -> None:
    """Make the bids that are still to be made."""
    seats = len(table.bids)
    if None not in table.bids:
        return
    for place in range(seats):
        seat = (table.dealer + 1 + place) % seats
        if table.bids[seat] is None:
            table.bids[seat] = choose_bid(table, seat, hands[seat], policy)
    table.turn = (table.dealer + 1) % len(table.taken)  # W5


def play_out_round(table: RoundTable, hands: Sequence[list[int]], policy: Policy) -> list[int]:
    """Play all tricks to the end with the policy's cards. Return, by place, how many tricks its bid still lacks.

    Searches depend on the speed of this, so what `choose_card` recomputes is updated from card to card here. Empties
    the hands. A dummy plays its last card (W19).
    """
    trump, follow, trick, turn = table.trump, table.follow, table.trick, table.turn
    seats, choose, visible, wizards, lying = len(hands), policy.card, table.open_cards, table.wizards, table.open_count
    bids = [bid or 0 for bid in table.bids]
    dummy = len(bids)  # its place, if there is a dummy
    needs = table.needs
    known = table.public_needs
    own, wizard_counts = (
        [sum([CARD_BIT[card] for card in hand]) for hand in hands],
        [hand.count(WIZARD) for hand in hands],
    )
    ranks = TRICK_RANKS[4 if trump is None else trump]
    wanted = sum([need for need in known if need > 0])
    played = len(trick)
    best, leading = -1, turn
    for place, card in enumerate(trick):
        rank = ranks[4 if follow is None else follow][card]
        if rank > best:
            best, leading = rank, (turn - played + place) % seats
    while True:
        hand = hands[turn]
        size = len(hand)
        if turn == dummy:
            card = hand[-1]
        elif size > 1:
            need = known[turn]
            keen = 0
            for after in range(turn + 1 - seats, turn - played):
                if known[after] > 0:
                    keen += 1
            card = choose(
                hand,
                bids[turn],
                needs[turn],
                trump,
                follow,
                best,
                visible | own[turn],
                4 - wizards - wizard_counts[turn],
                60 - lying - size,
                seats,
                keen,
                seats - 1 - played - keen,
                (wanted - need if need > 0 else wanted) / size,
            )
        else:
            card = hand[0]
        if turn == dummy:
            hand.pop()
        else:
            hand.remove(card)
        lying += 1
        if card < 52:
            bit = CARD_BIT[card]
            own[turn] -= bit
            visible |= bit
            if follow is None and best < TOP_RANK:
                follow = SUIT[card]
        elif card == WIZARD:
            wizard_counts[turn] -= 1
            wizards += 1
        rank = ranks[4 if follow is None else follow][card]
        if rank > best:
            best, leading = rank, turn
        played += 1
        if played == seats:
            if known[leading] > 0:
                wanted -= min(1, known[leading])
            needs[leading] -= 1
            known[leading] -= 1
            turn, played, follow, best = leading, 0, None, -1
            if not hands[turn]:
                return needs
        else:
            turn = turn + 1 if turn + 1 < seats else 0


def round_points(bids: Sequence[int | None], needs: Sequence[int]) -> list[int]:
    """Return the points of a round (W10). A dummy, which has a need but no bid, gets none."""
    return [-10 * abs(need) if need else 20 + 10 * (bid or 0) for bid, need in zip(bids, needs, strict=False)]
