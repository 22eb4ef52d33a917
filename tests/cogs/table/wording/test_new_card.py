"""The special card that a hand explains: each once in a match, one at a time, from the match's own record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.screens.picture import Picture
from cogs.screens.special_cards import MAX_ALT, SpecialCard, with_effects
from cogs.table.pages.match_pages import PageContext, hand_page
from cogs.table.pages.page import Text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording.new_card import MOVES_TO_KNOW, new_card
from cogs.wizard.intro import INTRO
from cogs.wizard.screen import WizardScreen
from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.wizard import WIZARD
from engines.wizard.deck import parse_card
from engines.wizard.model import CardPlayed, HandDealt
from engines.wizard.view import View
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots

HELPER = HELPERS["wizard"]
START = next(start for start in HELPER.starts() if not start.options.elephant)
FIRST = match_snapshots(HELPER, START)[0]
WIZARD_TEXT = "Wizard: beats every card but an earlier Wizard."
JESTER_TEXT = "Jester: loses to every card that has a suit."


def moment(hand: str, events: tuple[MatchEvent, ...] = (), movers: tuple[int, ...] = ()) -> MatchSnapshot:
    """The match when the first seat has this hand, after these events and moves."""
    state = WIZARD.copy(FIRST.state)
    state.hands[0] = sorted(map(parse_card, hand.split()))
    info = replace(FIRST.info, moves=len(movers))
    return replace(FIRST, info=info, state=state, events=events, movers=movers)


def explained_text(snapshot: MatchSnapshot) -> str:
    card = new_card(snapshot, 0, HELPER.screen)
    return card.text if card else ""


def dealt(move: int, *cards: str) -> MatchEvent:
    return MatchEvent(move, HandDealt(seat=0, cards=tuple(map(parse_card, cards)), to=(0,)))


def played(move: int, card: str) -> MatchEvent:
    return MatchEvent(move, CardPlayed(seat=0, card=parse_card(card)))


def test_a_card_of_the_first_deal_is_explained_until_the_next_own_move() -> None:
    assert explained_text(moment("wizard 5C")) == WIZARD_TEXT
    assert explained_text(moment("wizard 5C", movers=(1, 2))) == WIZARD_TEXT, "others have moved"
    assert explained_text(moment("wizard 5C", movers=(1, 2, 0))) == ""


def test_several_cards_are_explained_in_turn() -> None:
    both = "wizard jester 5C"
    texts = [explained_text(moment(both, movers=(0,) * count)) for count in range(3)]
    assert texts == [WIZARD_TEXT, JESTER_TEXT, ""]
    assert explained_text(moment("wizard 5C", (played(1, "jester"),), (0,))) == "", "it is gone before its turn"


def test_a_card_that_comes_later_is_explained_then_and_not_a_second_time() -> None:
    later = (dealt(2, "jester", "3C"),)
    assert explained_text(moment("jester 3C", later, (0, 1))) == JESTER_TEXT
    second_time = (*later, played(3, "jester"), dealt(5, "jester", "4C"))
    assert explained_text(moment("jester 4C", second_time, (0, 1, 0, 1, 2))) == ""
    from_the_start = (played(1, "jester"), dealt(3, "jester", "4C"))
    assert explained_text(moment("jester 4C", from_the_start, (0, 1, 2))) == "", "the first deal has no event"


def test_moves_that_were_not_the_players_own_do_not_count() -> None:
    late = replace(moment("wizard 5C", movers=(0, 1)), timeout_moves=frozenset({1}))
    assert explained_text(late) == WIZARD_TEXT
    undone = replace(moment("wizard 5C", movers=(0, 0)), undone_moves=frozenset({1, 2}))
    assert explained_text(undone) == WIZARD_TEXT


def test_a_player_of_many_moves_knows_the_game() -> None:
    events = (dealt(MOVES_TO_KNOW + 1, "jester"),)
    assert explained_text(moment("jester", events, (0,) * MOVES_TO_KNOW + (1,))) == JESTER_TEXT
    assert explained_text(moment("jester", events, (0,) * (MOVES_TO_KNOW + 1))) == ""


def test_a_match_without_its_first_events_explains_nothing() -> None:
    whole = moment("wizard 5C", movers=(1, 2))
    assert explained_text(replace(whole, info=replace(whole.info, moves=5))) == "", "it may have been explained before"


class OtherTexts(WizardScreen):
    """Hands say more of a card than the list of all kinds, and have one that is not in it."""

    def own_special_cards(self, view: View) -> Sequence[SpecialCard]:
        own = [replace(card, effect=f"{card.effect} now") for card in super().own_special_cards(view)]
        return [SpecialCard("Fool", "knows nothing"), *own]


def test_a_card_with_another_text_than_its_kind_is_explained_in_the_same_order() -> None:
    cards = [new_card(moment("jester wizard 5C", movers=(0,) * count), 0, OtherTexts()) for count in range(3)]
    assert [card and card.text for card in cards] == [
        WIZARD_TEXT.replace(".", " now."),
        JESTER_TEXT.replace(".", " now."),
        "Fool: knows nothing.",
    ]


def test_a_hand_says_it_in_the_place_of_the_values_unless_its_reader_wants_none() -> None:
    snapshot, context = moment("wizard"), PageContext(HELPER.screen)

    def hand_text(reader: Reader) -> str:
        blocks = hand_page(snapshot, 0, context, reader).blocks
        return "\n".join(block.text for block in blocks if isinstance(block, Text))

    assert f"-# {WIZARD_TEXT}" in hand_text(Reader())
    assert "Bid met:" not in hand_text(Reader())
    assert f"-# {WIZARD_TEXT}" in hand_text(Reader(words=True))
    noted = Reader(lines=("-# Note: mine",))
    assert WIZARD_TEXT not in hand_text(noted), "the reader has just written something, and wants to see it"
    assert f"-# Note: mine\n-# {WIZARD_TEXT}" in hand_text(replace(noted, words=True))
    assert WIZARD_TEXT not in hand_text(Reader(worth=False))
    later = replace(snapshot, movers=(0,), info=replace(snapshot.info, moves=1))
    assert WIZARD_TEXT not in "".join(repr(block) for block in hand_page(later, 0, context).blocks[:1])


def test_alt_texts_have_the_effects_that_fit() -> None:
    cards = [SpecialCard("Wizard", "beats all"), SpecialCard("Jester", "loses")]
    picture = Picture(INTRO.picture.spec, "hand.png", "Your hand.")
    assert with_effects(picture, [*cards, cards[0]]).alt == "Your hand. Wizard: beats all. Jester: loses."
    assert with_effects(replace(picture, alt="It beats all."), cards).alt == "It beats all. Jester: loses."
    full = replace(picture, alt="x" * (MAX_ALT - len(" Jester: loses.")))
    assert with_effects(full, cards).alt == f"{full.alt} Jester: loses."
