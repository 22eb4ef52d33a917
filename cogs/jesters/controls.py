"""The controls of a hand of Jesters: exactly the legal moves, with long lists split into steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import TypeVar

from cogs.jesters.help import CLOSER, MEETS, choose_dice, move_effect, roll_chance
from cogs.jesters.labels import (
    card_label,
    change_label,
    colour_emoji,
    die_emoji,
    die_label,
    hand_place,
    keep_label,
    learned_dice_text,
    meeting_label,
)
from cogs.jesters.pictures import chosen_picture
from cogs.jesters.tasks import percent_text
from cogs.jesters.words import (
    card_bottom_text,
    card_top_text,
    count_dice,
    dice_text,
    gift_effect_text,
    target_task,
)
from cogs.screens import words
from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_OPTION
from cogs.screens.emoji import Emoji
from cogs.screens.screen import Button, Buttons, Control, Option, Pick, Picks, Picture, Select, Step, Steps
from cogs.screens.truncation import first_fitting, truncate
from engines.jesters import JESTERS, effects, prospects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, COLOURS, Favorite, Performance
from engines.jesters.model import (
    FAVORITE_TARGET,
    OUT_FAILURES,
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    Unmark,
    UseGift,
)
from engines.jesters.rounds import CONSOLATION
from engines.jesters.scoring import FAILURE_TRACK
from engines.jesters.view import View

MAX_LINES = 25
EXTRA_DICE_SHOWN = 1  # dice beyond those that a Performance needs, for which a chance is shown
MAX_TWO_ROW_BUTTONS = 4  # buttons, two per row
MAX_DIE_BUTTONS = 10  # with more dice, lists replace the buttons
MEETING_BUTTONS = 1  # only the cheapest change that meets the requirement has a button
USEFUL_CHANGES = 10  # listed first if there are too many changes

M = TypeVar("M", bound=Move)
MoveEffects = Mapping[Spend | UseGift, str | None]  # the effect of each change on the requirement


def hand_controls(view: View, moves: Sequence[Move], hand_picture: Picture | None = None) -> tuple[Control, ...]:
    """Return controls for all legal moves. `hand_picture` is the picture of the hand."""
    match view.phase:
        case "turn":
            return _turn_controls(view, moves, hand_picture)
        case "attempt":
            return _attempt_controls(view, moves)
        case "mark":
            return _mark_controls(view, moves)
        case "keep":
            buttons = [Button(keep_label(move.gift), JESTERS.format_move(move)) for move in _moves_of_kind(moves, Keep)]
            return (Buttons(tuple(buttons)),)
        case "over":
            return ()


def _moves_of_kind(moves: Iterable[Move], kind: type[M]) -> list[M]:
    return [move for move in moves if isinstance(move, kind)]


def _move_option(move: Move, label: str, description: str | None = None, emoji: Emoji | None = None) -> Option:
    short_description = description and truncate(description, MAX_DESCRIPTION)
    return Option(truncate(label, MAX_OPTION), JESTERS.format_move(move), short_description, emoji)


# A turn


def _turn_controls(view: View, moves: Sequence[Move], hand_picture: Picture | None) -> tuple[Control, ...]:
    """One list of Performances and cards to learn with, and a button to pass."""
    performs, others = _perform_options(view, hand_picture)
    learns, free = _learn_options(view, moves)
    steps = [*free, *others]
    if len(performs) + len(learns) + len(steps) > MAX_LINES and others:
        steps = [
            Step("Perform with other dice", "p", (Steps("Which Performance?", tuple(others)),), back="Back"),
            *free,
        ]
    if len(performs) + len(learns) + len(steps) > MAX_LINES:
        inner = Steps("Which card?", tuple(free), moves=tuple(learns))
        learns, steps = [], [*(step for step in steps if step not in free), Step("Learn", "l", (inner,), back="Back")]
    may = [*(["learn"] if learns or free else []), *(["perform"] if performs else [])]
    found = [Steps(words.capitalize(words.join_with_or(may)), tuple(steps), moves=(*performs, *learns))] if may else []
    confirm = _pass_question(view) if found else None
    return (*found, Buttons((Button("Pass", JESTERS.format_move(Pass()), confirm=confirm),)))


def _pass_question(view: View) -> str:
    assert view.seat is not None
    owned = view.dice[view.seat]
    lose = f" and you return your dice ({dice_text(owned)})" if any(owned) else ""
    first = "" if view.passed else " You are the first to pass, so the first player card is yours."
    return f"**Pass?** You are out of this round{lose}.{first}"


def _learn_options(view: View, moves: Sequence[Move]) -> tuple[list[Option], list[Step]]:
    """A line per card. A card with a choice of colour opens a step."""
    by_card: dict[int, list[Learn]] = {}
    for move in takewhile(lambda move: isinstance(move, Learn), moves):
        assert isinstance(move, Learn)
        by_card.setdefault(move.card, []).append(move)
    plain: list[Option] = []
    steps: list[Step] = []
    for card, learns in by_card.items():
        label = f"Learn {learned_dice_text(view, learns[0]) if len(learns) == 1 else _teaching_text(card)}"
        discard_text = f"discards {card_bottom_text(card)}"
        if len(learns) == 1:
            plain.append(
                _move_option(learns[0], _distinct_label(view, label, card, [one.label for one in plain]), discard_text)
            )
        else:
            colours = _colour_controls(view, learns)
            label = _distinct_label(view, label, card, [one.label for one in steps])
            steps.append(Step(label, f"l{card}", (colours,), discard_text, question="Learn which dice?", back="Back"))
    return plain, steps


def _teaching_text(card: int) -> str:
    """What a card with a free colour teaches: `1 red, 1 of any colour`."""
    colours = catalogue.jest_card(card).top
    plain = dice_text(count_dice(colours), "")
    return ", ".join(filter(None, (plain, f"{colours.count(ANY)} of any colour")))


def _colour_controls(view: View, learns: Sequence[Learn]) -> Control:
    if len(learns) > MAX_TWO_ROW_BUTTONS:
        return Select(
            "Which dice?", tuple(_move_option(way, words.capitalize(learned_dice_text(view, way))) for way in learns)
        )
    return Buttons(
        tuple(Button(words.capitalize(_chosen_colours_text(way)), JESTERS.format_move(way)) for way in learns)
    )


def _chosen_colours_text(move: Learn) -> str:
    """The colours chosen for "any"."""
    return words.join_with_and([COLOURS[colour] for colour in move.colours])


def _distinct_label(view: View, label: str, card: int, others: Sequence[str]) -> str:
    """The label, with the card's place in the hand if another line has the same label."""
    place = hand_place(view, card)
    return first_fitting(MAX_OPTION, f"{label} ({place} card)", f"{label} ({place})") if label in others else label


