"""Whole matches of Jester's Court, what is known in them, and what its values promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import median

import pytest

from engines.court import COURT, board, deck
from engines.court.board import OFF_BOARD, START_SQUARES
from engines.court.deck import NUMBER_CARDS
from engines.court.model import MatchEnded, Move, Options, State
from engines.court.sample import unseen_cards
from engines.hosting.records import record
from engines.kit.chance import Chance
from tests.engines.court import positions
from tests.engines.court.players import choose_builder, choose_runner, choose_walker
from tests.engines.court.positions import all_cards, finish_turn, hand_names, parse_cards, parse_position, play_moves
from tests.engines.court.reference_rules import PlainObserver, is_number, walk_mage
from tests.golden.records import records_in

Player = Callable[[State, int, Random], Move]
GAMES = {"court": COURT}
GOLDEN = Path(__file__).with_name("golden") / "meant"  # beside the random ones: these want to win

MATCHES = [(seats, seed) for seats in (2, 3, 4) for seed in range(6, 12)]  # somebody skips in one, which is rare


def start_match(seats: int, seed: int) -> State:
    """A match at its beginning; with four players every other one as it may be later, a Mage almost enclosed."""
    state = COURT.start(seats, Options(turns=200), Chance(f"{seed:032x}"))
    if seats == 4 and seed % 2:
        first, *others = state.order
        state.owed.clear()
        state.mages = list(START_SQUARES)
        state.mages[others[0]] = board.parse_square("E5")
        for seat, name in zip(others, ("E4", "D5", "F5"), strict=True):
            state.menhirs[seat] = board.parse_square(name)
        state.draw.append(state.hands[first].pop())
        state.draw.remove(deck.MENHIR)
        state.hands[first].append(deck.MENHIR)
    return state


@pytest.mark.parametrize("player", [choose_builder, choose_runner])
def test_in_every_match_the_rules_of_the_table_hold(player: Player) -> None:
    kinds = set[str]()
    for seats, seed in MATCHES:
        rng = Random(f"{seats} {seed}")
        state = start_match(seats, seed)
        pack, watcher = all_cards(state), PlainObserver(COURT.view(state, None))
        while decisions := COURT.decisions(state):
            ((seat, decision),) = decisions.items()
            assert decision.due
            assert (decision.kind in ("place", "give")) == bool(state.owed)
            assert state.owed or seat == state.turn
            move = player(state, seat, rng)
            COURT.check(state, seat, move)
            events = COURT.play(state, seat, move)
            kinds |= {event.kind for event in events}  # type: ignore[attr-defined]
            watcher.see_events(events)
            check_invariants(state, pack)
            watcher.check_view(COURT.view(state, None))
        assert (state.turns == 200) == (state.ending == "turns")
        assert max(map(len, state.banners)) == 4 or state.ending == "turns"
    if player is choose_builder:
        assert kinds == {
            *("placed", "moved", "skipped", "claimed", "attacked", "struck", "damaged", "knocked", "healed", "menhir"),
            *("enclosed", "discarded", "gave", "reshuffled", "drew", "drawn", "ended"),
        }


def check_invariants(state: State, pack: Counter[int]) -> None:
    assert all_cards(state) == pack
    assert pack.total() == 54 * (len(state.mages) - 1)
    standing = [square for square in (*state.mages, *state.menhirs) if square != OFF_BOARD]
    assert len(set(standing)) == len(standing)
    assert set(standing) <= set(range(484))
    assert not set(state.menhirs) & set(START_SQUARES)
    assert all(1 <= health <= 6 for health in state.health)
    owing = {owed.seat for owed in state.owed if owed.what == "place"}
    assert state.phase == "over" or owing == {seat for seat, mage in enumerate(state.mages) if mage == OFF_BOARD}
    least = {"move": 6, "hinder": 5, "end": 4, "over": 4}[state.phase]
    for seat, hand in enumerate(state.hands):
        assert hand == sorted(hand)
        assert least <= len(hand) <= 6 if seat == state.turn else len(hand) == 6
        assert state.bare[seat] <= sum(not is_number(card) for card in hand)
    assert Counter(state.draw) <= Counter(state.pool)


# --- Where cards lead


@pytest.mark.parametrize("seed", range(5))
def test_a_path_is_what_walking_step_by_step_comes_to(seed: int) -> None:
    rng = Random(seed)
    state = parse_position("   K L M N\n9 A B C D")
    for _ in range(400):
        squares = rng.sample(range(484), 8)
        if rng.random() < 0.7:  # close together
            squares = [90 + 22 * (place // 6) + place % 6 for place in rng.sample(range(36), 8)]
        state.mages, state.menhirs = squares[:4], squares[4:]
        mage, card = rng.randrange(4), rng.choice(sorted(deck.NUMBER_CARDS | deck.COURT_CARDS))
        path = board.mage_path(COURT.view(state, None), mage, card)
        assert path.start == state.mages[mage]
        assert path.end == walk_mage({*squares}, path.start, card)
        assert board.trace_move(state, path.start, card) == (path.end, path.at)
        assert path.crosses == (path.end == OFF_BOARD)
        step = (-1, 1, -22, 22)[card // 13]
        if path.stopped:
            assert path.at == path.end + step
            assert path.at in (state.mages if path.stopped == "mage" else state.menhirs)
        else:
            assert path.at == OFF_BOARD
            assert path.crosses or path.end == path.start + step * deck.CARD_STEPS[card]


# --- What a seat knows


def test_a_skip_and_a_court_card_tell_that_no_number_card_is_held() -> None:
    state = parse_position("   K L\n9 A B\nfill: other\nhands: AS AC JD AH KS KC / 4H 4S\ntop: 2C 3C 5C 6C 7C 8C")
    view = COURT.view(state, 1)
    assert view.bare == (0, 0)
    play_moves(state, "skip")
    assert COURT.view(state, 1).bare == (6, 0)
    play_moves(state, "discard AS")
    assert COURT.view(state, 1).bare == (5, 0)  # and 2C, which was drawn
    finish_turn(state)
    assert COURT.view(state, 1).bare == (5, 0)
    play_moves(state, "move 2C", "attack KS")
    assert COURT.view(state, 1).bare == (4, 0)


def test_samples_deal_no_number_card_if_none_can_be() -> None:
    state = parse_position("   K L\n9 A B\nfill: other\nhands: AS AC JD AH KS KC / 4H 4S\ntop: 2C")
    play_moves(state, "skip", "discard AS")
    view = COURT.view(state, 1)
    for number in range(60):
        sampled = COURT.sample(view, Chance(f"{number:032x}"))
        assert sum(card not in NUMBER_CARDS for card in sampled.hands[0]) >= 5
        assert sampled.hands[1] == state.hands[1]


def test_after_a_reshuffle_with_two_players_anyone_who_counts_knows_the_others_hand() -> None:
    state = parse_position("   K L\n9 A B\nfill: number\nhands: 4S 5S / 9C 9D 9H\ndraw: 2")
    finish_turn(state)
    play_moves(state, f"move {hand_names(state, 1).split()[0]}")
    before = state.hands[0].copy()
    play_moves(state, positions.legal_notations(state, "discard")[0])  # B draws from the new pile
    for number in range(20):
        sampled = COURT.sample(COURT.view(state, 1), Chance(f"{number:032x}"))
        assert sampled.hands[0] == before == state.hands[0]
        assert Counter(sampled.draw) == Counter(state.draw)
    unknown = {tuple(COURT.sample(COURT.view(state, 0), Chance(f"{n:032x}")).hands[1]) for n in range(20)}
    assert len(unknown) > 10  # two cards of B came from the new pile
    known = Counter(state.hands[1]) - Counter(state.pool)
    assert known.total() == 4
    for cards in unknown:
        assert not known - Counter(cards)


@pytest.mark.parametrize("hidden", ["", "QS KS AD 9C", "QS KS AD AC"])
def test_samples_deal_each_way_equally_often_if_few_are_left(hidden: str) -> None:
    """A has shown three cards to be no number cards; the draw pile of two has none that was kept from it."""
    view = COURT.view(parse_position("   K L\n9 A B\nhands: / 4H 5H 6H 7H 8H 9H"), 1)
    cards = parse_cards("9C JS QS KS AD AC AS 4S")
    pile = Counter(deck.full_pack(2)) - Counter([*cards, *view.hand])
    pool = Counter(deck.full_pack(2)) - Counter(parse_cards(hidden))
    view = replace(
        view,
        bare=(3, 0),
        draw=2,
        discard=tuple(pile.elements()),
        pool=tuple(sorted(pool.elements())),
        hand_sizes=(6, 6),
    )
    deals: Counter[tuple[int, ...]] = Counter()
    for places in permutations(cards):
        if not NUMBER_CARDS.intersection(places[:3]) and not set(places[6:]).intersection(parse_cards(hidden)):
            deals[tuple(sorted(places[:6]))] += 1
    sampler, number = COURT.sampler(view), 6000
    dealt = Counter(tuple(sampler(Chance(f"{seed:032x}")).hands[0]) for seed in range(number))
    assert dealt.keys() <= deals.keys()
    for hand_, count in deals.items():
        share = count / deals.total()
        assert abs(dealt[hand_] / number - share) < 4 * (share * (1 - share) / number) ** 0.5, positions.card_names(
            hand_
        )


def test_samples_put_every_unseen_card_everywhere() -> None:
    state = parse_position("   K L M\n9 A B C")
    view = COURT.view(state, 0)
    places: list[set[int]] = [set(), set(), set()]
    tops = set()
    for number in range(400):
        sampled = COURT.sample(view, Chance(f"{number:032x}"))
        for place, cards in zip(places, (*sampled.hands[1:], sampled.draw), strict=True):
            place |= set(cards)
        tops.add(sampled.draw[-1])
    everything = set(unseen_cards(view))
    assert places == [everything] * 3
    assert len(tops) > len(everything) - 3


def test_a_view_shows_how_mages_moved_since_the_last_phase_one_began() -> None:
    state = parse_position("   K L M\n9 A . B\nhands: 3S 4C 5C 6C 7C 8C / JD QD KD AD AC AS\ntop: KH KC")
    (own,) = play_moves(state, "move 3S")
    assert COURT.view(state, None).moved == (own,)
    pushed = play_moves(state, "push 4C B")[0]
    assert COURT.view(state, None).moved == (own, pushed)
    play_moves(state, "skip")
    assert COURT.view(state, None).moved == ()
    play_moves(state, "discard AC")
    (own,) = play_moves(state, "move 5C")
    assert COURT.view(state, None).moved == (own,)


# --- Notation


def test_notation_is_read_leniently() -> None:
    for text, written in {
        "PLACE k 11": "place K11",
        "move 10h": "move 10H",
        "Skip": "skip",
        "push 4h, b": "push 4H B",
        "attack qh c b": "attack QH B C",
        "attack KH": "attack KH",
        "strike as": "strike AS",
        "heal as": "heal AS",
        "menhir k09": "menhir K9",
        "discard joker": "discard menhir",
        "give hearts": "give H",
    }.items():
        assert COURT.format_move(COURT.parse_move(text)) == written


# --- Records


def test_there_are_golden_records_of_every_ending() -> None:
    endings = set()
    for path in records_in(GOLDEN):
        *_, last = record.replay(record.parse_record(path.read_text(encoding="utf-8")), GAMES).events[-1]
        assert isinstance(last, MatchEnded)
        endings.add((last.ending, len(last.winners)))
    assert endings == {("banners", 1), ("turns", 1), ("turns", 2)}


@pytest.mark.parametrize(
    ("player", "seats", "banners", "between"),
    [
        (choose_runner, 2, 4, (25, 60)),
        (choose_walker, 4, 4, (40, 65)),
        (choose_runner, 4, 4, (150, 2000)),
        (choose_runner, 4, 3, (40, 100)),
    ],
)
def test_t13_the_length_of_a_match_depends_on_pushing_and_attacking(
    player: Player, seats: int, banners: int, between: tuple[int, int]
) -> None:
    """As the rules page says of two players, of four who only run, and of four who fight."""
    turns = []
    for seed in range(9):
        rng, state = Random(seed), COURT.start(seats, Options(banners=banners, turns=600), Chance(f"{seed:032x}"))
        while decisions := COURT.decisions(state):
            seat = next(iter(decisions))
            COURT.play(state, seat, player(state, seat, rng))
        turns.append(state.turns)
    assert between[0] <= median(turns) <= between[1]
