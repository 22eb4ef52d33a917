"""The Court's table and hand in words: short lines with everything that the pictures show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.screens import words
from cogs.screens.emoji import Emoji, playing_card_emoji
from cogs.screens.screen import Context
from engines.court import board, deck
from engines.court.board import OFF_BOARD, MagePath
from engines.court.deck import COURT_CARDS, MENHIR, NUMBER_CARDS
from engines.court.model import FULL_HEALTH, AttackResult, Defence
from engines.court.view import View
from engines.kit import cards

EDGE_SUITS = (cards.HEARTS, cards.DIAMONDS, cards.SPADES, cards.CLUBS)  # clockwise from the top
EDGE_SIDES = {cards.HEARTS: "top", cards.DIAMONDS: "right", cards.SPADES: "bottom", cards.CLUBS: "left"}
DISCARDS_NAMED = 8  # cards of the discard pile
MENHIR_QUESTION = "Which row for your Menhir?"


def short_card(card: int) -> str:
    """Return a card's short name: `10♥`, `Menhir`."""
    return "Menhir" if card == MENHIR else f"{cards.RANKS[card % 13]}{words.SUIT_SHAPES[card // 13]}"


def emoji_of(card: int) -> Emoji:
    """Return the small picture of a card for its control."""
    return Emoji("menhir") if card == MENHIR else playing_card_emoji(card)


def the_card(card: int) -> str:
    """Return a card with its article: `the 10♥`, `a Menhir card`."""
    return "a Menhir card" if card == MENHIR else f"the {short_card(card)}"


def button_seat_name(context: Context, seat: int) -> str:
    """Return a seat's short name for a button, without markdown."""
    return words.button_name(context, seat, is_short=True)