def _perform_options(view: View, hand_picture: Picture | None) -> tuple[list[Option], list[Step]]:
    """Options to roll the needed dice or all dice, the likelier first, and a step for other dice."""
    assert view.seat is not None
    owned = view.dice[view.seat]
    if not any(owned):
        return [], []
    targets = [*([] if view.seat in view.done else [FAVORITE_TARGET]), *view.board]
    rolls = [option for target in targets for option in _roll_options(view, target, owned)]
    return rolls, [_other_dice_step(view, target, owned, hand_picture) for target in targets] if sum(owned) > 1 else []


def _roll_options(view: View, target: int, owned: Sequence[int]) -> list[Option]:
    doing = target_task(view, target)
    natural = choose_dice(doing.requirement, owned, doing.dice)
    choices = [natural, tuple(owned)] if doing.dice < sum(owned) else [tuple(owned)]
    choices.sort(key=lambda dice: roll_chance(doing.requirement, dice), reverse=True)
    return [_roll_option(doing, Perform(target, dice)) for dice in choices]


def _roll_option(doing: Performance | Favorite, move: Perform) -> Option:
    """The option of a Performance: name and number of dice; below, the chance, the reward and the dice."""
    number, chance = (
        words.pluralize(sum(move.dice), "die").replace("dies", "dice"),
        roll_chance(doing.requirement, move.dice),
    )
    brings = f"{doing.fame} Fame" if isinstance(doing, Performance) else "a Gift"
    few = sum(move.dice) < doing.dice
    likely = percent_text(chance) if chance else f"needs {doing.dice} dice" if few else "not without changes"
    label = first_fitting(MAX_OPTION, f"{doing.name}: {number}", f"{doing.name}: {sum(move.dice)}")
    description = first_fitting(
        MAX_DESCRIPTION, f"{likely} · {brings} · {dice_text(move.dice)}", f"{likely} · {brings}"
    )
    return Option(label, JESTERS.format_move(move), description)


def _other_dice_step(view: View, target: int, owned: Sequence[int], hand_picture: Picture | None) -> Step:
    doing = target_task(view, target)
    return Step(
        first_fitting(MAX_OPTION, f"{doing.name}: other dice", f"{doing.name}: other"),
        "f" if target == FAVORITE_TARGET else str(target),
        (_dice_picks(view, target, owned),),
        "choose the dice to roll",
        intro=f"-# {_chances_text(view, target, owned)}",
        picture=chosen_picture(hand_picture, doing.name) if hand_picture else None,
        question="Roll which dice?",
        back="Back",
    )


