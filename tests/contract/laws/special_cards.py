"""Laws of special cards: each has a name and an effect, and hands, lists and hints say them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from cogs.features.hints import hint_pages
from cogs.screens.control_widths import MAX_DESCRIPTION, estimate_width
from cogs.screens.screen import Control, Option, Select, Steps
from cogs.screens.special_cards import MAX_ALT, SpecialCard
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page, Text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording.new_card import new_card
from engines.hosting.match import MatchSnapshot
from players import Advice
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.narration import NO_WORDS_PATTERN
from tests.contract.shown import (
    RECENT_SECONDS,
    hand_screen,
    match_snapshots,
    page_setting,
    step_paths,
)

MAX_CARD_WIDTH = 42.5  # letters of average width on a line of small print
HINT_COUNT = 40  # moments of a match in which somebody wants a hint
OTHER_WORLDS = 10  # moments of a match that are looked at in another world


def special_cards_say_what_they_do(helper: GameHelper, start: MatchStart) -> None:
    """Each has a name and an effect that a line of a list shows whole, and a hand as one line under the prompt."""
    cards = helper.screen.special_cards(start.options, start.seats)
    assert len({*cards}) == len(cards), f"one is there twice: {cards}"
    for card in cards:
        assert card.name[:1].isupper(), f"no name: {card}"
        assert 0 < len(card.effect) <= MAX_DESCRIPTION, f"no effect, or too long for a list: {card}"
        assert card.effect[0].islower(), f"it does not go on after its name: {card}"
        assert not card.effect.endswith("."), f"two full stops: {card}"
        assert not NO_WORDS_PATTERN.search(card.text), f"no words: {card}"
        assert estimate_width(card.text) <= MAX_CARD_WIDTH, f"more than a line of a hand: {card}"


def hands_name_their_special_cards(helper: GameHelper, start: MatchStart) -> None:
    """They have none but those of the match; the alt text names each, and says its effect if there is room."""
    for snapshot in match_snapshots(helper, start):
        cards = helper.screen.special_cards(start.options, start.seats)
        for seat in snapshot.decisions():
            in_hand = helper.screen.own_special_cards(snapshot.view(seat))
            assert {*in_hand} <= {*cards}, f"{in_hand} are not all in the match"
            picture = match_pages.hand_page(snapshot, seat, page_setting(helper)).picture
            assert picture is not None
            assert len(picture.alt) <= MAX_ALT, f"{len(picture.alt)} characters: {picture.alt}"
            for card in in_hand:
                has_room = len(picture.alt) + 1 + len(card.text) <= MAX_ALT
                assert card.effect in picture.alt or not has_room, f"{card} is not explained: {picture.alt}"


def lists_say_what_special_cards_do(helper: GameHelper, start: MatchStart) -> None:
    """A line of a list that is about a special card says its effect."""
    for snapshot in match_snapshots(helper, start):
        for seat in snapshot.decisions():
            view = snapshot.view(seat)
            for option in _list_lines(hand_screen(helper, snapshot, seat).controls):
                card = helper.screen.special_card_in(snapshot.game.parse_move(option.move), view)
                text = f"{option.label} {option.description}"
                assert card is None or card.effect in text, f"“{text}” does not say that it {card and card.effect}"


def hands_explain_each_special_card_once(helper: GameHelper, start: MatchStart) -> None:
    """The first special card of a seat is explained until its next move, others follow, and none comes twice."""
    explained: dict[int, list[SpecialCard]] = {seat: [] for seat in range(start.seats)}
    decision: dict[int, int] = {}
    for snapshot in match_snapshots(helper, start)[:RECENT_SECONDS]:
        for seat in range(start.seats) if snapshot.outcome() is None else ():
            count = snapshot.movers.count(seat)
            in_hand = helper.screen.own_special_cards(snapshot.view(seat))
            card, text = new_card(snapshot, seat, helper.screen), _hand_text(helper, snapshot, seat)
            texts = [each for each in helper.screen.special_cards(start.options, start.seats) if each.text in text]
            assert texts == ([card] if card else []), f"{texts} instead of {card} in {text}"
            assert card is None or card in in_hand, f"{card} is not there"
            if card and (explained[seat][-1:] != [card] or decision[seat] != count):
                assert card not in explained[seat], f"{card} is explained again"
                explained[seat].append(card)
                decision[seat] = count
            assert explained[seat] or not in_hand, f"none of {in_hand} is explained: {text}"


def changes_of_special_cards_add_up(helper: GameHelper, start: MatchStart) -> None:
    """What a seat has now, without what events brought and with what they took, is always what it had at first."""
    first: dict[int, Counter[SpecialCard]] = {}
    for snapshot in match_snapshots(helper, start)[:RECENT_SECONDS]:
        for seat in range(start.seats) if snapshot.outcome() is None else ():
            view = snapshot.view(seat)
            cards = Counter(helper.screen.own_special_cards(view))
            events = [each.event for each in snapshot.visible_events(seat, 0)]
            for gains, losses in helper.screen.special_card_changes(events, view):
                cards.subtract(gains)
                cards.update(losses)
            at_first = first.setdefault(seat, cards)
            assert cards == at_first, f"{cards} instead of {at_first} before {events}"


def explanations_know_what_their_seat_knows(helper: GameHelper, start: MatchStart) -> None:
    """The card that a hand explains is the same in two worlds that its seat cannot tell apart."""
    rng, snapshots = Random(f"{start.seed} special"), match_snapshots(helper, start)
    for snapshot in rng.sample(snapshots, min(OTHER_WORLDS, len(snapshots))):
        for seat in snapshot.decisions():
            other = replace(snapshot, state=helper.scramble_hidden(snapshot.state, seat, rng))
            card, other_card = (new_card(each, seat, helper.screen) for each in (snapshot, other))
            assert card == other_card, f"{card} here and {other_card} there"


def hints_name_a_special_card_with_its_effect(helper: GameHelper, start: MatchStart) -> None:
    """A hint to use a special card says what the card does."""
    rng, every = Random(f"{start.seed} special hints"), match_snapshots(helper, start)
    for snapshot in rng.sample(every, min(HINT_COUNT, len(every))):
        for seat in snapshot.decisions():
            view = snapshot.view(seat)
            for move in snapshot.moves(seat)[:HINT_COUNT]:
                card = helper.screen.special_card_in(move, view)
                if card is None:
                    continue
                advice, unit = Advice(move, None, None), helper.player_model.unit
                page = hint_pages.hint_page(snapshot, seat, helper.screen, advice, unit, was_searched=True)
                assert card.effect in _page_text(page), f"{card} is not explained: {_page_text(page)}"
                break


def _hand_text(helper: GameHelper, snapshot: MatchSnapshot, seat: int) -> str:
    return _page_text(match_pages.hand_page(snapshot, seat, page_setting(helper), Reader()))


def _page_text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


def _list_lines(controls: tuple[Control, ...]) -> Iterator[Option]:
    """The lines of lists that make a move, also behind steps."""
    for _, left in step_paths(controls):
        for control in left:
            match control:
                case Select(_, options):
                    yield from options
                case Steps(_, _, False, moves):
                    yield from moves
