"""Jest's words are complete: a reader can rebuild the table, the hand and the result from them."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.jest.drawing.spec import JestSheet, JestTable, Offered
from cogs.jest.game_ui import GAME_UI
from cogs.jest.result import award_lines
from engines.jest import JEST, deck, scoring
from engines.jest.model import Offer
from engines.jest.scoring import CONDITIONS
from engines.jest.view import View
from tests.cogs.jest.states import BENCH, NAMES, match_positions, start_state
from tests.cogs.screen_bench import find_lines, parse_number, screen_text, seat_pattern, spec_of

pytestmark = pytest.mark.usefixtures("letters")
CARD = r"(Joker|(?:[Aa]ce|[234]) of (?:clubs ♣|diamonds ♦|hearts ♥|spades ♠))"
MATCHES = [*product((3, 4), range(5))]


def parse_card_words(spoken: str) -> int:
    if " of " not in spoken:
        return deck.parse_card(spoken)
    return deck.parse_card(spoken[0].replace("a", "A") + spoken.split()[2][0])


SUITS = [*enumerate(("club ♣", "diamond ♦", "heart ♥", "spade ♠"))]
ASKED = {  # what a trophy asks for, and what its picture says
    **{f"the {end} {suit[:-2]}": ((end, i), (end, suit)) for end in ("highest", "lowest") for i, suit in SUITS},
    **{f"the most {rank}s": (("majority", rank), ("most", f"{rank}s")) for rank in (2, 3, 4)},
    "the Joker": (("joker", -1), ("has the", "Joker")),
    "the best Jest": (("best", -1), ("best", "Jest")),
    "the best Jest without the Joker": (("best without joker", -1), ("best Jest,", "no Joker")),
}


def parse_table(words: str, names: tuple[str, ...]) -> SimpleNamespace:
    """Rebuild a table from its words. Letters identify the seats."""
    table = SimpleNamespace(trophies=[], chosen=[], sizes=[], takes=[])
    table.offers = []  # of each the card face up, and how many lie face down
    player, found = seat_pattern(names), partial(find_lines, words)
    ((first, last),) = found(r"\S+ Round (\d+) of (\d+)")
    table.round, table.rounds = int(first), int(last)
    ((due, prompt),) = found(r"Waiting for (.*) to (choose a card to lay face down\.|take a card: .*\.)")
    table.phase = "offer" if prompt.startswith("choose") else "take"
    table.due = ["ABCD".index(letter) for letter in re.findall(r"\*\*([A-D]) ", due)]
    table.deck = int(found(r"\*\*Deck\*\*: (\d+) cards?")[0][0])
    for trophy, condition in found(rf"{CARD}: for ([\w ]+?)(?: [♣♦♥♠])?"):
        table.trophies.append((parse_card_words(trophy), ASKED[condition][0]))
    for _, offer, size in found(rf"\*\*{player}\*\*: (.*)\. Jest: (\d+) cards?"):
        table.sizes.append(int(size))
        if offer in ("has chosen", "is choosing"):
            table.chosen.append(offer == "has chosen")
        else:
            lying = re.match(rf"{CARD} face up, ", offer)
            table.offers.append((parse_card_words(lying[1]) if lying else None, offer.count("a card face down")))
    for taker, _, source, face in found(rf"{player} from (?:(their own offer)|{player}), face (up: .*|down)"):
        seat = "ABCD".index(taker[0])
        up = None if face == "down" else parse_card_words(face.removeprefix("up: "))
        table.takes.append((seat, "ABCD".index(source[0]) if source else seat, up))
    return table


def expected_table(view: View) -> SimpleNamespace:
    taken = {take.source: take.up for take in view.takes}
    face_up, takes = (view.up, view.takes) if view.phase == "take" else ((), ())
    if view.phase == "offer" and view.past:
        face_up, takes = view.past[-1].up, view.past[-1].takes
    offers = enumerate(view.up)
    return SimpleNamespace(
        **{name: getattr(view, name) for name in ("round", "rounds", "phase", "deck")},
        due=sorted(view.waiting) if view.phase == "offer" else [view.waiting[0]],
        trophies=[(one, (CONDITIONS[one].test, CONDITIONS[one].subject)) for one in view.trophies],
        chosen=[seat not in view.waiting for seat in range(view.seats)] if view.phase == "offer" else [],
        offers=[(None if taken.get(seat) is True else one, int(taken.get(seat) is not False)) for seat, one in offers],
        sizes=list(view.jest_sizes),
        takes=[(take.seat, take.source, face_up[take.source] if take.up else None) for take in takes],
    )


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_the_table_can_be_rebuilt_from_its_words_and_its_picture_says_nothing_else(seats: int, seed: int) -> None:
    drawn = dict(ASKED.values())
    for state in match_positions(seats, seed)[:-1]:
        screen = BENCH.table(state)
        table, spec = parse_table(screen_text(screen), NAMES[:seats]), spec_of(screen, JestTable)
        assert table == expected_table(JEST.view(state, None))
        takes = table.takes if table.phase == "take" else []
        takers = {(source, up is not None): (seat, n) for n, (seat, source, up) in enumerate(takes, 1)}
        assert spec.title == (f"round {table.round}", f"of {table.rounds}")
        assert spec.deck == table.deck
        assert [deck.parse_card(trophy.key) for trophy in spec.trophies] == [one for one, _ in table.trophies]
        assert [trophy.words for trophy in spec.trophies] == [drawn[condition] for _, condition in table.trophies]
        for seat, seat_spec in enumerate(spec.seats):
            assert seat_spec.name == "ABCD"[seat]
            assert seat_spec.jest == table.sizes[seat]
            assert seat_spec.turn is (seat in table.due)
            if table.phase == "offer":
                assert seat_spec.tag == ("has chosen" if table.chosen[seat] else "choosing")
                assert (seat_spec.up, seat_spec.down) == (Offered("back" if table.chosen[seat] else ""),) * 2
                continue
            had = any(seat == taker for taker, *_ in takes)
            assert seat_spec.tag == ("has taken" if had else "to take" if seat in table.due else "")
            up, down = table.offers[seat]
            assert seat_spec.up == (Offered(deck.card_name(up)) if up is not None else Offered("", *takers[seat, True]))
            assert seat_spec.down == (Offered("back") if down else Offered("", *takers[seat, False]))


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_words_say_first_what_to_do_and_with_the_picture_what_is_held_and_was_taken(seats: int, seed: int) -> None:
    prompt = "**Make your offer**: lay one of your two cards face down. Everybody sees the other one."
    hand = r"^\*\*Your hand\*\*(?:: |, as you offer it\nFace up: )(.*)\nFace down: (.*)$"
    for state in match_positions(seats, seed)[:-1]:
        for seat in range(seats):
            screen, view = BENCH.hand(state, seat), JEST.view(state, seat)
            words, spec = screen_text(screen), spec_of(screen, JestTable).own
            assert spec is not None
            first, turn = words.splitlines()[0], state.waiting[0]
            if state.phase == "offer":
                assert first.startswith("**Offered**: ") if state.down[seat] >= 0 else first == prompt
            else:
                assert first.startswith("**Take a card**" if seat == turn else f"Waiting for **{'ABCD'[turn]} ")
            ((dealt, down),) = re.findall(hand, words, re.MULTILINE)  # both cards, or the face-up one after the offers
            lies_down = None if down == "nothing chosen yet" else parse_card_words(re.match(CARD, down)[1])  # type: ignore[index]
            assert lies_down == view.down[seat]
            assert "Ace" not in f"{dealt}{down}"
            cards = [parse_card_words(one) for one in re.findall(CARD, dealt)]
            assert set(cards) == set(view.hand) if state.phase == "offer" else cards == [view.up[seat]]
            taken = {
                parse_card_words(one): "ABCD".index(owner)
                for one, owner in re.findall(rf"{CARD} \(taken by ([A-D])\)", f"{dealt}\n{down}")
            }
            for key, lies, taker in spec.cards:
                assert taker == taken.get(deck.parse_card(key))
                laid = deck.parse_card(key) == lies_down
                assert lies == ("" if lies_down is None else "face down" if laid else "face up")
                assert laid or deck.parse_card(key) in cards
            assert {deck.parse_card(key) for key in spec.jest} == jest_cards(words) == set(view.jest)
            assert not spec.worth or f"worth **{spec.worth.removeprefix('worth ')}**" in words
            if view.jest:
                (worth,) = re.findall(r"worth \*\*(−?\d+)\*\* so far", words)
                assert parse_number(worth) == scoring.jest_value(state.jests[seat])
            hidden = re.findall(rf"face down: {CARD} \(hidden from the others\)", words)
            named_cards = [parse_card_words(one) for one in hidden]
            rounds = [(view.down, view.takes)] if state.phase == "take" else [(p.down, p.takes) for p in view.past[-1:]]
            unseen = ((lay, take) for lay, takes in rounds for take in takes if not take.up)
            assert named_cards == [lay[take.source] for lay, take in unseen if seat in (take.seat, take.source)]


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_j5_j7_it_is_told_why_somebody_is_next(seats: int, seed: int) -> None:
    for state in (state for state in match_positions(seats, seed) if state.phase == "take"):
        first = BENCH.table(state).above[0]
        turn, letter = state.waiting[0], "ABCD"[state.waiting[0]]
        highest = max(state.waiting, key=lambda seat: deck.RANKING[state.up[seat]])
        last = state.takes[-1] if state.takes else None
        if last and last.source == turn:
            assert f"{'ABCD'[last.seat]} took from {letter}'s offer" in first
        else:
            assert turn == highest
            assert ("is the highest" in first) is (last is None or len(state.waiting) > 1)
            assert last is None or f"{'ABCD'[last.source]} has already taken a card" in first


def jest_cards(words: str) -> set[int]:
    """Return the cards of the own Jest from the lines of its value, and check that the lines add up."""
    part = re.search(r"^\*\*Your Jest\*\*.*(?:\n(?!\*\*).*)*", words, re.MULTILINE)
    assert part is not None
    lines = re.findall(rf"^(?:{CARD}|Pair of .*): ([+−]?\d+)(?: \(.*\))?$", part[0], re.MULTILINE)
    total = re.search(r"worth \*\*(−?\d+)\*\*", part[0])
    assert sum(parse_number(points) for _, points in lines) == (parse_number(total[1]) if total else 0)
    return {parse_card_words(one) for one, _ in lines if one}


@pytest.mark.parametrize(("seats", "seed"), [*product((3, 4), range(12))])
def test_the_result_tells_places_trophies_and_every_jest_worked_out(seats: int, seed: int) -> None:
    *_, state = match_positions(seats, seed)
    outcome, view = JEST.outcome(state), JEST.view(state, None)
    assert outcome is not None
    assert view.final is not None
    words = screen_text(BENCH.result(state))
    places = re.findall(r"^\*\*(\d)\w\w(?: \(shared\))?\*\* ([A-D]) .*: (−?\d+) points?$", words, re.MULTILINE)
    standings = {"ABCD".index(letter): (int(place), parse_number(points)) for place, letter, points in places}
    assert standings == dict(enumerate(zip(outcome.places, outcome.points, strict=True)))
    awarded = re.findall(rf"^{CARD}, for .*: \*\*(nobody|[A-D])", words, re.MULTILINE)
    assert [(parse_card_words(one), None if owner == "nobody" else "ABCD".index(owner)) for one, owner in awarded] == [
        (award.trophy, award.seat) for award in view.final.awards
    ]
    drawn_sheet = spec_of(BENCH.result(state), JestSheet)
    rows = {row.seat: row for row in drawn_sheet.rows}
    assert [row.place for row in drawn_sheet.rows] == sorted(outcome.places)
    unwon = {award.trophy for award in view.final.awards if award.seat is None}
    assert {deck.parse_card(key) for key in drawn_sheet.nobody} == unwon
    worked = re.findall(r"^\*\*([A-D]) .*\*\*: (−?\d+) points?((?:\n(?!\*\*|#).*)+)", words, re.MULTILINE)
    assert [letter for letter, *_ in worked] == list("ABCD"[:seats])
    for seat, (_, points, lines) in enumerate(worked):
        found = re.findall(rf"^(?:{CARD}( \(trophy\))?|Pair of .*): ([+−]?\d+)", lines, re.MULTILINE)
        assert sum(parse_number(each) for *_, each in found) == parse_number(points) == outcome.points[seat]
        trophies = {award.trophy for award in view.final.awards if award.seat == seat}
        assert {parse_card_words(one) for one, mark, _ in found if mark} == trophies
        assert {parse_card_words(one) for one, *_ in found if one} == {*view.final.jests[seat], *trophies}
        drawn = {(deck.parse_card(each.key), each.points, each.trophy) for each in rows[seat].cards if each.key}
        assert drawn == {(parse_card_words(one), each, bool(mark)) for one, mark, each in found if one}
        pairs = sum(parse_number(each) for one, _, each in found if not one)
        assert [each.points for each in rows[seat].cards if not each.key] == ([f"+{pairs}"] if pairs else [])
        assert (rows[seat].total, rows[seat].place) == (points, outcome.places[seat])
    sheet = BENCH.sheet(state).above[0]
    assert all(line in sheet for line in words.splitlines() if re.match(CARD, line))


@pytest.mark.parametrize(
    ("trophy", "jests", "line"),
    [
        (
            "4S",
            ("AC 2H", "2C 3D", "3S joker"),
            "4 of spades ♠, for the lowest club ♣: **B Ben** (A 5 (an ace alone), B 2, C none)",
        ),
        (
            "2S",
            ("3S 3D", "3H 3C", "joker"),
            "2 of spades ♠, for the most 3s: **A Ana** (A 2, B 2, C none; of A and B, A has the strongest suit, "
            "the 3 of spades ♠)",
        ),
        ("AH", ("2S", "joker", "3S"), "Ace of hearts ♥, for the Joker: **B Ben** (A none, B has it, C none)"),
        ("AH", ("2S", "4S", "3S"), "Ace of hearts ♥, for the Joker: **nobody**, because the Joker is in no Jest"),
        (
            "4D",
            ("2S", "joker", "2C"),
            "4 of diamonds ♦, for the best Jest without the Joker: **A Ana** (A 2, B has the Joker, C 2; of A and C, "
            "A has the highest card, the 2 of spades ♠)",
        ),
        ("joker", ("2S", "3D", "4H"), "Joker, for the best Jest: **A Ana** (A 2, B −3, C 0)"),
    ],
)
def test_j11_it_is_told_why_a_trophy_went_where_it_did(trophy: str, jests: tuple[str, ...], line: str) -> None:
    *_, state = match_positions(3, 1)
    state.trophies = (deck.parse_card(trophy),)
    state.jests = [deck.make_jest(map(deck.parse_card, jest.split())) for jest in jests]
    final = JEST.view(state, None).final
    assert final is not None
    assert award_lines(final, BENCH.context(3, ("Ana", "Ben", "Cleo")))[1:] == [line]


@pytest.mark.parametrize(
    ("jest", "parts"),
    [
        ("AS AC", ["Ace of spades ♠: +5 (alone in its suit)", "Ace of clubs ♣: +5 (alone in its suit)", "aces: +2"]),
        ("AS 2S AC", ["2 of spades ♠: +2", "Ace of spades ♠: +1", "Ace of clubs ♣: +5 (alone in its suit)"]),
        ("AD", ["Ace of diamonds ♦: −5 (alone in its suit)"]),
        ("joker 2D", ["2 of diamonds ♦: −2", "Joker: +4 (no hearts)"]),
        ("joker AH", ["Ace of hearts ♥: −5 (alone in its suit, with the Joker)", "Joker: 0 (with hearts)"]),
        ("3H", ["3 of hearts ♥: 0 (no Joker)"]),
        (
            "joker AH 2H 3H 4H",
            [*(f": +{n} (all hearts with the Joker)" for n in (4, 3, 2, 1)), "Joker: 0 (with hearts)"],
        ),
    ],
)
def test_j12_j13_every_line_of_a_value_says_why(jest: str, parts: list[str]) -> None:
    state = start_state(3, 1)
    state.jests[0] = deck.make_jest(deck.parse_card(one) for one in jest.split())
    words = screen_text(BENCH.hand(state, 0))
    part = re.search(r"^\*\*Your Jest\*\*.*\n((?:(?!\*\*).*\n)*)", words, re.MULTILINE)
    assert part is not None
    lines = part[1].splitlines()
    assert len(lines) == len(parts)
    assert all(piece in line for piece, line in zip(parts, lines, strict=True)), lines


def test_j14_a_shared_win_and_points_below_zero_are_told() -> None:
    *_, state = match_positions(3, 1)
    state.trophies = (deck.parse_card("AH"), deck.parse_card("2H"))  # for the Joker, which nobody has
    state.jests = [deck.make_jest([deck.parse_card(one)]) for one in ("2D", "3D", "2D")]
    words = screen_text(BENCH.result(state, ("Ana", "Ben", "Cleo")))
    assert words.startswith("## Ana and Cleo share the win with −2 points each")
    assert "**1st (shared)** A Ana: −2 points\n**1st (shared)** C Cleo: −2 points\n**3rd** B Ben: −3 points" in words


def test_the_sheet_during_play_tells_what_is_public() -> None:
    for state in match_positions(3, 2)[:-1]:
        words, view = BENCH.sheet(state).above[0], JEST.view(state, None)
        sizes = re.findall(r"^\*\*[A-C] .*\*\*: Jest of (\d) cards?$", words, re.MULTILINE)
        assert [int(size) for size in sizes] == list(view.jest_sizes)
        assert {parse_card_words(one) for one in re.findall(rf"(?m)^{CARD}: for", words)} == set(view.trophies)


def test_j4_others_are_told_that_one_has_chosen_and_nothing_else() -> None:
    state, context = start_state(3, 4), BENCH.context(3, ("Ana", "Ben", "Cleo"))
    for card in state.dealt[1]:
        events: list[Any] = [event for event in JEST.play(JEST.copy(state), 1, Offer(card)) if event.is_visible_to(0)]
        assert [GAME_UI.screen.narrate(event, context) for event in events] == ["Ben has chosen."]
