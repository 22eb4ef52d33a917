"""Wizard's words are complete: a reader can rebuild the table and the hand from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from cogs.pictures.raster.typeface import SEAT_LETTERS
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow
from cogs.screens import words as screen_words
from cogs.wizard.drawing.spec import CLOTH, WizardPicture
from cogs.wizard.game_ui import GAME_UI
from cogs.wizard.words import short_card
from engines.kit.chance import Chance
from engines.wizard import WIZARD, deck
from engines.wizard.model import SPECIAL_NAMES, Options, Play, RoundDealt, State
from engines.wizard.view import View
from tests.cogs.screen_bench import find_lines, parse_number, plain_number, screen_text, seat_pattern, spec_of
from tests.cogs.wizard.states import BENCH, NAMES, match_positions
from tests.engines.wizard.positions import parse_position

pytestmark = pytest.mark.usefixtures("letters")
CARD = r"(Wizard|Jester|(?:ace|king|queen|jack|10|[2-9]) of (?:clubs ♣|diamonds ♦|hearts ♥|spades ♠))"
NO_SUIT_YET = "there is no suit to follow yet. The first card with a suit sets it."
SEEN = [(3, 1), (4, 2), (5, 3), (6, 4)]


def parse_card_words(spoken: str) -> int:
    if " of " not in spoken:
        return deck.parse_card(spoken)
    rank, suit = spoken.split()[0], spoken.split()[2]
    return deck.parse_card({"ace": "A", "king": "K", "queen": "Q", "jack": "J"}.get(rank, rank) + suit[0])


def parse_table(words: str, names: tuple[str, ...]) -> SimpleNamespace:
    """Rebuild a table from its words. Letters identify the seats."""
    table = SimpleNamespace(bids=[], taken=[], scores=[], gained=[], hand_sizes=[], last=[], last_taker=None)
    player, found = seat_pattern(names), partial(find_lines, words)
    ((first, last, dealt),) = found(r"\S+ Round (\d+) of (\d+)(?: \((\d+) cards?\))?(?:, the end\.)?")
    table.round, table.rounds, table.trick_count = int(first), int(last), int(dealt or first)
    table.turn = next(
        ("ABCDEF".index(seat[0]) for (seat,) in found(rf"Waiting for \*\*{player}\*\* to [a-z ]+\.")), None
    )
    trump = found(r"\*\*Trump\*\*: (\w+) [♣♦♥♠](?:, named by .*)?")
    table.trump = "cdhs".index(trump[0][0][0]) if trump else None
    table.turned = next((parse_card_words(up) for (up,) in found(f"Turned up: {CARD}")), None)
    table.dealer = "ABCDEF".index(found(rf"\*\*Dealer\*\*: {player}")[0][0][0])
    won = r"(?:no bid yet|bid (\d+), took (\d+))"
    line = rf"\*\*{player}\*\*: {won}, (−?\d+) points?(?: \(([+−]?\d+) last round\))?, (\d+) cards?"
    for _, bid, taken, score, gained, cards in found(line):
        table.bids.append(None if bid is None else int(bid))
        table.taken.append(int(taken or 0))
        table.scores.append(parse_number(score))
        table.gained += [parse_number(gained)] if gained else []
        table.hand_sizes.append(int(cards))
    laid = found(rf"{player} (?:leads|plays): {CARD}")
    table.trick = [("ABCDEF".index(seat[0]), parse_card_words(one)) for seat, one in laid]
    table.best = next(("ABCDEF".index(seat[0]) for (seat,) in found(f"Best so far: {player}")), None)
    for taker, fallen in found(rf"\*\*Last trick(?: of round \d+)?\*\*, taken by {player}\n(.*)"):
        table.last_taker = "ABCDEF".index(taker[0])
        lines = re.findall(rf"([A-F]) (?:leads|plays) {CARD}", fallen)
        table.last = [("ABCDEF".index(seat), parse_card_words(one)) for seat, one in lines]
    ((together, tricks, limit),) = found(r"Bids total: (\d+) of (\d+) tricks?(?: \(hook: must not end at (\d+)\))?")
    table.together, table.hooked = int(together), limit is not None
    assert {int(tricks), int(limit or tricks)} == {table.trick_count}
    return table


def expected_table(view: View) -> SimpleNamespace:
    last = [] if view.last is None else by_seat(view.last.leader, view.last.cards, view.seats)
    trick = by_seat(view.leader, view.trick, view.seats)
    return SimpleNamespace(
        **{name: getattr(view, name) for name in ("round", "rounds", "trump", "turned", "dealer", "trick_count")},
        **{name: list(getattr(view, name)) for name in ("bids", "taken", "scores", "hand_sizes")},
        turn=None if view.phase == "over" else view.turn,
        gained=[score.points for score in view.sheet[-1]] if view.sheet else [],
        trick=trick,
        best=trick[deck.winning_index(view.trick, view.trump)][0] if trick else None,
        last=last,
        last_taker=view.last and view.last.winner,
        together=sum(bid or 0 for bid in view.bids),
        hooked=view.phase in ("trump", "bid") and view.hook is not None and view.hook <= view.trick_count,
    )


def by_seat(leader: int, cards: Sequence[int], seats: int) -> list[tuple[int, int]]:
    return [((leader + i) % seats, card) for i, card in enumerate(cards)]


HOUSE_RULES = [
    (4, 1, Options(5, hook=2)),
    (3, 2, Options(5, "by twos")),
    (5, 3, Options(4, "descending", 1)),
    (6, 4, Options(hands="all cards")),
]


@pytest.mark.parametrize(
    ("seats", "seed", "options"),
    [*((*row, Options()) for row in SEEN), *((seats, 5, Options()) for seats in range(3, 7)), *HOUSE_RULES],
)
def test_the_table_can_be_rebuilt_from_its_words_and_its_picture_says_nothing_else(
    seats: int, seed: int, options: Options
) -> None:
    for state in match_positions(seats, seed, options=options):
        screen = BENCH.table(state)
        table, spec = parse_table(screen_text(screen), NAMES[:seats]), spec_of(screen, WizardPicture)
        assert table == expected_table(WIZARD.view(state, None))
        assert spec.counts == (
            f"round {table.round} of {table.rounds}",
            f"bids total {table.together} of {table.trick_count}",
        )
        assert spec.turned == (None if table.turned is None else deck.card_name(table.turned))
        assert spec.trump == trump_words(table, state)
        assert list(spec.plates) == [rebuild_plate(table, seat, state.phase) for seat in range(seats)]
        assert spec.hand == ()
        tricks = spec.trick.cards, spec.last.cards
        fallen = {tuple((laid.seat, deck.parse_card(laid.card)) for laid in trick) for trick in tricks}
        assert fallen <= {tuple(table.trick), tuple(table.last), ()}
        assert {spec.trick.taker, spec.last.taker} <= {table.best, table.last_taker, None}


def trump_words(table: SimpleNamespace, state: State) -> tuple[str, str]:
    why = {None: "every card is dealt", deck.WIZARD: "a Wizard turned up", deck.JESTER: "a Jester turned up"}
    up = why.get(table.turned) or f"{short_card(table.turned or 0)} turned up"
    if table.trump is None:
        return "trump suit to be named" if table.turned == deck.WIZARD else "no trump", up
    trump_source = f"named by {SEAT_LETTERS[table.dealer]}" if table.turned == deck.WIZARD else up
    return ("clubs are trump ♣", "diamonds are trump ♦", "hearts are trump ♥", "spades are trump ♠")[
        table.trump
    ], trump_source


def rebuild_plate(table: SimpleNamespace, seat: int, phase: str) -> SeatPlate:
    bid, points = table.bids[seat], plain_number(table.scores[seat])
    if bid is None:
        won = "deals, no bid" if seat == table.dealer else "no bid yet"
    else:
        won = f"bid {bid}" if phase == "bid" else f"took {table.taken[seat]} of {bid}"
    lines = [PlateLine(won), PlateLine(f"{points} points", "gold")]
    if len(table.bids) > 4:
        lines = [PlateLine(won, right=points, right_tone="gold")]
    return SeatPlate(seat, SEAT_LETTERS[seat], tuple(lines), seat == table.turn)


def parse_hand_words(words: str) -> list[int]:
    cards: list[int] = []
    for suit, ranks in re.findall(r"^[♣♦♥♠] (\w+)(?: \(trump\))?: (.*)$", words, re.MULTILINE):
        cards += [parse_card_words(f"{rank} of {suit.lower()} x") for rank in ranks.split(", ")]
    for count, kind in re.findall(r"^\S+ (\d) (Wizard|Jester)s?$", words, re.MULTILINE):
        cards += [deck.parse_card(kind)] * int(count)
    return sorted(cards)


@pytest.mark.parametrize(("seats", "seed"), SEEN)
def test_a_hand_says_first_what_to_do_and_can_be_rebuilt_with_its_table_from_its_words(seats: int, seed: int) -> None:
    prompts = {
        "trump": ("**Name the trump suit**",),
        "bid": ("**Bid**",),
        "play": ("**Lead a card**", "**Play a card**"),
    }
    for n, state in enumerate(match_positions(seats, seed)):
        for seat in {state.turn, n % seats}:
            screen = BENCH.hand(state, seat)
            words, spec = screen_text(screen), spec_of(screen, WizardPicture)
            if state.phase == "over":
                assert words.startswith("The match is over.\n")
            elif seat == state.turn:
                assert words.startswith(prompts[state.phase])
            else:
                assert words.startswith(f"Waiting for **{'ABCDEF'[state.turn]} {NAMES[state.turn]}** to ")
            table = parse_table(for_others(words, seat).replace("-# Round", "## Round"), NAMES[:seats])
            expected, hand = expected_table(WIZARD.view(state, None)), list(WIZARD.view(state, seat).hand)
            assert parse_hand_words(words) == hand == sorted(deck.parse_card(face.key) for face in spec.hand)
            for name in ("trick", "trump", "turned", "dealer", "bids", "taken", "scores"):
                assert getattr(table, name) == getattr(expected, name)
            raised = {deck.parse_card(face.key) for face in spec.hand if face.raised}
            assert playable_cards(words, state, seat) == raised


def for_others(words: str, seat: int) -> str:
    """Replace “you” with the name that others read."""
    name = f"{'ABCDEF'[seat]} {NAMES[seat]}"
    words = re.sub(r"\b[Yy]ou (lead|play)\b", lambda match: f"{name} {match[1]}s", words)
    return re.sub(r"(: |by )you( are)?\b", lambda match: f"{match[1]}{name}{' is' if match[2] else ''}", words)


def playable_cards(words: str, state: State, seat: int) -> set[int]:
    todo = words.splitlines()[0]
    if not todo.startswith(("**Lead a card**", "**Play a card**")):
        return set()
    if "any card" in todo or "of your choice" in todo:
        return set(WIZARD.view(state, seat).hand)
    return {parse_card_words(one) for one in re.findall(CARD, todo.partition("You may play")[2])}


@pytest.mark.parametrize(
    ("trick", "todo", "sentence"),
    [
        ("jester", f" of your choice: {NO_SUIT_YET}", "no suit to follow yet"),
        ("jester jester", f" of your choice: {NO_SUIT_YET}", "no suit to follow yet"),
        ("wizard", " of your choice: there is no suit to follow.", "no suit to follow"),
        ("jester wizard", " of your choice: there is no suit to follow.", "no suit to follow"),
        ("jester 3D", ": you must follow diamonds ♦. You may play the 5 of diamonds ♦.", "follow diamonds ♦"),
    ],
)
def test_after_jesters_alone_a_card_of_a_suit_will_set_the_suit_to_follow(trick: str, todo: str, sentence: str) -> None:
    """W6: until a suit or a Wizard decides."""
    state = parse_position(f"trump: none | players: 4 | trick: {trick} | hand: 5D 6S 7S 8S")
    words = screen_text(BENCH.hand(state, state.turn))
    assert words.splitlines()[0] == f"**Play a card**{todo}"
    assert f"**Trick 1 of 4**: {sentence}\n" in words


def test_the_draw_for_the_deal_is_told_in_the_first_round_only() -> None:
    for state in match_positions(4, 2, rounds=2):
        words = screen_text(BENCH.table(state))
        drawn = re.findall(r"^(?:Drawn for the deal|Tied, drawn again): (.*)$", words, re.MULTILINE)
        rows = [[(s, parse_card_words(c)) for s, c in re.findall(rf"([A-F]): {CARD}", row)] for row in drawn]
        expected = [[("ABCDEF"[s], c) for s, c in enumerate(row) if c >= 0] for row in state.draws]
        assert rows == (expected if state.round == 1 else [])


@pytest.mark.parametrize(("seats", "rounds"), [(3, 20), (4, 15), (5, 12), (6, 10), (6, 1)])
def test_the_result_tells_places_points_and_every_round(seats: int, rounds: int) -> None:
    *_, state = match_positions(seats, 8, rounds)
    outcome = WIZARD.outcome(state)
    assert outcome is not None
    screen = BENCH.result(state)
    words = screen_text(screen)
    rows = re.findall(r"^\*\*(\d+)\*\*: (.*)$", words, re.MULTILINE)
    cell = re.compile(r"([A-F])\xa0(\d+)/(\d+)\xa0(\S?\d+)(?:\xa0· |$)")
    cells = [[(letter, int(b), int(t), parse_number(p)) for letter, b, t, p in cell.findall(row)] for _, row in rows]
    assert cells == [[("ABCDEF"[seat], *score) for seat, score in enumerate(row)] for row in state.sheet]
    places = re.findall(r"^\*\*(\d)\w\w(?: \(shared\))?\*\* ([A-F]) .*: (\S?\d+) points?$", words, re.MULTILINE)
    standings = {"ABCDEF".index(letter): (int(place), parse_number(points)) for place, letter, points in places}
    assert standings == {s: (p, q) for s, (p, q) in enumerate(zip(outcome.places, outcome.points, strict=True))}
    sums, sheet = [0] * seats, []
    for (name, _), row in zip(rows, cells, strict=True):
        sums = [before + points for before, (*_, points) in zip(sums, row, strict=True)]
        drawn = tuple((f"{b}/{t}", f"{p:+d}".replace("-", "−")) for _, b, t, p in row)
        sheet.append(SheetRow(name, drawn, tuple(map(plain_number, sums))))
    totals, note = tuple(map(plain_number, outcome.points)), "bid/took, points, total so far"
    expected = ScoreSheet(tuple(sheet), totals, outcome.places, note, tuple(SEAT_LETTERS[:seats]), cloth=CLOTH)
    assert replace(spec_of(screen, ScoreSheet), banner=None) == expected
    assert screen.headline == screen_words.result_headline(outcome, BENCH.context(seats))


def test_w11_a_shared_win_is_told() -> None:
    *_, state = match_positions(3, 1, 1)
    state.scores = [40, -10, 40]
    words = screen_text(BENCH.result(state, ("Ana", "Ben", "Cleo")))
    assert words.startswith("## Ana and Cleo share the win with 40 points each")
    assert "**1st (shared)** A Ana: 40 points\n**1st (shared)** C Cleo: 40 points\n**3rd** B Ben: −10 points" in words


@pytest.mark.parametrize(
    ("rounds", "seats", "text"),
    [
        (None, 4, "15 (the full game)"),
        (15, 4, "15 (the full game)"),
        (5, 6, "5 (the full game has 10)"),
        (20, 6, "10 (the full game; 6 players cannot play 20)"),
    ],
)
def test_w2_the_rounds_are_told_as_they_work_out(rounds: int | None, seats: int, text: str) -> None:
    assert GAME_UI.screen.option_texts(Options(rounds), seats)["rounds"] == text


@pytest.mark.parametrize(
    ("options", "rounds", "hands", "hook"),
    [
        (Options(), "15 (the full game)", "growing (1, 2, 3 … 15 cards)", "off"),
        (Options(1), "1 (the full game has 15)", "growing (1 card)", "off"),
        (Options(None, "by twos", 4), "8 (the full game)", "by twos (1, 3, 5 … 15 cards)", "from 4 cards on"),
        (Options(3, "quick", 5), "3 (the full game has 8)", "quick (1, 3, 5 cards)", "from 5 cards on"),
        (
            Options(9, "quick", 1),
            "8 (the full game; 4 players cannot play 9)",
            "quick (1, 3, 5 … 15 cards)",
            "from 1 card on",
        ),
        (
            Options(4, "descending", 5),
            "4 (the full game has 15)",
            "descending (4, 3, 2 … 1 card)",
            "from 5 cards on (no hand is that large)",
        ),
        (
            Options(None, "all cards", 10),
            "5 (the full game)",
            "all cards (5 rounds of 15 cards)",
            "from 10 cards on",
        ),
    ],
)
def test_w12_to_w15_the_house_rules_are_told_as_they_work_out(
    options: Options, rounds: str, hands: str, hook: str
) -> None:
    off = {"bids": "open", "blind": "off", "dummy": "off", **dict.fromkeys(SPECIAL_NAMES, "off")}
    assert GAME_UI.screen.option_texts(options, 4) == {"rounds": rounds, "hands": hands, "hook": hook, **off}


def test_the_offered_numbers_of_rounds_fit_the_option_hands() -> None:
    offered = GAME_UI.screen.option_values
    assert offered("rounds", Options(), 4) == (None, *range(1, 15))
    assert offered("rounds", Options(hands="by twos"), 4) == (None, *range(1, 8))
    assert offered("rounds", Options(hands="all cards"), 4) == (None, 1, 2, 3, 4)
    assert offered("hook", Options(), 4) == (None, 1, 2, 3, 4, 5, 10)
    assert offered("hook", Options(2, "by twos"), 4) == (None, 1, 2, 3)
    assert offered("hook", Options(2, "by twos"), 3) == (None, 1, 2, 3, 4)
    assert offered("hands", Options(), 4) == ()


@pytest.mark.parametrize(
    ("options", "minutes"),
    [
        *((Options(), 70), (Options(5, hook=1), 10), (Options(hands="quick"), 40), (Options(hands="descending"), 70)),
        *((Options(hands="all cards"), 45), (Options(1, "descending"), 5)),
    ],
)
def test_the_lobby_says_how_long_a_match_with_other_hands_takes(options: Options, minutes: int) -> None:
    assert GAME_UI.screen.match_minutes(options, 4) == minutes


def test_w12_the_dealer_is_told_what_the_hook_forbids_and_why() -> None:
    state = parse_position("phase: bid | hook: 2 | bids: 1 0 - | hand: 2H 3H 4S")
    screen = BENCH.hand(state, 2)
    assert (
        "how many of the 3 tricks will you take? You cannot bid 2, because the bids must not total 3."
        in screen_text(screen)
    )
    assert (screen.headline, screen.rule) == ("Bid: how many of the 3 tricks? You cannot bid 2.", "W12")
    one = BENCH.hand(parse_position("phase: bid | hook: 1 | bids: 1 0 - | hand: 2H"), 2)
    assert "will you take the only trick? You cannot bid 0, because the bids must not total 1." in screen_text(one)
    free = BENCH.hand(parse_position("phase: bid | hook: 2 | bids: 3 1 - | hand: 2H 3H 4S"), 2)
    assert (free.headline, free.rule) == ("Bid: how many of the 3 tricks?", "W4")


def test_w15_the_trump_of_a_deal_of_all_cards_is_told() -> None:
    state = WIZARD.start(3, Options(hands="all cards"), Chance("1" * 32))
    dealt = RoundDealt(round=1, dealer=0, turned=None, trump=0)
    sentence = GAME_UI.screen.narrate(dealt, BENCH.context(3))
    assert sentence is not None
    assert sentence.endswith("Every card is dealt: clubs ♣ are trump.")
    assert "**Trump**: clubs ♣\nNo card is turned up: every card is dealt" in screen_text(BENCH.table(state))
    assert spec_of(BENCH.table(state), WizardPicture).trump == ("clubs are trump ♣", "every card is dealt")


def test_moves_have_labels_of_their_own_and_turns_hide_the_hand() -> None:
    moves = [f"play {deck.card_name(one)}" for one in range(deck.CARD_KINDS)]
    moves += [*(f"bid {tricks}" for tricks in range(21)), *(f"trump {suit}" for suit in "CDHS")]
    moves += [*(f"pass {deck.card_name(one)}" for one in range(deck.CARD_KINDS)), "trump none", "raise", "lower"]
    assert (
        len({GAME_UI.screen.move_label(WIZARD.parse_move(move)) for move in moves})
        == len(moves)
        == 60 + 21 + 4 + 60 + 3
    )
    assert GAME_UI.screen.move_label(Play(deck.parse_card("10H"))) == "Play the 10 of hearts ♥"
    turns = BENCH.turn_prompts(match_positions(3, 6, rounds=2))
    assert {"bid in round 2", "lead a card in round 2", "play a card in round 2"} <= turns
