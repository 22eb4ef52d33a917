"""The screens of Wizard: table, hand, score sheet and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.features.clips.steps import USUAL, ClipStep
from cogs.screens import words
from cogs.screens.control_widths import BUTTON_GAP, COLUMN_PIXELS, SAFE_COLUMN_PIXELS, button_width
from cogs.screens.emoji import suit_emoji
from cogs.screens.screen import (
    Button,
    Buttons,
    Context,
    Control,
    GameScreen,
    LazyParagraphs,
    Option,
    Screen,
    Select,
)
from cogs.screens.special_cards import HandChange, SpecialCard
from cogs.wizard import clip, plan_words, special_cards
from cogs.wizard.intro import INTRO
from cogs.wizard.lobby_texts import (
    PRESET_SENTENCES,
    match_minutes,
    option_phrases,
    option_texts,
    option_values,
)
from cogs.wizard.move_reasons import move_reason
from cogs.wizard.narration import narrate, narrate_briefly
from cogs.wizard.pictures import hand_picture, sheet_picture, table_picture
from cogs.wizard.words import (
    card_with_article,
    emoji_of,
    hand_lines,
    last_trick_paragraph,
    pass_lines,
    plate_lines,
    round_line,
    secret_hand_text,
    short_card,
    sort_hand,
    trick_lines,
    trump_lines,
    waiting_headline,
    waiting_text,
    with_dummy,
)
from engines.kit.cards import SUIT_WORDS
from engines.kit.contract import Decision, Outcome
from engines.wizard import WIZARD as GAME
from engines.wizard import deck
from engines.wizard.deck import ELEPHANT, JESTER, SPECIAL_CARDS, WIZARD
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import (
    AnyEvent,
    Bid,
    LowerBid,
    Move,
    NameTrump,
    Options,
    PassCard,
    Play,
    RaiseBid,
)
from engines.wizard.view import View

BUTTONS_PER_ROW = 5  # buttons
MAX_ROWS = 2  # of cards
MAX_BID_BUTTONS = 15  # buttons, in three rows
WORTH_TEXT = "Bid met: 20 + 10 per trick. Otherwise −10 per trick off."


class WizardScreen(GameScreen):
    """Builds the screens of Wizard from views, without side effects."""

    intro = INTRO

    def table(self, view: View, context: Context) -> Screen:
        """Return the public table."""
        context = with_dummy(context)
        above = LazyParagraphs(
            lambda: (f"## {round_line(view)}\n{waiting_text(view, context)}", *words.newest_lines(context.narration))
        )

        def below() -> tuple[str, ...]:
            lines = (trump_lines(view, context), plate_lines(view, context), trick_lines(view, context))
            return *map("\n".join, lines), *last_trick_paragraph(view, context)

        return Screen(
            above, table_picture(view, context), LazyParagraphs(below), headline=waiting_headline(view, context)
        )

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """Return a seat's hand: the task, the cards, and the table in words."""
        context = with_dummy(context)
        is_asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo_text(view, moves) if is_asked else waiting_text(view, context)
            return (
                f"{todo}\n-# {round_line(view)}",
                *words.newest_lines(context.narration),
                "\n".join([*hand_lines(view), *pass_lines(view, context.names)]),
            )

        def below() -> tuple[str, ...]:
            lines = (trump_lines(view, context), trick_lines(view, context), plate_lines(view, context))
            return *map("\n".join, lines), *last_trick_paragraph(view, context)

        return Screen(
            LazyParagraphs(above),
            hand_picture(view, moves if is_asked else (), context),
            LazyParagraphs(below),
            _hand_controls(view, moves) if is_asked else (),
            headline=_todo_headline(view, moves) if is_asked else waiting_headline(view, context),
            worth_text=_worth_text(view),
            rule=_decision_rule(view),
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Return the bids, tricks and points of every round, and the totals."""
        totals = [
            f"{words.seat_label(context, seat)}: {words.plain_number(total)}" for seat, total in enumerate(view.scores)
        ]
        return Screen(("\n".join([*_round_lines(view, context), "**Total**", *totals]),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """Return the result: the winners, all places, and the score sheet."""
        above = (
            f"## {words.result_headline(outcome, context)}\n{round_line(view)}, the end.",
            *words.newest_lines(context.narration),
        )
        places = "\n".join(words.place_lines(outcome, context))
        below = (places, *last_trick_paragraph(view, with_dummy(context)), "\n".join(_round_lines(view, context)))
        return Screen(
            above,
            sheet_picture(view, context, outcome),
            below,
            headline=words.result_headline(outcome, context),
            rule="W11",
        )

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event as a sentence."""
        return narrate(event, context)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event in a few words."""
        return narrate_briefly(event, context)

    def move_label(self, move: Move) -> str:
        """Return a move's name: `Play the 10 of hearts ♥`, `Bid 2`, `Name hearts ♥ as trump`."""
        match move:
            case Play(which):
                return f"Play {card_with_article(which)}"
            case Bid(tricks):
                return f"Bid {tricks}"
            case NameTrump(suit):
                return "Play without trumps" if suit is None else f"Name {words.suit_text(suit)} as trump"
            case PassCard(which):
                return f"Pass {card_with_article(which)} to the left"
            case RaiseBid():
                return "Raise the bid by one"
            case LowerBid():
                return "Lower the bid by one"

    def move_reason(self, view: View, move: Move, context: Context) -> str:
        """Return why a move may be good."""
        return move_reason(view, move)

    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        """Return Wizards, Jesters, and those that options add."""
        return special_cards.special_cards(options)

    def own_special_cards(self, view: View) -> Sequence[SpecialCard]:
        """Return the kinds that the seat has."""
        return special_cards.own_special_cards(view)

    def special_cards_of(self, event: AnyEvent, view: View) -> HandChange:
        """Return the kinds that came to the seat or left it."""
        return special_cards.special_cards_of(event, view)

    def special_card_changes(self, events: Sequence[AnyEvent], view: View) -> Sequence[HandChange]:
        """Return what came and went by event, also in rounds with blind bids."""
        return special_cards.special_card_changes(events, view)

    def special_card_in(self, move: Move, view: View) -> SpecialCard | None:
        """Return the special card that a move is about."""
        return special_cards.special_card_in(move, view)

    def section_title(self, view: View) -> str:
        """Return the round."""
        return f"Round {view.round}"

    def hand_text(self, view: View) -> str:
        """Return the seat's cards, the card that it passes, and its bid while others may not know it."""
        return secret_hand_text(view)

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """Return what the seat has to do."""
        lead = "play a card" if view.trick else "lead a card"
        prompts = {"trump": "name the trump suit", "bid": "bid", "play": lead}
        prompts |= {"adjust": "raise or lower your bid", "pass": "pass a card"}
        return f"{prompts[decision.kind]} in round {view.round}"

    def plan_label(self, move: Move) -> str:
        """Return a card's name as on its button."""
        return short_card(move.card) if isinstance(move, Play) else self.move_label(move)

    def plan_order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Return the moves with cards in the order of a hand."""
        by_card = {move.card: move for move in moves if isinstance(move, Play)}
        return [
            *(by_card[one] for one in sort_hand([*by_card])),
            *(each for each in moves if not isinstance(each, Play)),
        ]

    def condition_text(self, condition: str) -> str:
        """Return the condition: a suit that is led, tricks that are needed, or none."""
        return plan_words.condition_text(condition)

    def dropped_text(self, reason: str) -> str:
        """Return why a planned card will not be played."""
        return plan_words.dropped_text(reason)

    def forced_text(self, decision: Decision) -> str:
        """Return what happens to the last card of a hand."""
        return "Your last card is played automatically."

    def guess_prompt(self, number: int) -> str:
        """Return the question to spectators."""
        return f"Who takes exactly as many tricks as they bid in round {number}?"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return the number of rounds, and the house rules."""
        return option_texts(options, seats)

    def option_phrases(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return what the options are called."""
        return option_phrases(options, seats)

    def match_minutes(self, options: Options, seats: int) -> int:
        """Return about how many minutes a match takes."""
        return match_minutes(options, seats)

    def preset_sentences(self) -> Mapping[str, str]:
        """Return what speaks for each preset."""
        return PRESET_SENTENCES

    def option_values(self, option: str, options: Options, seats: int) -> Sequence[int | None]:
        """Return the full game and every shorter one for this number of players, and the hooks for hands that exist."""
        return option_values(option, options, seats)

    def standings(self, view: View) -> Sequence[float]:
        """Return the points so far."""
        return view.scores

    def clip_weight(self, event: AnyEvent) -> int:
        """Return how much an event matters: the score most, then tricks and the trump."""
        return clip.WEIGHTS.get(type(event), USUAL)

    def clip_steps(self, before: View, events: Sequence[AnyEvent], after: View, context: Context) -> Sequence[ClipStep]:
        """Return the table after a move, and the cards of a trick on their way to its taker."""
        return clip.clip_steps(before, events, after, with_dummy(context))


def _todo_headline(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next, as a headline."""
    if view.phase == "trump":
        return (
            "Name the trump "
            f"suit{': a Wizard is turned up' if view.swap is None else ', or none: the Chameleon swaps'}."
        )
    if view.phase == "adjust":
        return f"Raise or lower your bid of {_own_bid(view)} by one."
    if view.phase == "pass":
        return "Pass a card to the left."
    if view.phase == "bid":
        question = (
            "will you take the only trick" if view.trick_count == 1 else f"how many of the {view.trick_count} tricks"
        )
        hooked = forbidden_bid(view.hook, view.trick_count, view.bids)
        forbidden = "" if hooked is None else f" You cannot bid {hooked}."
        return f"Bid{' blind' if view.is_hand_hidden else ''}: {question}?{forbidden}"
    if not view.trick:
        return "Lead a card: any you like."
    suit = deck.suit_to_follow(view.trick)
    if suit is None:
        return f"Play any card: {_no_suit_text(view.trick)}."
    if _must_follow_suit(moves, suit):
        return f"Play a card: follow {words.suit_text(suit)}."
    return f"Play any card: you have no {SUIT_WORDS[suit]}."


def _own_bid(view: View) -> int:
    assert view.seat is not None
    return view.bids[view.seat] or 0


def _no_suit_text(trick: Sequence[int]) -> str:
    """Why there is no suit to follow."""
    if not deck.is_suit_open(trick):
        first = next(card for card in trick if card in (WIZARD, ELEPHANT))
        return f"{card_with_article(first)} was led"
    return "only Jesters so far" if set(trick) == {JESTER} else "no suit was led yet"


def _must_follow_suit(moves: Sequence[Move], suit: int) -> bool:
    """Whether the legal moves show that the player must follow suit."""
    suits = [deck.SUIT[move.card] for move in moves if isinstance(move, Play)]
    return suit in suits and set(suits) <= {suit, None}


def _decision_rule(view: View) -> str:
    """The rule of the current decision."""
    if view.phase == "play":
        return "W5" if not view.trick else "W6" if deck.suit_to_follow(view.trick) is None else "W7"
    if view.phase == "bid" and forbidden_bid(view.hook, view.trick_count, view.bids) is not None:
        return "W12"
    if view.is_hand_hidden:
        return "W18"
    if view.phase == "bid" and view.bidding != "open":
        return "W16" if view.bidding == "hidden" else "W17"
    if view.phase == "trump":
        return "W3" if view.swap is None else "W23"
    return {"bid": "W4", "adjust": "W25", "pass": "W24"}.get(view.phase, "W10")


def _todo_text(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next."""
    if view.phase == "trump":
        if view.swap is not None:
            taken = card_with_article(view.swap.card)
            return f"**Name the trump suit**, or play without trumps. You swapped your Chameleon for {taken}."
        return "**Name the trump suit**: a Wizard is turned up and you are the dealer."
    if view.phase == "adjust":
        return f"**Raise or lower your bid** of {_own_bid(view)} by one: you took the Weathervane."
    if view.phase == "pass":
        return "**Pass a card** to the player on your left. Everybody passes one, all at once."
    if view.phase == "bid":
        return f"**Bid{' blind' if view.is_hand_hidden else ''}**: {_bid_question(view)}{_secrecy_text(view)}"
    if not view.trick:
        return "**Lead a card**: any card you like."
    suit = deck.suit_to_follow(view.trick)
    if deck.is_suit_open(view.trick):
        return "**Play a card** of your choice: there is no suit to follow yet. The first card with a suit sets it."
    if suit is None:
        return "**Play a card** of your choice: there is no suit to follow."
    if _must_follow_suit(moves, suit):
        cards = [move.card for move in moves if isinstance(move, Play)]
        return (
            f"**Play a card**: you must follow {words.suit_text(suit)}. You may play {_either_card(sort_hand(cards))}."
        )
    return f"**Play a card** of your choice: {words.suit_text(suit)} were led and you have none."


def _secrecy_text(view: View) -> str:
    """How long the bid stays hidden from the others (W16, W17)."""
    if view.bidding == "open":
        return ""
    until = "until all have bid" if view.bidding == "hidden" else "until the round is scored"
    return f" Everybody bids at once, and nobody else sees your bid {until}."


def _worth_text(view: View) -> str:
    """The points for a bid, or why one bid is missing (W12)."""
    hooked = forbidden_bid(view.hook, view.trick_count, view.bids)
    return WORTH_TEXT if hooked is None else f"Hook: the bids must not total {view.trick_count}."


def _bid_question(view: View) -> str:
    """The question to the bidder, and what the hook forbids (W12)."""
    tricks, hooked = view.trick_count, forbidden_bid(view.hook, view.trick_count, view.bids)
    if hooked is not None:
        many = "will you take the only trick?" if tricks == 1 else f"how many of the {tricks} tricks will you take?"
        return f"{many} You cannot bid {hooked}, because the bids must not total {tricks}."
    return (
        "will you take the only trick? Bid 0 or 1."
        if tricks == 1
        else f"how many of the {tricks} tricks will you take?"
    )


def _either_card(cards: Sequence[int]) -> str:
    """`the 3 of hearts ♥ or a Wizard`."""
    return words.join_with_or([card_with_article(one) for one in cards])


def _hand_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """Controls for all legal moves."""
    match moves[0]:
        case Play():
            return _card_controls(view, "Play a card", [move for move in moves if isinstance(move, Play)])
        case PassCard():
            return _card_controls(view, "Pass a card", [move for move in moves if isinstance(move, PassCard)])
        case RaiseBid() | LowerBid():
            own = _own_bid(view)
            return (Buttons(tuple(_adjustment_button(move, own) for move in moves)),)
        case Bid():
            return _bid_controls([move for move in moves if isinstance(move, Bid)])
        case NameTrump():
            named = {move.suit: move for move in moves if isinstance(move, NameTrump)}
            return (Buttons(tuple(_suit_button(named[suit]) for suit in (*words.SUIT_ORDER, None) if suit in named)),)


def _card_controls(view: View, label: str, moves: Sequence[Play] | Sequence[PassCard]) -> tuple[Control, ...]:
    """A button per card if two rows are enough, or a list. All buttons of a round have pictures, or none."""
    notations = {move.card: GAME.format_move(move) for move in moves}
    cards, has_emoji = sort_hand([*notations]), len(_card_rows(_cards_of_round(view), True)) <= MAX_ROWS
    rows = _card_rows(cards, has_emoji)
    if len(rows) <= MAX_ROWS:
        return tuple(Buttons(tuple(_card_button(one, notations[one], has_emoji) for one in row)) for row in rows)
    effects = {card.name: card.effect for card in special_cards.own_special_cards(view)}
    named = [(short_card(one), notations[one], emoji_of(one)) for one in cards]
    return (Select(label, tuple(Option(name, move, effects.get(name), emoji) for name, move, emoji in named)),)


def _cards_of_round(view: View) -> list[int]:
    """The different cards that the seat has had in this round."""
    assert view.seat is not None
    played = [trick.cards[(view.seat - trick.leader) % view.places] for trick in view.tricks]
    return sort_hand([*{*view.hand, *played}])


def _card_rows(cards: Sequence[int], has_emoji: bool) -> list[list[int]]:
    """The cards in rows that fit on a phone."""
    rows: list[list[int]] = [[]]
    for one in cards:
        row = [*rows[-1], one]
        rows = [*rows[:-1], row] if _fits_in_row(row, has_emoji) else [*rows, [one]]
    return rows


def _fits_in_row(row: Sequence[int], has_emoji: bool) -> bool:
    """Whether the cards fit side by side on a phone: five, or four with a Wizard or Jester; fewer with long names."""
    buttons = sum(button_width(short_card(one), has_emoji) for one in row)
    if any(one in SPECIAL_CARDS for one in row) and buttons > SAFE_COLUMN_PIXELS:
        return False
    most = BUTTONS_PER_ROW if all(one < JESTER for one in row) else BUTTONS_PER_ROW - 1
    return len(row) <= most and buttons + BUTTON_GAP * (len(row) - 1) <= COLUMN_PIXELS


def _card_button(card: int, notation: str, has_emoji: bool) -> Button:
    return Button(short_card(card), notation, emoji=emoji_of(card) if has_emoji else None)


def _bid_controls(moves: Sequence[Bid]) -> tuple[Control, ...]:
    """A button per bid. If there are too many, buttons for the likely first ten, and a list of all."""
    listed = moves if len(moves) <= MAX_BID_BUTTONS else moves[: 2 * BUTTONS_PER_ROW]
    row = Buttons(tuple(Button(str(move.tricks), GAME.format_move(move)) for move in listed))
    if listed is moves:
        return (row,)
    options = tuple(Option(f"Bid {move.tricks}", GAME.format_move(move)) for move in moves)
    has_all = len(moves) == moves[-1].tricks + 1
    return (row, Select(f"Any bid from 0 to {moves[-1].tricks}" if has_all else "Any allowed bid", options))


def _suit_button(move: NameTrump) -> Button:
    if move.suit is None:
        return Button("No trump", GAME.format_move(move))
    return Button(SUIT_WORDS[move.suit].capitalize(), GAME.format_move(move), emoji=suit_emoji(move.suit))


def _adjustment_button(move: Move, bid: int) -> Button:
    """`Raise to 3`."""
    label = f"Raise to {bid + 1}" if isinstance(move, RaiseBid) else f"Lower to {bid - 1}"
    return Button(label, GAME.format_move(move))


def _round_lines(view: View, context: Context) -> list[str]:
    """A short line per round that fits on a phone."""
    lines = [f"**{number}**: {_round_text(row, context)}" for number, row in enumerate(view.sheet, 1)]
    if not lines:
        return ["### Score sheet", "No round is scored yet."]
    return ["### Score sheet", "-# By round: tricks bid / taken, points", *lines]


def _round_text(row: Sequence[tuple[int, int, int]], context: Context) -> str:
    """One round of the score sheet."""
    cells = [
        f"{words.short_seat_label(context, seat)} {bid}/{taken} {words.signed_number(points)}"
        for seat, (bid, taken, points) in enumerate(row)
    ]
    return words.join_with_dots(cells)