def _chances_text(view: View, target: int, owned: Sequence[int]) -> str:
    """The chances with different numbers of dice, without cards or Gifts."""
    doing, most = target_task(view, target), sum(owned)
    numbers = sorted({number for number in (doing.dice, doing.dice + EXTRA_DICE_SHOWN, most) if number <= most})
    some = [
        (number, roll_chance(doing.requirement, choose_dice(doing.requirement, owned, number))) for number in numbers
    ]
    chances = [f"{number} dice {percent_text(chance)}" for number, chance in some if chance]
    return f"Without changes: {', '.join(chances)}" if chances else "Your dice cannot meet it without changes."


def _dice_picks(view: View, target: int, owned: Sequence[int]) -> Picks:
    """A picker for the player's dice."""
    wanted = target_task(view, target).requirement.colours
    picks = [
        Pick(COLOURS[colour], COLOURS[colour], "a required colour" if wanted[colour] else None, colour_emoji(colour))
        for colour in range(4)
        for _ in range(owned[colour])
    ]
    verb = f"perform {'favorite' if target == FAVORITE_TARGET else target}"
    return Picks("Choose the dice to roll", verb, tuple(picks), len(picks), confirm_label="Roll", ordered=False)


# An attempt


def _attempt_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """Moves that meet the requirement at once, other changes, rerolls, and finishing."""
    changes = [move for move in moves if isinstance(move, Spend | UseGift)]
    found: list[Control] = []
    does = {move: move_effect(view, move) for move in changes}
    if at_once := _meeting_buttons(view, does):
        found.append(Buttons(tuple(at_once)))
    if changes:
        found.append(_change_steps(view, does))
    if rerolls := _moves_of_kind(moves, Reroll):
        options = [_move_option(move, card_label(view, move.card)) for move in rerolls]
        found.append(Select("Reroll dice: discard a Jest card", tuple(options)))
    others = [*([f"change them with {_means_text(does)}"] if changes else []), *(["reroll dice"] if rerolls else [])]
    return (*found, Buttons((_finish_button(view, others),)))


def _finish_button(view: View, others: Sequence[str]) -> Button:
    """The button that ends the attempt. An avoidable failure needs a confirmation."""
    if prospects.meets_requirement(view):
        return Button("Finish: a success", JESTERS.format_move(Finish()))
    left = f"**The dice do not meet it yet**, and you could still {words.join_with_or(others)}." if others else ""
    asked_for = f"{left} {_failure_text(view)} Finish as a failure?" if others else None
    return Button("Finish: a failure", JESTERS.format_move(Finish()), confirm=asked_for)


def _failure_text(view: View) -> str:
    """What the next failure costs and brings (S11, S17)."""
    failures = view.failures[view.turn]
    worth = (
        f"{words.plain_number(FAILURE_TRACK[failures + 1])} Fame at the end instead of "
        f"{words.plain_number(FAILURE_TRACK[failures])}"
    )
    if failures + 1 == OUT_FAILURES:
        return f"Your third failure puts you out of play and counts {worth}."
    drawn = words.pluralize(CONSOLATION[failures + 1], "Jest card")
    return f"Your {words.ordinal(failures + 1)} failure counts {worth}. You keep your dice and draw {drawn}."


def _meeting_buttons(view: View, move_effects: MoveEffects) -> list[Button]:
    """The cheapest moves that meet the requirement: Gifts, which return each round, then cards that teach little."""
    if prospects.meets_requirement(view):
        return []
    meeting = sorted((move for move, brings in move_effects.items() if brings == MEETS), key=_change_price)
    return [Button(meeting_label(view, move), JESTERS.format_move(move)) for move in meeting[:MEETING_BUTTONS]]


def _change_price(move: Spend | UseGift) -> int:
    return len(catalogue.jest_card(move.card).top) if isinstance(move, Spend) else 0


def _effect_rank(effect: str | None) -> int:
    return {MEETS: 0, CLOSER: 1}.get(effect or "", 2)


def _change_steps(view: View, move_effects: MoveEffects) -> Steps:
    """All changes in one list, the most useful first. If there are too many, the others open card by card."""
    changes = sorted(move_effects, key=lambda move: _effect_rank(move_effects[move]))
    steps: list[Step] = []
    if len(changes) > MAX_LINES:
        useful = [move for move in changes if not isinstance(move, Spend) or move_effects[move]][:USEFUL_CHANGES]
        others = [move for move in changes if move not in useful]
        gifts = [move for move in others if isinstance(move, UseGift)]
        changes = [*useful, *gifts]
        cards = dict.fromkeys(move.card for move in others if isinstance(move, Spend))
        steps = [
            _card_step(view, card, [m for m in others if isinstance(m, Spend) and m.card == card], move_effects)
            for card in cards
        ]
    options = [
        _move_option(move, change_label(view, move), _change_description(move, move_effects[move])) for move in changes
    ]
    return Steps(f"Change dice with {_means_text(move_effects)}", tuple(steps), moves=tuple(options))


