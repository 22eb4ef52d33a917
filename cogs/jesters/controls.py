"""The controls of a hand of Jesters: exactly the legal moves, with long lists split into steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import TypeVar

from cogs.jesters.help import (
    CLOSER,
    MEETS,
    chance_with_all,
    choose_dice,
    move_effect,
    rank_targets,
    roll_chance,
)
from cogs.jesters.labels import (
    card_emoji,
    card_label,
    change_emoji,
    change_label,
    colour_emoji,
    die_emoji,
    die_label,
    hand_place,
    keep_label,
    learned_dice_text,
    learned_emoji,
    meeting_label,
    task_emoji,
)
from cogs.jesters.pictures import chosen_picture, learning_picture, performing_picture
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
from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION
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
MAX_CARD_BUTTONS = 5  # cards to learn with, one button per row
BEST_PERFORMANCES = 3  # have buttons, which roll all dice
MAX_DIE_BUTTONS = 10  # with more dice, lists replace the buttons
MEETING_BUTTONS = 1  # only the cheapest change that meets the requirement has a button
USEFUL_CHANGES = 10  # listed first if there are too many changes

LEARN_QUESTION = "Learn: which card do you discard?"

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
    """A button that opens what can be learned, one that opens what can be performed, and one to pass.

    A player without dice has the list of cards at once.
    """
    perform, learn = _perform_step(view, hand_picture), _learn_step(view, moves, hand_picture)
    passing = Button("Pass", JESTERS.format_move(Pass()), confirm=_pass_question(view) if perform or learn else None)
    if perform is None:
        return (*(_learn_list(view, moves) if learn else ()), Buttons((passing,)))
    actions = Steps("Learn or perform", tuple(filter(None, (learn, perform))), buttons=True)
    return actions, Buttons((passing,))


def _pass_question(view: View) -> str:
    assert view.seat is not None
    owned = view.dice[view.seat]
    lose = f", and your dice ({dice_text(owned)}) go back" if any(owned) else ""
    first = "" if view.passed else " You are the first to pass, so the first player card is yours."
    return f"**Pass?** You will be out of this round{lose}.{first}"


# Learning


def _learn_step(view: View, moves: Sequence[Move], hand_picture: Picture | None) -> Step | None:
    """The step to a button per card, or to a list if there are many."""
    cards = _group_by_card(moves)
    if not cards:
        return None
    controls = _learn_buttons(view, cards) if len(cards) <= MAX_CARD_BUTTONS else _learn_list(view, moves)
    picture = learning_picture(hand_picture) if hand_picture else None
    return Step("Learn", "l", controls, picture=picture, question=LEARN_QUESTION, back="Back")


def _group_by_card(moves: Iterable[Move]) -> dict[int, list[Learn]]:
    """The ways to learn, by card. Moves are ordered: learning first."""
    by_card: dict[int, list[Learn]] = {}
    for move in takewhile(lambda move: isinstance(move, Learn), moves):
        assert isinstance(move, Learn)
        by_card.setdefault(move.card, []).append(move)
    return by_card


def _learn_buttons(view: View, cards: Mapping[int, Sequence[Learn]]) -> tuple[Control, ...]:
    steps: list[Step] = []
    buttons: list[Button] = []
    labels: list[str] = []
    for card, learns in cards.items():
        label = _learn_label(view, card, learns, labels, MAX_LABEL)
        labels.append(label)
        if len(learns) > 1:
            steps.append(_colour_step(view, card, learns, label))
        else:
            buttons.append(Button(label, JESTERS.format_move(learns[0]), emoji=card_emoji(card)))
    return (
        *((Steps(LEARN_QUESTION, tuple(steps), buttons=True),) if steps else ()),
        *((Buttons(tuple(buttons)),) if buttons else ()),
    )


def _learn_list(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """A line per card. A card with a choice of colour opens a step."""
    options: list[Option] = []
    steps: list[Step] = []
    labels: list[str] = []
    for card, learns in _group_by_card(moves).items():
        label = _learn_label(view, card, learns, labels, MAX_OPTION)
        labels.append(label)
        lacking = _lacking_text(view, card) if len(learns) == 1 else ""
        gives_up = f"gives up {card_bottom_text(card)}"
        description = " · ".join(filter(None, (lacking, gives_up)))
        if len(learns) > 1:
            steps.append(_colour_step(view, card, learns, label, description))
        else:
            options.append(_move_option(learns[0], label, description, card_emoji(card)))
    return (Steps(LEARN_QUESTION, tuple(steps), moves=tuple(options)),)


def _learn_label(view: View, card: int, learns: Sequence[Learn], others: Sequence[str], most: int) -> str:
    """The learned dice in at most so many characters, with the card's place in the hand if another one is the same."""
    label = learned_dice_text(view, learns[0]) if len(learns) == 1 else _teaching_text(card)
    place = hand_place(view, card)
    return first_fitting(most, f"{label} ({place} card)", f"{label} ({place})") if label in others else label


