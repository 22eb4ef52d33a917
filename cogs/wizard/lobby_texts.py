"""Wizard's options in words, as they work out for a number of players, and the length of such a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import get_args

from cogs.screens import words
from cogs.wizard.intro import INTRO
from engines.wizard.house_rules import full_round_count, hand_sizes, place_count, round_count
from engines.wizard.model import SPECIAL_NAMES, HookSize, Options

HANDS_PHRASES = {"by twos": "hands by twos", "all cards": "all cards in every round"}
BIDS_TEXTS = {"open": "open", "hidden": "hidden until all have bid", "late": "hidden until the round is scored"}


PRESET_SENTENCES = {
    "as published": "One card, then two, up to the whole pack.",
    "hook": "Somebody will miss a bid.",
    "quick hands": "Half the rounds.",
    "carnival": "Half the rounds, hidden bids, special cards.",
}


def option_texts(options: Options, seats: int) -> Mapping[str, str]:
    """Return the number of rounds, and the house rules."""
    return {
        "rounds": _rounds_text(options, seats),
        "hands": _hands_text(options, seats),
        "hook": _hook_text(options, seats),
        "bids": BIDS_TEXTS[options.bids],
        "blind": "every third round" if options.blind else "off",
        "dummy": _dummy_text(options, seats),
        **{name: "in the pack" if getattr(options, name) else "off" for name in SPECIAL_NAMES},
    }


def option_phrases(options: Options, seats: int) -> Mapping[str, str]:
    """Return what to call the options of a match that differ from the published game."""
    rounds, full = round_count(seats, options), full_round_count(seats, options.hands)
    return {
        "rounds": f"{rounds} of {full} rounds",
        "hands": HANDS_PHRASES.get(options.hands, f"{options.hands} hands"),
        "hook": f"the hook from {words.pluralize(options.hook or 0, 'card')} on",
        "bids": f"{options.bids} bids",
        "blind": "blind bids",
        "dummy": "a dummy hand",
        **{name: f"the {name.capitalize()}" for name in SPECIAL_NAMES},
    }


def match_minutes(options: Options, seats: int) -> int:
    """Return about how many minutes a match takes: those of the published game, by the number of tricks."""
    places = place_count(seats)
    tricks, published = sum(hand_sizes(seats, options)), sum(hand_sizes(seats, Options()))
    return 5 * ceil(INTRO.minutes[places] * seats / places * tricks / published / 5)


def option_values(option: str, options: Options, seats: int) -> Sequence[int | None]:
    """Return the full game and every shorter one for this number of players, and the hooks for hands that exist."""
    if option == "rounds":
        return (None, *range(1, full_round_count(seats, options.hands)))
    if option == "hook":
        largest = max(hand_sizes(seats, options))
        return (None, *(size for size in get_args(HookSize) if size <= largest))
    return ()


def _rounds_text(options: Options, seats: int) -> str:
    """The number of rounds, and that of the full game."""
    full, rounds = full_round_count(seats, options.hands), round_count(seats, options)
    if options.rounds is not None and options.rounds > full:
        return f"{full} (the full game; {seats} players cannot play {options.rounds})"
    return f"{full} (the full game)" if rounds == full else f"{rounds} (the full game has {full})"


def _hands_text(options: Options, seats: int) -> str:
    """The cards in each round: `by twos (1, 3, 5 … 15 cards)`."""
    sizes = hand_sizes(seats, options)
    if options.hands == "all cards":
        return f"all cards ({words.pluralize(len(sizes), 'round')} of {sizes[0]} cards)"
    sizes_text = ", ".join(map(str, sizes)) if len(sizes) < 4 else f"{sizes[0]}, {sizes[1]}, {sizes[2]} … {sizes[-1]}"
    return f"{options.hands} ({sizes_text} {'card' if sizes[-1] == 1 else 'cards'})"


def _hook_text(options: Options, seats: int) -> str:
    """From which hands on the hook counts."""
    if options.hook is None:
        return "off"
    nowhere = "" if options.hook <= max(hand_sizes(seats, options)) else " (no hand is that large)"
    return f"from {words.pluralize(options.hook, 'card')} on{nowhere}"


def _dummy_text(options: Options, seats: int) -> str:
    """Whether two players have a dummy hand, and that more have none."""
    if not options.dummy:
        return "off"
    return "on for two players" if seats == 2 else f"on for two players (no effect with {seats})"
