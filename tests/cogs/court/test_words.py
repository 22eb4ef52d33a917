"""The Court's words: they say everything that its pictures show, and narrate every event."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from cogs.court.drawing.spec import CourtPicture, CourtRolls
from cogs.court.game_ui import GAME_UI
from cogs.court.words import roll_text, short_card
from engines.court import COURT, board, deck, model
from engines.court.model import Options, State
from engines.court.view import View
from engines.kit.contract import Decision, Outcome
from tests.cogs.court.states import BENCH, NAMES, cached_positions, make_state, match_positions
from tests.cogs.screen_bench import screen_text, spec_of

pytestmark = pytest.mark.usefixtures("letters")
SQUARE = r"[A-V]\d{1,2}"
LINE = re.compile(
    rf"^\*\*([A-D]) .*\*\*: Mage ({SQUARE}|off the board) · health (\d)/6 · banners ([♥♦♠♣ ]*)(\d)/(\d)"
    rf"(?: · Menhir ({SQUARE}))? · (\d) cards?$",
    re.MULTILINE,
)
PLAIN = ("Ana", "Ben", "Cleo", "Dov")


def parse_square(text: str) -> int:
    return board.parse_square(text) if re.fullmatch(SQUARE, text) else board.OFF_BOARD


def view_of(state: State) -> View:
    return COURT.view(state, None)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_table_can_be_rebuilt_from_its_words(seats: int) -> None:
    for state in cached_positions(6, seats):
        view, text = view_of(state), screen_text(BENCH.table(state))
        lines = LINE.findall(text.replace("\N{NO-BREAK SPACE}", " "))
        assert [line[0] for line in lines] == ["ABCD"[seat] for seat in view.order]
        for letter, mage, health, banners, many, goal, menhir, cards in lines:
            seat = "ABCD".index(letter)
            assert (parse_square(mage), parse_square(menhir)) == (view.mages[seat], view.menhirs[seat])
            assert (int(health), int(cards)) == (view.health[seat], view.hand_sizes[seat])
            assert tuple(sorted(map("♣♦♥♠".index, banners.replace(" ", "")))) == view.banners[seat]
            assert (int(many), int(goal)) == (len(view.banners[seat]), view.goal)
        assert f"Draw pile: {view.draw} card" in text
        assert f"Discard pile: {len(view.discard)} card" in text
        if view.discard:
            assert f"newest first: {short_card(view.discard[-1])}" in text


@pytest.mark.parametrize("seats", [2, 4])
def test_the_table_says_and_shows_whom_it_waits_for(seats: int) -> None:
    wanted = {"place": "to place the Mage", "give": "give back a banner", "move": "Phase One", "hinder": "Phase Two"}
    for state in cached_positions(7, seats):
        for seat, decision in COURT.decisions(state).items():
            assert f"Waiting for **{'ABCD'[seat]} {NAMES[seat]}** " in BENCH.table(state).above[0]
            assert wanted[decision.kind] in BENCH.table(state).above[0]
            assert [plate.turn for plate in table_picture(state).plates] == [other == seat for other in range(seats)]
            assert BENCH.table(state).headline.startswith(f"Waiting for {BENCH.context(4).short_names[seat]} to ")


def table_picture(state: State) -> CourtPicture:
    return spec_of(BENCH.table(state), CourtPicture)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t9_all_dice_of_the_last_attack_are_said_and_drawn(seats: int) -> None:
    count = 0
    for state in cached_positions(8, seats):
        attacked, text = view_of(state).attacked, screen_text(BENCH.table(state, PLAIN))
        if attacked is None:
            assert table_picture(state).rolls is None
            assert "Rolled for turn order" in text
            continue
        count += 1
        defences = tuple((defence.seat, defence.rolls[-1], defence.hit) for defence in attacked.defences)
        drawn = CourtRolls(attacked.seat, deck.card_name(attacked.card), attacked.roll, defences)
        assert table_picture(state).rolls == drawn
        attacks = f"attacks with the {short_card(attacked.card)} and rolls {attacked.roll}. "
        assert f"{PLAIN[attacked.seat]} {attacks}" in text
        for defence in attacked.defences:
            assert f"{PLAIN[defence.seat]} rolls {roll_text(defence.rolls)}: {'hit' if defence.hit else 'safe'}" in text
    assert count > 5


def test_t2_the_roll_off_is_told_until_the_first_attack() -> None:
    state = make_state("K9 P12 C20", "9D/")
    state.rolls, state.order = [(4, 2), (6,), (4, 5)], [1, 2, 0]
    text = screen_text(BENCH.table(state, PLAIN))
    assert "Ana 2 (after a tie at 4), Ben 6, Cleo 5 (after a tie at 4). The order is Ben → Cleo → Ana." in text
    assert table_picture(state).roll_off == (2, 6, 5)


def test_the_alt_text_says_what_stands_where_and_what_moved() -> None:
    state = make_state("K9 P12 C20 V4", "9D 10H/", "K5 - - D7", banners="- H")
    COURT.play(state, 0, COURT.parse_move("move 9D"))
    picture = BENCH.table(state, PLAIN).picture
    assert picture is not None
    sentences = ("Mages: A T9, B P12, C C20, D V4.", "Menhirs: A K5, D D7.", "B: 1 of 4 banners ♥, health 6.")
    assert all(part in picture.alt for part in (*sentences, "Last, 9♦ moved A from K9 to T9."))


def test_the_hands_words_say_where_each_card_leads() -> None:
    state = make_state("K9 P12 C20 V4", "9D 10H/", "K5 R12 - D7")
    screen, leads = BENCH.hand(state, 0), "10♥ to K6, stopped by the Menhir on K5; 9♦ to T9."
    assert (screen.above[1], screen.below[0]) == ("**Your hand**: 10♥, 9♦", f"Your Mage on K9 would go: {leads}")
    state.phase = "hinder"
    assert BENCH.hand(state, 0, PLAIN).below[0].splitlines() == [
        "B Ben on P12: 10♥ to P2; 9♦ to Q12, stopped by the Menhir on R12.",
        "C Cleo on C20: 10♥ to C10; 9♦ to L20.",
        "D Dov on V4: 10♥ over the top edge ♥: their banner; 9♦ over the right edge ♦: their banner.",
    ]


C9, KS, AS = deck.parse_card("9C"), deck.parse_card("KS"), deck.parse_card("AS")
K9, K12, V9 = map(board.parse_square, ("K9", "K12", "V9"))
PLACED = partial(model.MagePlaced, seat=0, square=K12)
MOVED = partial(model.MageMoved, seat=0, card=C9, start=K9)
MOVES, STAYS = "Ana moves Ben's Mage by the 9♣ from", "Ana plays the 9♣ for Ben's Mage, which stays"
EVENTS: list[tuple[Any, str | None]] = [
    (PLACED(cause="start"), "Ana places their Mage on K12."),
    (PLACED(cause="crossed", alone=True), "Ana places their Mage again on K12 (the only free square)."),
    (MOVED(mage=0, end=K12), "Ana moves their Mage by the 9♣ from K9 to K12."),
    (MOVED(mage=1, end=K12, stopped="menhir", at=V9), f"{MOVES} K9 to K12, stopped by the Menhir on V9."),
    (MOVED(mage=1, end=K9, stopped="mage", at=V9), f"{STAYS} on K9: the Mage on V9 is in the way."),
    (MOVED(mage=0, end=-1), "Ana moves their Mage by the 9♣ from K9 over the left edge ♣."),
    (model.PhaseSkipped(seat=2), "Cleo skips Phase One."),
    (model.BannerClaimed(seat=1, suit=2), "Ben claims the banner of hearts ♥."),
    (
        model.MagesAttacked(
            attacked=model.AttackResult(3, 0, KS, 4, (model.Defence(1, (4, 2), True), model.Defence(2, (6,), False)))
        ),
        "Ana attacks with the K♠ and rolls 4. Ben rolls 2 (after a tie at 4): hit; Cleo rolls 6: safe.",
    ),
    (model.MagesStruck(seat=0, card=AS), "Ana wounds with the A♠: every other Mage loses one health."),
    (model.MageDamaged(seat=1, health=3), "Ben's Mage loses one health: 3 left."),
    (model.MageKnockedOut(seat=1), "Ben's Mage is knocked out; its health is full again."),
    (model.MageHealed(seat=1, card=AS, health=6), "Ben heals with the A♠: health 6."),
    (model.MenhirSet(seat=1, start=-1, square=K9), "Ben places their Menhir on K9."),
    (model.MenhirSet(seat=1, start=V9, square=K9), "Ben moves their Menhir from V9 to K9."),
    (model.MageEnclosed(seat=1, square=K9), "Ben's Mage on K9 has Menhirs on all four sides and comes off the board."),
    (model.CardDiscarded(seat=1, card=deck.MENHIR), "Ben discards a Menhir card."),
    (model.BannerGiven(seat=1, suit=3), "Ben gives back a banner: spades ♠."),
    (model.BannerGiven(seat=1, suit=3, alone=True), "Ben gives back the only banner: spades ♠."),
    (model.PileReshuffled(cards=40), "The discard pile is shuffled: a new draw pile of 40 cards."),
    (model.CardsDrawn(seat=1, number=1), None),
    (model.HandDrawn(seat=1, cards=(AS, C9)), "You draw A♠, 9♣."),
    (model.MatchEnded(ending="banners", winners=(0,)), "The banners decide: Ana wins."),
    (model.MatchEnded(ending="turns", winners=(0, 2)), "The turn limit is reached: Ana and Cleo share the win."),
]


@pytest.mark.parametrize(("event", "sentence"), EVENTS, ids=lambda value: getattr(value, "kind", ""))
def test_an_event_is_told_in_the_rulebooks_words(event: Any, sentence: str | None) -> None:
    assert GAME_UI.screen.narrate(event, BENCH.context(4, PLAIN)) == sentence


BRIEFLY = (
    *("Ana starts on K12", "Ana returns on K12", "Ana moves to K12 with 9♣", "Ana moves Ben to K12 with 9♣"),
    *("Ana plays 9♣, but Ben cannot move", "Ana moves over the ♣ edge with 9♣", "Cleo skips Phase One"),
    *("Ben claims the ♥ banner", "Ana hits Ben with K♠", "Ana wounds all others with A♠", None, "Ben is knocked out"),
    *("Ben heals to health 6 with A♠", "Ben sets the Menhir on K9", "Ben sets the Menhir on K9"),
    *("Ben is shut in by Menhirs", "Ben discards a Menhir card", "Ben gives back the ♠ banner"),
    *("Ben gives back the ♠ banner", None, None, "You draw A♠ and 9♣", None, "the turn limit is reached"),
)


def test_an_event_is_told_briefly_unless_the_picture_shows_it() -> None:
    sentences = [GAME_UI.screen.narrate_briefly(event, BENCH.context(4, PLAIN)) for event, _ in EVENTS]
    assert tuple(sentences) == BRIEFLY


@pytest.mark.parametrize(
    ("notation", "label"),
    [
        ("place K11", "Place your Mage on K11"),
        ("give H", "Give back the banner of hearts ♥"),
        ("move 4H", "Move your Mage by the 4♥"),
        ("skip", "Skip Phase One"),
        ("push 4H B", "Move Mage B by the 4♥"),
        ("attack KH", "Attack every opponent with the K♥"),
        ("attack QH B C", "Attack B and C with the Q♥"),
        ("strike AS", "Wound every other Mage with the A♠"),
        ("heal AS", "Heal your Mage with the A♠"),
        ("menhir K9", "Menhir on K9"),
        ("discard menhir", "Discard a Menhir card"),
    ],
)
def test_a_move_has_a_name(notation: str, label: str) -> None:
    assert GAME_UI.screen.move_label(COURT.parse_move(notation)) == label


def test_the_turn_prompt_tells_nothing_hidden() -> None:
    state = make_state("K9 P12", "9D/")
    for kind, prompt in (
        ("place", "place your Mage on a starting square"),
        ("give", "give back a banner"),
        ("move", "move your Mage (turn 1, Phase One)"),
        ("hinder", "hinder the others (turn 1, Phase Two)"),
    ):
        assert GAME_UI.screen.turn_prompt(view_of(state), Decision(kind, 0)) == prompt


def test_t13_the_options_are_said() -> None:
    few = {"banners": "3 win", "turns": "at most 100, counting all players"}
    assert GAME_UI.screen.option_texts(Options(), 2) == {"banners": "4 win", "turns": "no limit"}
    assert GAME_UI.screen.option_texts(Options(3, 100), 2) == few


def test_the_sheet_has_banners_health_and_knock_outs() -> None:
    state = make_state("K9 P12", "AC/", phase="hinder", banners="HS -", health="4 1")
    COURT.play(state, 0, COURT.parse_move("strike AC"))
    drawn = BENCH.sheet(state, PLAIN)
    sheet = drawn.above[0].replace("\N{NO-BREAK SPACE}", " ")
    assert drawn.picture is not None
    assert "Banners: A ♥♠, B –. Health: A 4 of 6, B 6 of 6. Knocked out: A 0×, B 1×." in drawn.picture.alt
    assert "**A Ana**: 2 banners ♥ ♠ · health 4 · 0 knock-outs" in sheet
    assert "**B Ben**: 0 banners · health 6 · 1 knock-out" in sheet


def test_the_result_has_places_in_banners_and_how_it_ended() -> None:
    for state in ([*match_positions(3, 3, banners=2)][-1], [*match_positions(4, 2, banners=4, turns=6)][-1]):
        outcome, view = COURT.outcome(state), view_of(state)
        assert outcome is not None
        screen = BENCH.result(state, PLAIN)
        text = screen_text(screen)
        assert text.startswith("## ")
        for seat, (place, points) in enumerate(zip(outcome.places, outcome.points, strict=True)):
            banners = f"{points} banner{'' if points == 1 else 's'}, {view.health[seat]} health"
            assert re.search(rf"^\*\*{place}\w\w( \(shared\))?\*\* {'ABC'[seat]} {PLAIN[seat]}: {banners}$", text, re.M)
        assert ("The last of 2 banners was claimed in turn" in text) == (view.ending == "banners")
        assert ("The limit of 6 turns is reached" in text) == (view.ending == "turns")
        plates = spec_of(screen, CourtPicture).plates
        assert [plate.lines[-1].right[0] for plate in plates] == [str(place) for place in outcome.places]
        assert [plate.turn for plate in plates] == [place == 1 for place in outcome.places]
        assert screen.headline.startswith(f"{' and '.join(PLAIN[seat] for seat in outcome.winners)} ")


def test_t9_the_result_draws_and_says_the_dice_of_an_attack_in_the_last_turn() -> None:
    state = make_state("K9 P12", "KS/", phase="hinder")
    state.turns = state.cap = 8
    COURT.play(state, 0, COURT.parse_move("attack KS"))
    attacked = view_of(state).attacked
    assert attacked is not None
    ((defence,),) = (attacked.defences,)
    screen, fate = BENCH.result(state, PLAIN), "hit" if defence.hit else "safe"
    rolls = CourtRolls(0, "KS", attacked.roll, ((1, defence.rolls[-1], defence.hit),))
    assert spec_of(screen, CourtPicture).rolls == rolls
    assert screen.picture is not None
    assert screen.picture.alt.endswith(f" Last attack: A by K♠ rolled {attacked.roll}; B {defence.rolls[-1]} {fate}.")


@pytest.mark.parametrize(
    ("health", "places", "headline"),
    [
        ("6 4 4", (1, 2, 2), "Ana wins with 1 banner"),
        ("4 4 4", (1, 1, 1), "Ana, Ben and Cleo share the win with 1 banner each"),
    ],
)
def test_t13_health_is_told_where_it_decides(health: str, places: tuple[int, ...], headline: str) -> None:
    state = make_state("K9 P12 C20", "9D/", banners="H S C", health=health)
    outcome = Outcome(places=places, points=(1, 1, 1))
    screen = GAME_UI.screen.result(view_of(state), outcome, BENCH.context(3, PLAIN))
    assert screen.headline == headline
    assert screen_text(screen).count("1 banner, 4 health") == health.count("4")