def _teaching_text(card: int) -> str:
    """What a card with a free colour teaches: `1 red, 1 of any colour`."""
    colours = catalogue.jest_card(card).top
    plain = dice_text(count_dice(colours), "")
    return ", ".join(filter(None, (plain, f"{colours.count(ANY)} of any colour")))


def _lacking_text(view: View, card: int) -> str:
    """Which of a card's dice are not in the middle: `no green left`, `only 1 blue left`."""
    taught = count_dice(catalogue.jest_card(card).top)
    lacking = [(view.middle[colour], COLOURS[colour]) for colour in range(4) if view.middle[colour] < taught[colour]]
    return ", ".join(f"only {number} {name} left" if number else f"no {name} left" for number, name in lacking)


def _colour_step(view: View, card: int, learns: Sequence[Learn], label: str, description: str | None = None) -> Step:
    controls = _colour_controls(view, learns)
    return Step(
        label, f"l{card}", (controls,), description, card_emoji(card), question="Learn which dice?", back="Back"
    )


def _colour_controls(view: View, learns: Sequence[Learn]) -> Control:
    if len(learns) > MAX_TWO_ROW_BUTTONS:
        return Select(
            "Which dice?",
            tuple(
                _move_option(way, words.capitalize(learned_dice_text(view, way)), emoji=learned_emoji(way))
                for way in learns
            ),
        )
    return Buttons(
        tuple(
            Button(words.capitalize(_chosen_colours_text(way)), JESTERS.format_move(way), emoji=learned_emoji(way))
            for way in learns
        )
    )


def _chosen_colours_text(move: Learn) -> str:
    """The colours chosen for "any"."""
    return words.join_with_and([COLOURS[colour] for colour in move.colours])


# Performing


def _perform_step(view: View, hand_picture: Picture | None) -> Step | None:
    """The step to the Performances: buttons for the three likeliest with all dice, and a list of everything else."""
    assert view.seat is not None
    owned = view.dice[view.seat]
    if not any(owned):
        return None
    ranked = rank_targets(view)
    best = [target for target in ranked if chance_with_all(view, target)][:BEST_PERFORMANCES]
    buttons = [_best_button(view, target) for target in best]
    rest = [
        *(
            _roll_option(target_task(view, target), _with_all_dice(view, target))
            for target in ranked
            if target not in best
        ),
        *_natural_options(view, ranked, owned),
    ]
    steps = [_other_dice_step(view, target, owned, hand_picture) for target in ranked] if sum(owned) > 1 else []
    controls: list[Control] = [Buttons(tuple(buttons))] if buttons else []
    if rest or steps:
        placeholder = "More ways to perform" if buttons else "Which Performance?"
        controls.append(Steps(placeholder, tuple(steps), moves=tuple(rest)))
    picture = performing_picture(hand_picture) if hand_picture else None
    return Step(
        "Perform",
        "p",
        tuple(controls),
        intro="-# %: the chance of this roll, if you change no die." if buttons else "",
        picture=picture,
        question=f"Perform what? {_all_dice_phrase(sum(owned))}.",
        back="Back",
    )


def _all_dice_phrase(number: int) -> str:
    return {1: "You roll your die", 2: "You roll both dice"}.get(number, f"You roll all {number} dice")


def _best_button(view: View, target: int) -> Button:
    """A button that rolls all dice for a Performance, with its chance."""
    doing = target_task(view, target)
    label = f"{doing.name}: {percent_text(chance_with_all(view, target))}"
    return Button(label, JESTERS.format_move(_with_all_dice(view, target)), emoji=task_emoji(doing))


def _with_all_dice(view: View, target: int) -> Perform:
    assert view.seat is not None
    return Perform(target, tuple(view.dice[view.seat]))


def _natural_options(view: View, targets: Iterable[int], owned: Sequence[int]) -> list[Option]:
    """Options to roll only as many dice as a Performance takes, the likeliest first."""
    found: list[tuple[Fraction, Option]] = []
    for target in targets:
        doing = target_task(view, target)
        if doing.dice < sum(owned):
            natural = choose_dice(doing.requirement, owned, doing.dice)
            chance = roll_chance(doing.requirement, natural)
            found.append((chance, _roll_option(doing, Perform(target, natural))))
    return [option for _, option in sorted(found, key=lambda each: each[0], reverse=True)]


