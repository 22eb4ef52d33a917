"""The Court's table and hand in words: short lines that alone say all that the pictures say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board, deck
from engines.court.board import OFF, Path
from engines.court.deck import COURTS, MENHIR, NUMBERS
from engines.court.model import FULL_HEALTH, Attacked, Defence, View
from engines.kit import cards

EDGES = (cards.HEARTS, cards.DIAMONDS, cards.SPADES, cards.CLUBS)  # clockwise from the top
SIDES = {cards.HEARTS: "top", cards.DIAMONDS: "right", cards.SPADES: "bottom", cards.CLUBS: "left"}
NEWEST = 8  # cards of the discard pile that are named


def short(card: int) -> str:
    """A card where there is little room: `10♥`, `Menhir`."""
    return "Menhir" if card == MENHIR else f"{cards.RANKS[card % 13]}{words.SHAPES[card // 13]}"


def the(card: int) -> str:
    """`the 10♥`, `a Menhir card`."""
    return "a Menhir card" if card == MENHIR else f"the {short(card)}"


def called(context: Context, seat: int) -> str:
    """A seat's short name where there is no markdown, on a button."""
    return words.labelled(context, seat, brief=True)


def in_order(hand: Iterable[int]) -> list[int]:
    """Cards as a hand is held: suit by suit from the ace up, then the Menhirs."""
    return sorted(hand, key=lambda card: (card == MENHIR, card != MENHIR and EDGES.index(card // 13), card))


def row(some: Iterable[int], nothing: str = "none") -> str:
    """Cards in the order given: `4♣, 9♦, Menhir`."""
    return ", ".join(map(short, some)) or nothing


def suits(banners: Iterable[int]) -> str:
    """Banners by their suits' shapes: `♥ ♦`."""
    held = set(banners)
    return " ".join(words.SHAPES[suit] for suit in EDGES if suit in held)


def movers(hand: Iterable[int]) -> list[int]:
    """The cards that would move one's own Mage (T4): number cards, or without one court cards."""
    held = in_order(set(hand))
    return [card for card in held if card in NUMBERS] or [card for card in held if card in COURTS]


def asked(view: View) -> tuple[int, str]:
    """Whom the match waits for, and for what: `place`, `give`, `move`, `hinder`."""
    return (view.owed[0].seat, view.owed[0].what) if view.owed else (view.turn, view.phase)


def turn_line(view: View) -> str:
    """`Turn 12 of 100, Phase One. Three banners win.`"""
    of = f" of {view.cap}" if view.cap else ""
    phase = {"move": ", Phase One", "hinder": ", Phase Two"}.get(view.phase, "")
    start = any(owed.cause == "start" for owed in view.owed)
    return f"{'Before the first turn' if start else f'Turn {view.turns}{of}{phase}'}. {view.goal} banners win."


def waiting(view: View, context: Context) -> str:
    """Whom the table waits for."""
    seat, what = asked(view)
    if view.phase == "over":
        return "The match is over."
    does = {
        "place": "to place the Mage",
        "give": "to give back a banner",
        "move": "to move (Phase One)",
        "hinder": "to hinder the others (Phase Two)",
    }
    return f"Waiting for **{words.seat(context, seat, view.seat)}** {does[what]}."


def goes(view: View, mage: int, card: int) -> str:
    """Where a card would take a Mage: `to T9`, `to K6, before the Menhir on K5`, `over the top edge ♥: banner`.

    The banner is its owner's, whoever plays the card.
    """
    path = board.path(view, mage, card)
    if path.crosses:
        whose = "" if mage == view.seat else "their "
        gains = f": {whose}banner" if card // 13 not in view.banners[mage] else ", no new banner"
        return f"over the {SIDES[card // 13]} edge {words.SHAPES[card // 13]}{gains}"
    return led(path)


def onward(view: View, mage: int, card: int) -> str:
    """The same after a sentence that names the Mage: `, to T9`, ` (the Menhir on C12 is in the way: it stays)`."""
    path = board.path(view, mage, card)
    if path.end == path.start:
        return f" ({_blocker(path)} is in the way: it stays)"
    return f", {goes(view, mage, card)}"


def briefly(view: View, mage: int, card: int, gets: str = ": banner") -> str:
    """The same on a button, after a card or a name: ` to T9`, ` stays`, ` crosses`, `: banner`.

    The edge is that of the card's suit.
    """
    path = board.path(view, mage, card)
    if path.crosses:
        return gets if card // 13 not in view.banners[mage] else " crosses"
    return " stays" if path.end == path.start else f" to {board.name(path.end)}"


def led(path: Path) -> str:
    """Where a way ends, on the board."""
    if path.end == path.start:
        return f"nowhere, {_blocker(path)} is in the way"
    return f"to {board.name(path.end)}" + (f", before {_blocker(path)}" if path.stopped else "")


def _blocker(path: Path) -> str:
    """`the Menhir on C12`."""
    return f"the {'Mage' if path.stopped == 'mage' else 'Menhir'} on {board.name(path.at)}"


def own_lines(view: View) -> list[str]:
    """Where each of the reader's cards would take their own Mage."""
    assert view.seat is not None
    if view.mages[view.seat] == OFF:
        return []
    ways = [f"{short(card)} {goes(view, view.seat, card)}" for card in movers(view.hand)]
    return [f"Your Mage on {_at(view.mages[view.seat])} would go: {'; '.join(ways) or 'nowhere'}."]


def push_lines(view: View, context: Context) -> list[str]:
    """Where each number card of the hand would take the others' Mages."""
    numbers = [card for card in in_order(set(view.hand)) if card in NUMBERS]
    lines = []
    for mage in rivals(view):
        ways = [f"{short(card)} {goes(view, mage, card)}" for card in numbers]
        if ways:
            lines.append(f"{words.seat(context, mage)} on {_at(view.mages[mage])}: {'; '.join(ways)}.")
    return lines


def rivals(view: View) -> list[int]:
    """The others whose Mages stand on the board."""
    return [seat for seat, mage in enumerate(view.mages) if seat != view.seat and mage != OFF]


def board_line() -> str:
    """How the board lies, for those who do not see it."""
    edges = ", ".join(f"{words.SHAPES[suit]} {SIDES[suit]}" for suit in EDGES)
    return f"-# Columns A to V go from left to right, rows 1 to 22 from top to bottom. Edges: {edges}."


def seat_lines(view: View, context: Context) -> list[str]:
    """What lies before each seat, in the order of turns."""
    return [f"**{words.seat(context, seat, view.seat)}**: {_belongs(view, seat)}" for seat in view.order]


def _belongs(view: View, seat: int) -> str:
    banners = view.banners[seat]
    parts = [
        f"Mage {_at(view.mages[seat])}",
        f"health {view.health[seat]}/{FULL_HEALTH}",
        f"banners {suits(banners)} {len(banners)}/{view.goal}".replace("  ", " "),
        *([] if view.menhirs[seat] == OFF else [f"Menhir {_at(view.menhirs[seat])}"]),
        words.counted(view.hand_sizes[seat], "card"),
    ]
    return " · ".join(map(words.together, parts))


def _at(square: int) -> str:
    return "off the board" if square == OFF else board.name(square)


def dice_lines(view: View, context: Context) -> list[str]:
    """All dice of the last attack; before the first one, those that made the order of turns."""
    if view.attacked is not None:
        return [f"**Last attack** (turn {view.attacked.turn}): {attack_words(view.attacked, context)}"]
    rolls = [f"{context.names[seat]} {rolled(rolls)}" for seat, rolls in enumerate(view.rolls)]
    order = " → ".join(context.names[seat] for seat in view.order)
    return [f"**Rolled for the order**: {', '.join(rolls)}. Turns go {order}."]


def attack_words(attacked: Attacked, context: Context) -> str:
    """`Ana attacks with the K♠ and rolls 4. Ben rolls 4 (tie), 2: hit; Cleo rolls 6: safe.`"""
    names = context.names
    found = [f"{names[defence.seat]} rolls {rolled(defence.rolls)}: {_fate(defence)}" for defence in attacked.defences]
    return f"{names[attacked.seat]} attacks with {the(attacked.card)} and rolls {attacked.roll}. {'; '.join(found)}."


def rolled(rolls: Sequence[int]) -> str:
    """`2`; `2 (after a tie at 4)`; `2 (after ties at 4 and 4)`."""
    *ties, last = map(str, rolls)
    return f"{last} (after {'ties' if len(ties) > 1 else 'a tie'} at {words.listed(ties)})" if ties else last


def _fate(defence: Defence) -> str:
    return "hit" if defence.hit else "safe"


def pile_lines(view: View) -> list[str]:
    """Both piles."""
    newest = f", its top first: {row(view.discard[: -NEWEST - 1 : -1])}" if view.discard else ""
    more = " …" if len(view.discard) > NEWEST else "."
    discard = f"Discard pile: {words.counted(len(view.discard), 'card')}{newest}{more}"
    return [f"Draw pile: {words.counted(view.draw, 'card')}. {discard}"]


def sheet_lines(view: View, context: Context) -> list[str]:
    """Banners, health and knock-outs, a line a seat."""
    lines = ["### Score sheet"]
    for seat, banners in enumerate(view.banners):
        parts = [
            f"{words.counted(len(banners), 'banner')} {suits(banners)}".strip(),
            f"health {view.health[seat]}",
            words.counted(view.knocked[seat], "knock-out"),
        ]
        lines.append(f"**{words.seat(context, seat, view.seat)}**: {' · '.join(map(words.together, parts))}")
    return lines


def use(card: int) -> str:
    """What a card can do in Phase Two."""
    if card == MENHIR:
        return "places or moves your Menhir"
    if card in NUMBERS:
        return f"{deck.STEPS[card]} squares {_towards(card)}"
    if card not in COURTS:
        return "one health from every other Mage, or one for yours"
    return "who rolls lower loses one health"


def asks(view: View, card: int) -> str:
    """What to choose once a card is chosen in Phase Two."""
    if card == MENHIR:
        return "Your Menhir: in which part?"
    if card in NUMBERS:
        return f"{short(card)} moves whom?"
    if card not in COURTS:
        hurt = view.seat is not None and view.health[view.seat] < FULL_HEALTH
        return f"{short(card)}: {'wound or heal' if hurt else 'wound the others'}?"
    if len(view.mages) < 4 or card % 13 == deck.KING:
        return f"{short(card)} attacks {'the other Mage' if len(view.mages) == 2 else 'all the others'}."
    return f"{short(card)} attacks whom?"


def _towards(card: int) -> str:
    return {"top": "up", "bottom": "down"}.get(SIDES[card // 13], SIDES[card // 13])