def sort_hand(hand: Iterable[int]) -> list[int]:
    """Return cards in hand order: suit by suit from the ace up, then the Menhirs."""
    return sorted(hand, key=lambda card: (card == MENHIR, card != MENHIR and EDGE_SUITS.index(card // 13), card))


def join_cards(some: Iterable[int], nothing: str = "none") -> str:
    """Return cards in the given order: `4♣, 9♦, Menhir`."""
    return ", ".join(map(short_card, some)) or nothing


def banner_shapes(banners: Iterable[int]) -> str:
    """Return banners as suit shapes: `♥ ♦`."""
    own = set(banners)
    return " ".join(words.SUIT_SHAPES[suit] for suit in EDGE_SUITS if suit in own)


def step_cards(hand: Iterable[int]) -> list[int]:
    """Return the cards that can move the player's own Mage (T4): number cards, or court cards if there are none."""
    cards = sort_hand(set(hand))
    return [card for card in cards if card in NUMBER_CARDS] or [card for card in cards if card in COURT_CARDS]


def awaited_decision(view: View) -> tuple[int, str]:
    """Return the seat that the match waits for, and the decision: `place`, `give`, `move`, `hinder`."""
    return (view.owed[0].seat, view.owed[0].what) if view.owed else (view.turn, view.phase)


def turn_line(view: View) -> str:
    """Return the turn and the goal: `Turn 12 of 100, Phase One. 3 banners win.`"""
    of = f" of {view.cap}" if view.cap else ""
    phase = {"move": ", Phase One", "hinder": ", Phase Two"}.get(view.phase, "")
    start = any(owed.cause == "start" for owed in view.owed)
    return f"{'Before the first turn' if start else f'Turn {view.turns}{of}{phase}'}. {view.goal} banners win."


def waiting_text(view: View, context: Context) -> str:
    """Return a sentence on the seat that the match waits for."""
    seat, what = awaited_decision(view)
    if view.phase == "over":
        return "The match is over."
    does = {
        "place": "to place the Mage",
        "give": "to give back a banner",
        "move": "to move (Phase One)",
        "hinder": "to hinder the others (Phase Two)",
    }
    return f"Waiting for **{words.seat_label(context, seat, view.seat)}** {does[what]}."


def destination_text(view: View, mage: int, card: int) -> str:
    """Return where a card would move a Mage.

    Examples: `to T9`,  `to K6, stopped by the Menhir on K5`, or `over the top edge ♥: banner`.

    The owner of the Mage gets the banner, no matter who plays the card.
    """
    path = board.mage_path(view, mage, card)
    if path.crosses:
        whose = "" if mage == view.seat else "their "
        gains = f": {whose}banner" if card // 13 not in view.banners[mage] else ", no new banner"
        return f"over the {EDGE_SIDES[card // 13]} edge {words.SUIT_SHAPES[card // 13]}{gains}"
    return path_end_text(path)


def destination_clause(view: View, mage: int, card: int) -> str:
    """Return the destination as a clause: `, to T9`, ` (the Menhir on C12 is in the way: it stays)`."""
    path = board.mage_path(view, mage, card)
    if path.end == path.start:
        return f" ({_blocker_text(path)} is in the way: it stays)"
    return f", {destination_text(view, mage, card)}"


def destination_label(view: View, mage: int, card: int, banner_text: str = ": banner") -> str:
    """Return the destination for a button, after a card or a name: ` to T9`, ` stays`, ` crosses`, `: banner`.

    The Mage always crosses the edge of the card's suit.
    """
    path = board.mage_path(view, mage, card)
    if path.crosses:
        return banner_text if card // 13 not in view.banners[mage] else " crosses"
    return " stays" if path.end == path.start else f" to {board.square_name(path.end)}"


def path_end_text(path: MagePath) -> str:
    """Return where a Mage's path ends on the board."""
    if path.end == path.start:
        return f"nowhere, {_blocker_text(path)} is in the way"
    return f"to {board.square_name(path.end)}" + (f", stopped by {_blocker_text(path)}" if path.stopped else "")


def _blocker_text(path: MagePath) -> str:
    """`the Menhir on C12`."""
    return f"the {'Mage' if path.stopped == 'mage' else 'Menhir'} on {board.square_name(path.at)}"


def own_move_lines(view: View) -> list[str]:
    """Return where each of the player's cards would move their own Mage."""
    assert view.seat is not None
    if view.mages[view.seat] == OFF_BOARD:
        return []
    targets = [f"{short_card(card)} {destination_text(view, view.seat, card)}" for card in step_cards(view.hand)]
    return [f"Your Mage on {_square_text(view.mages[view.seat])} would go: {'; '.join(targets) or 'nowhere'}."]


def push_lines(view: View, context: Context) -> list[str]:
    """Return where each number card of the hand would move the other Mages."""
    numbers = [card for card in sort_hand(set(view.hand)) if card in NUMBER_CARDS]
    lines = []
    for mage in rivals_on_board(view):
        targets = [f"{short_card(card)} {destination_text(view, mage, card)}" for card in numbers]
        if targets:
            lines.append(
                f"{words.seat_label(context, mage)} on {_square_text(view.mages[mage])}: {'; '.join(targets)}."
            )
    return lines


def rivals_on_board(view: View) -> list[int]:
    """Return the other seats with a Mage on the board."""
    return [seat for seat, mage in enumerate(view.mages) if seat != view.seat and mage != OFF_BOARD]


def board_line() -> str:
    """Return the orientation of the board, for players who do not see it."""
    edges = ", ".join(f"{words.SUIT_SHAPES[suit]} {EDGE_SIDES[suit]}" for suit in EDGE_SUITS)
    return f"-# Columns A to V run from left to right, rows 1 to 22 from top to bottom. Edges: {edges}."


def seat_lines(view: View, context: Context) -> list[str]:
    """Return a line per seat in turn order."""
    return [f"**{words.seat_label(context, seat, view.seat)}**: {_seat_text(view, seat)}" for seat in view.order]


def _seat_text(view: View, seat: int) -> str:
    banners = view.banners[seat]
    parts = [
        f"Mage {_square_text(view.mages[seat])}",
        f"health {view.health[seat]}/{FULL_HEALTH}",
        f"banners {banner_shapes(banners)} {len(banners)}/{view.goal}".replace("  ", " "),
        *([] if view.menhirs[seat] == OFF_BOARD else [f"Menhir {_square_text(view.menhirs[seat])}"]),
        words.pluralize(view.hand_sizes[seat], "card"),
    ]
    return " · ".join(map(words.nonbreaking, parts))


def _square_text(square: int) -> str:
    return "off the board" if square == OFF_BOARD else board.square_name(square)


def dice_lines(view: View, context: Context) -> list[str]:
    """Return the dice of the last attack, or of the roll-off before the first attack."""
    if view.attacked is not None:
        return [f"**Last attack** (turn {view.attacked.turn}): {attack_sentence(view.attacked, context)}"]
    rolls = [f"{context.names[seat]} {roll_text(rolls)}" for seat, rolls in enumerate(view.rolls)]
    order = " → ".join(context.names[seat] for seat in view.order)
    return [f"**Rolled for turn order**: {', '.join(rolls)}. The order is {order}."]


def attack_sentence(attacked: AttackResult, context: Context) -> str:
    """Return an attack as a sentence.

    `Ana attacks with the K♠ and rolls 4. Ben rolls 2 (after a tie at 4): hit; Cleo rolls 6: safe.`
    """
    names = context.names
    found = [
        f"{names[defence.seat]} rolls {roll_text(defence.rolls)}: {_defence_result(defence)}"
        for defence in attacked.defences
    ]
    return (
        f"{names[attacked.seat]} attacks with {the_card(attacked.card)} and rolls {attacked.roll}. {'; '.join(found)}."
    )


def roll_text(rolls: Sequence[int]) -> str:
    """Return a roll with its ties: `2`, `2 (after a tie at 4)`, `2 (after ties at 4 and 4)`."""
    *ties, last = map(str, rolls)
    return f"{last} (after {'ties' if len(ties) > 1 else 'a tie'} at {words.join_with_and(ties)})" if ties else last


def _defence_result(defence: Defence) -> str:
    return "hit" if defence.hit else "safe"


def pile_lines(view: View) -> list[str]:
    """Return a line on the draw pile and the discard pile."""
    newest = f", newest first: {join_cards(view.discard[: -DISCARDS_NAMED - 1 : -1])}" if view.discard else ""
    more = " …" if len(view.discard) > DISCARDS_NAMED else "."
    discard = f"Discard pile: {words.pluralize(len(view.discard), 'card')}{newest}{more}"
    return [f"Draw pile: {words.pluralize(view.draw, 'card')}. {discard}"]


def sheet_lines(view: View, context: Context) -> list[str]:
    """Return the score sheet: banners, health and knock-outs, a line per seat."""
    lines = ["### Score sheet"]
    for seat, banners in enumerate(view.banners):
        parts = [
            f"{words.pluralize(len(banners), 'banner')} {banner_shapes(banners)}".strip(),
            f"health {view.health[seat]}",
            words.pluralize(view.knocked[seat], "knock-out"),
        ]
        lines.append(f"**{words.seat_label(context, seat, view.seat)}**: {' · '.join(map(words.nonbreaking, parts))}")
    return lines


def card_use_text(card: int) -> str:
    """Return what a card can do in Phase Two."""
    if card == MENHIR:
        return "places or moves your Menhir"
    if card in NUMBER_CARDS:
        return f"{deck.CARD_STEPS[card]} squares {_direction_word(card)}"
    if card not in COURT_CARDS:
        return "takes one health from every other Mage, or gives one to yours"
    return "each defender who rolls lower than you loses one health"


def card_question(view: View, card: int) -> str:
    """Return the question after a card is chosen in Phase Two."""
    if card == MENHIR:
        return MENHIR_QUESTION
    if card in NUMBER_CARDS:
        return f"Whose Mage does {the_card(card)} move?"
    if card not in COURT_CARDS:
        hurt = view.seat is not None and view.health[view.seat] < FULL_HEALTH
        return f"{short_card(card)}: {'wound or heal' if hurt else 'wound the others'}?"
    if len(view.mages) < 4 or card % 13 == deck.KING:
        return f"{short_card(card)} attacks {'the other Mage' if len(view.mages) == 2 else 'all the others'}."
    return f"Who does {the_card(card)} attack?"


def _direction_word(card: int) -> str:
    return {"top": "up", "bottom": "down"}.get(EDGE_SIDES[card // 13], EDGE_SIDES[card // 13])