def _roll_option(doing: Performance | Favorite, move: Perform) -> Option:
    """The option of a Performance: name and number of dice; below, the chance, the reward and the dice."""
    number, chance = (
        words.pluralize(sum(move.dice), "die").replace("dies", "dice"),
        roll_chance(doing.requirement, move.dice),
    )
    brings = f"{doing.fame} Fame" if isinstance(doing, Performance) else "a Gift"
    few = sum(move.dice) < doing.dice
    likely = percent_text(chance) if chance else f"needs {doing.dice} dice" if few else "0% without changes"
    label = first_fitting(MAX_OPTION, f"{doing.name}: {number}", f"{doing.name}: {sum(move.dice)}")
    description = first_fitting(
        MAX_DESCRIPTION, f"{likely} · {brings} · {dice_text(move.dice)}", f"{likely} · {brings}"
    )
    return Option(label, JESTERS.format_move(move), description, task_emoji(doing))


def _other_dice_step(view: View, target: int, owned: Sequence[int], hand_picture: Picture | None) -> Step:
    doing = target_task(view, target)
    return Step(
        first_fitting(MAX_OPTION, f"{doing.name}: other dice", f"{doing.name}: other"),
        "f" if target == FAVORITE_TARGET else str(target),
        (_dice_picks(view, target, owned),),
        "choose the dice to roll",
        task_emoji(doing),
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
    return f"Without changes: {', '.join(chances)}" if chances else "Your dice cannot succeed without changes."


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
    """Moves that meet the requirement at once, other changes, rerolls, and finishing.

    If the dice already meet the requirement, finishing is highlighted, and everything else is behind a step.
    """
    changes = [move for move in moves if isinstance(move, Spend | UseGift)]
    rerolls = _moves_of_kind(moves, Reroll)
    does = {move: move_effect(view, move) for move in changes}
    found: list[Control] = [_change_steps(view, does)] if changes else []
    if rerolls:
        options = [_move_option(move, card_label(view, move.card), emoji=card_emoji(move.card)) for move in rerolls]
        found.append(Select("Reroll dice: discard a Jest card", tuple(options)))
    if prospects.meets_requirement(view):
        finish = Button("Finish: a success", JESTERS.format_move(Finish()), highlighted=True)
        return Buttons((finish,)), *([_other_changes(found)] if found else [])
    at_once = _meeting_buttons(view, does)
    others = [*([f"change them with {_means_text(does)}"] if changes else []), *(["reroll dice"] if rerolls else [])]
    return (*([Buttons(tuple(at_once))] if at_once else []), *found, Buttons((_failure_button(view, others),)))


def _other_changes(controls: Sequence[Control]) -> Steps:
    """The step to changes of dice that meet the requirement already."""
    step = Step(
        "Change dice",
        "c",
        tuple(controls),
        intro="-# Each change uses up a card or a Gift.",
        question="Requirement met. Change the dice?",
        back="Back",
    )
    return Steps("Change dice", (step,), buttons=True)


def _failure_button(view: View, others: Sequence[str]) -> Button:
    """The button that ends the attempt as a failure. If it could be averted, it asks first."""
    left = (
        f"**The dice do not meet the requirement yet**, and you could still {words.join_with_or(others)}."
        if others
        else ""
    )
    asked_for = f"{left} {_failure_text(view)} Finish as a failure?" if others else None
    return Button("Finish: a failure", JESTERS.format_move(Finish()), confirm=asked_for)


def _failure_text(view: View) -> str:
    """What the next failure costs and brings (S11, S17)."""
    failures = view.failures[view.turn]
    before, after = FAILURE_TRACK[failures], FAILURE_TRACK[failures + 1]
    cost = (
        f"costs you {before - after} Fame: {words.plain_number(after)} at the end instead of "
        f"{words.plain_number(before)}"
    )
    if failures + 1 == OUT_FAILURES:
        return f"Your third failure puts you out of play and {cost}."
    drawn = words.pluralize(CONSOLATION[failures + 1], "Jest card")
    return f"Your {words.ordinal(failures + 1)} failure {cost}. You keep your dice and draw {drawn}."


def _meeting_buttons(view: View, move_effects: MoveEffects) -> list[Button]:
    """The cheapest moves that meet the requirement: Gifts, which return each round, then cards that teach little."""
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
        _move_option(
            move,
            change_label(view, move),
            _change_description(move, move_effects[move]),
            change_emoji(view, move),
        )
        for move in changes
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
    discard_text = f"gives up {card_top_text(move.card)}"
    short = (effect or "").removeprefix("gets ")
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
            "Which die and which number?",
            tuple(_move_option(move, change_label(view, move), emoji=change_emoji(view, move)) for move in changes),
        )
    else:
        dice = dict.fromkeys(move.die for move in changes)
        left = Steps(
            "Which die?",
            tuple(_die_step(view, die, [m for m in changes if m.die == die], move_effects) for die in dice),
        )
    return Step(card_label(view, card), f"s{card}", (left,), "other changes", card_emoji(card))


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