def _means_text(move_effects: MoveEffects) -> str:
    """The means to change dice: `a card or a Gift`."""
    kinds = {type(move) for move in move_effects}
    return words.join_with_or([phrase for kind, phrase in ((Spend, "a card"), (UseGift, "a Gift")) if kind in kinds])


def _change_description(move: Spend | UseGift, effect: str | None) -> str | None:
    """The effect of a change, and what the discarded card would teach, if it fits. What a Gift does comes first."""
    if isinstance(move, UseGift):
        does = gift_effect_text(move.gift) if move.die is not None else ""  # in other cases the label says it
        return first_fitting(MAX_DESCRIPTION, " · ".join(filter(None, (does, effect))), does) or None
    discard_text = f"discards {card_top_text(move.card)}"
    short = (effect or "").removeprefix("brings it ")
    return (
        first_fitting(
            MAX_DESCRIPTION, *(" · ".join(filter(None, (phrase, discard_text))) for phrase in (effect, short))
        )
        or None
    )


def _card_step(view: View, card: int, changes: Sequence[Spend], move_effects: MoveEffects) -> Step:
    """The other changes by a card. If the list is too long, it opens die by die."""
    left: Control
    if len(changes) <= MAX_LINES:
        left = Select(
            "Which die and which number?", tuple(_move_option(move, change_label(view, move)) for move in changes)
        )
    else:
        dice = dict.fromkeys(move.die for move in changes)
        left = Steps(
            "Which die?",
            tuple(_die_step(view, die, [m for m in changes if m.die == die], move_effects) for die in dice),
        )
    return Step(card_label(view, card), f"s{card}", (left,), "other changes")


def _die_step(view: View, die: int, changes: Sequence[Spend], move_effects: MoveEffects) -> Step:
    best = min((move_effects[move] for move in changes), key=_effect_rank)
    buttons = Buttons(tuple(Button(f"to {move.face}", JESTERS.format_move(move)) for move in changes))
    return Step(die_label(view, die), f"d{die}", (buttons,), best, die_emoji(view, die))


# Marking dice


def _mark_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """The dice as buttons, or as lists if there are many, and a button to continue."""
    assert view.attempt is not None
    toggles: list[Mark | Unmark] = [*_moves_of_kind(moves, Mark), *_moves_of_kind(moves, Unmark)]
    toggles.sort(key=lambda move: move.die)
    done = Buttons(tuple(_done_button(view, move) for move in moves if isinstance(move, Roll | Paint)))
    last = (done,) if done.buttons else ()
    if len(view.attempt.dice) <= MAX_DIE_BUTTONS:
        return (Buttons(tuple(_toggle_button(view, move) for move in toggles)), *last)
    lists: list[tuple[str, list[Mark | Unmark]]] = [
        ("Mark a die", [*_moves_of_kind(moves, Mark)]),
        ("Unmark a die", [*_moves_of_kind(moves, Unmark)]),
    ]
    return (*(_mark_select(view, label, some) for label, some in lists if some), *last)


def _toggle_button(view: View, move: Mark | Unmark) -> Button:
    """A button like `3: blue 4`, with a tick if the die is marked."""
    assert view.attempt is not None
    marked, die = isinstance(move, Unmark), view.attempt.dice[move.die - 1]
    label = f"{move.die}: {COLOURS[die.colour]} {die.face}"
    return Button(f"✓ {label}" if marked else label, JESTERS.format_move(move))


def _mark_select(view: View, placeholder: str, moves: Sequence[Mark | Unmark]) -> Select:
    options = [_move_option(move, die_label(view, move.die), emoji=die_emoji(view, move.die)) for move in moves]
    return Select(placeholder, tuple(options))


def _done_button(view: View, move: Roll | Paint) -> Button:
    assert view.attempt is not None
    number = len(view.attempt.marked)
    dice = "1 die" if number == 1 else f"{number} dice"
    if isinstance(move, Paint):
        paint = effects.paint_colour(view.attempt.marking)
        return Button(f"Make {dice} {COLOURS[paint or 0]}", JESTERS.format_move(move))
    return Button(f"Reroll {dice} ({percent_text(prospects.success_chance(view))})", JESTERS.format_move(move))
