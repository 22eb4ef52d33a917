"""Screens, controls and the GameScreen protocol: what a game shows a person, independent of Discord."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from cogs.screens.emoji import Emoji
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture as Picture
from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from engines.kit.contract import Decision, Outcome

MAX_SCREEN_TEXT = 3100
"""The maximum number of characters in all paragraphs of a screen or score sheet together."""
MAX_REASON = 140
"""The maximum number of characters in the reason for a move."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button that makes one move. `confirm` is a question to ask first, for mistakes that would cost the game.

    All moves of a decision look alike; only their labels differ. The exception is a move that takes what has been
    reached, if all others can only waste something: it is `highlighted`.
    """

    label: str
    move: str  # its notation
    _: KW_ONLY
    emoji: Emoji | str | None = None
    confirm: str | None = None
    highlighted: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """A list line that makes one move."""

    label: str
    move: str
    description: str | None = None
    emoji: Emoji | str | None = None


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons in a row; long rows are wrapped after five."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """A drop-down list of moves; long lists are split into several of at most 25 lines."""

    placeholder: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A line of a list with several picks. `token` is its word in the notation; equal lines share one token."""

    label: str
    token: str
    description: str | None = None
    emoji: Emoji | str | None = None


@dataclass(frozen=True, slots=True)
class Picks:
    """A list of 1 to 25 lines; the picked ones make one move: the `verb`, then the picked tokens.

    The player picks in a drop-down list, all at once, and sees the picks before the move is made. If the order
    matters, each line is a button: the order of the taps is that of the picks, and a second tap takes one back. The
    verb may have up to four words: `perform 7`.
    """

    placeholder: str
    verb: str
    picks: tuple[Pick, ...]
    most: int
    least: int = 1
    title: str = "In this order"
    confirm_label: str = "Confirm"  # the button that makes the move
    end_labels: tuple[str, str] = ("first", "last")  # what the first and the last place mean
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """A list line or button that makes no move yet: it opens further controls, perhaps with words and a picture."""

    label: str
    key: str  # its word in custom_ids: letters, digits and dashes, unique among its siblings
    controls: tuple[Control, ...]
    description: str | None = None
    emoji: Emoji | str | None = None
    intro: str = ""  # text above its controls, after its label
    picture: Picture | None = None  # replaces the hand's picture
    question: str = ""  # the headline for its controls, instead of its label
    back: str = ""  # the label of the button that leads back: `Other card`


@dataclass(frozen=True, slots=True)
class Steps:
    """A drop-down list, or buttons, for the first step of a move; the hand then offers the remaining choices.

    Nothing is stored: the custom_ids contain the keys of the chosen steps, about 80 characters in all. Lines that
    leave nothing to choose make their moves at once; they come first.
    """

    placeholder: str
    steps: tuple[Step, ...]
    buttons: bool = False  # buttons instead of a list: one tap less
    moves: tuple[Option, ...] = ()  # only in a list


Control = Buttons | Select | Picks | Steps


class LazyParagraphs(Sequence[str]):
    """Paragraphs that are written only when they are read, because most people look at the picture instead."""

    __slots__ = ("_write", "_written")

    def __init__(self, write: Callable[[], Iterable[str]]) -> None:
        self._write = write
        self._written: tuple[str, ...] | None = None

    def _paragraphs(self) -> tuple[str, ...]:
        if self._written is None:
            self._written = tuple(self._write())
        return self._written

    def __getitem__(self, index: Any) -> Any:
        return self._paragraphs()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paragraphs())

    def __len__(self) -> int:
        return len(self._paragraphs())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyParagraphs | tuple | list) and self._paragraphs() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._paragraphs())

    def __repr__(self) -> str:
        return repr(self._paragraphs())


@dataclass(frozen=True, slots=True)
class Screen:
    """A view of a game: a headline, a picture with everything else, and the controls in order.

    `above` and `below` say the same in Discord's markdown, for players who prefer words to pictures.
    """

    above: Sequence[str]
    picture: Picture | None = None
    below: Sequence[str] = ()
    controls: tuple[Control, ...] = ()
    headline: str = ""  # what to do, or who is to move; shown in bold
    worth_text: str = ""  # the values of things, in one small line
    rule: str = ""  # the id of the rule for the current decision


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a screen gets besides the view: the seats' names, escaped for markdown, and the match's options."""

    names: tuple[str, ...]
    options: Any
    narration: Sequence[str] = ()  # recent events in words, oldest first
    plate_names: tuple[str, ...] = ()  # names for pictures; the letter if a name cannot be drawn
    short_names: tuple[
        str, ...
    ] = ()  # names for a news line, escaped for markdown, with the letter if the plate shows one
    computers: tuple[int, ...] = ()  # the seats where a computer plays, for a person or for itself


@dataclass(frozen=True, slots=True)
class OptionSuggestion:
    """A better value for an option, and the label of the button that chooses it."""

    label: str
    option: str
    value: Any


@dataclass(frozen=True, slots=True)
class LobbyAdvice:
    """What to expect of a match with these options, and one-click changes."""

    text: str
    suggestions: tuple[OptionSuggestion, ...] = ()


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A move command that is being typed: its verb, the current option and its text, and the other options."""

    verb: str
    option: str
    text: str
    others: Mapping[str, str]


Offers = Sequence[tuple[str, str]]
"""Autocomplete offers: each in words and as notation."""


def filter_offers(offers: Offers, typed: str) -> Offers:
    """Return the offers that contain every typed word, in any order; matches of whole words come first.

    A suit may be typed as a symbol instead of its letter: `Q♣`.
    """
    wanted = _normalize_text(typed).split()
    found = [offer for offer in offers if _contains_words(_normalize_text(" ".join(offer)), wanted)]
    return sorted(found, key=lambda offer: not has_whole_words(offer, typed))


def has_whole_words(offer: tuple[str, str], typed: str) -> bool:
    """Whether every typed word is a whole word of the offer."""
    text = _normalize_text(" ".join(offer))
    return {_suits_to_letters(word) for word in _normalize_text(typed).split()} <= {
        *text.split(),
        *_suits_to_letters(text).split(),
    }


def _contains_words(text: str, wanted: Sequence[str]) -> bool:
    return all(
        word in text or (len(word) > 1 and _suits_to_letters(word) in _suits_to_letters(text)) for word in wanted
    )


def _normalize_text(text: str) -> str:
    """Return the text without capitals, quotation marks, commas and brackets, which people type carelessly."""
    return text.casefold().translate(_IGNORED_CHARACTERS)


def _suits_to_letters(text: str) -> str:
    """Return the text with letters instead of suit symbols."""
    return text.translate(_SUIT_LETTERS)


_IGNORED_CHARACTERS = str.maketrans(dict.fromkeys("“”\"'’,:;()\N{VARIATION SELECTOR-16}", ""))
_SUIT_LETTERS = str.maketrans("♣♦♥♠", "cdhs")


class GameScreen(ABC):
    """What one game shows on Discord. Pure: results depend on the arguments alone."""

    intro: ClassVar[Intro]
    """The game's introduction for newcomers."""

    @abstractmethod
    def table(self, view: Any, context: Context) -> Screen:
        """Return the public table, drawn from a spectator's view, without controls."""

    @abstractmethod
    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        """Return a seat's own hand, with a control for every legal move; none if the seat has no decision."""

    @abstractmethod
    def sheet(self, view: Any, context: Context) -> Screen:
        """Return the score sheet in words, and as a picture if that shows more than the table."""

    @abstractmethod
    def result(self, view: Any, outcome: Outcome, context: Context) -> Screen:
        """Return the table of a finished match: places, points and the whole score sheet."""

    @abstractmethod
    def narrate(self, event: Any, context: Context) -> str | None:
        """Return one event in a short sentence; None if it needs no mention."""

    def narrate_briefly(self, event: Any, context: Context) -> str | None:
        """Return the event as a short clause that begins with a name if somebody acts: `Ada plays 2♣`.

        Pages join the newest clauses to sentences (`cogs/table/wording/sentences.py`). A clause with a full stop is a
        sentence of its own. None if the picture shows the event, or another clause says it.
        """
        return self.narrate(event, context)

    @abstractmethod
    def move_label(self, move: Any) -> str:
        """Return a move in plain words, for lists of moves."""

    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        """Return a legal move with its verb, as a list offers it to this seat; it may add what the move brings now.

        Plain text without markdown.
        """
        return self.move_label(move)

    def move_reason(self, view: Any, move: Any, context: Context) -> str | None:
        """Return one true sentence for a legal move, based on what its seat can see; None if there is none.

        It fits on three lines of a phone: at most `MAX_REASON` characters.
        """
        return None

    def special_cards(self, options: Any, seats: int) -> Sequence[SpecialCard]:
        """Return the kinds of special cards in such a match; empty if all cards do what their rank and suit say."""
        return ()

    def own_special_cards(self, view: Any) -> Sequence[SpecialCard]:
        """Return the special cards that the view's seat has and knows, several of a kind as often as it has them."""
        return ()

    def special_cards_of(self, event: Any, view: Any) -> HandChange:
        """Return the special cards that an event brought to the view's seat, and those that it took. It saw the event.

        The first deal, which has no events, follows from these and from what the seat has now.
        """
        return NO_CHANGE

    def special_card_changes(self, events: Sequence[Any], view: Any) -> Sequence[HandChange]:
        """Return `special_cards_of` by event, for all events of the match that the seat saw."""
        return [self.special_cards_of(event, view) for event in events]

    def special_card_in(self, move: Any, view: Any) -> SpecialCard | None:
        """Return the special card that a legal move of the view's seat is about, if it is about one."""
        return None

    def complete_option(self, view: Any, moves: Sequence[Any], typed: TypedCommand, context: Context) -> Offers | None:
        """Return the completions for the option being typed; None to offer the matching legal moves of the verb."""
        return None

    @abstractmethod
    def turn_prompt(self, view: Any, decision: Decision) -> str:
        """Return what the seat has to do, to follow “Your turn: ”; no secrets: `bid in round 3`."""

    @abstractmethod
    def section_title(self, view: Any) -> str:
        """Return the round or turn of a spectator's view: `Round 3`. A match never returns to an earlier one."""

    @abstractmethod
    def hand_text(self, view: Any) -> str:
        """Return what a seat has or chose that others do not see, in a line: `2♣, 5♦`. Empty if there is nothing."""

    def forced_text(self, decision: Decision) -> str:
        """Return the headline of a hand whose only legal move is made automatically: a short sentence."""
        return "Your only move is made automatically."

    @abstractmethod
    def option_texts(self, options: Any, seats: int) -> Mapping[str, str]:
        """Return the match options in words, by name, as they apply to this number of seats."""

    def option_values(self, option: str, options: Any, seats: int) -> Sequence[Any]:
        """Return the values to offer for an option beside these options and with this number of seats; empty to offer
        those of its type."""
        return ()

    def option_phrases(self, options: Any, seats: int) -> Mapping[str, str]:
        """Return what to call options where a lobby says how a match differs from the published game: `quick hands`.

        Options that are not among them go by name and text.
        """
        return {}

    def match_minutes(self, options: Any, seats: int) -> int:
        """Return about how many minutes such a match takes, in steps of five.

        It is as in the intro unless an option changes the length.
        """
        return self.intro.minutes[seats]

    def preset_sentences(self) -> Mapping[str, str]:
        """Return what speaks for each preset of the game, in a short sentence."""
        return {}

    def lobby_advice(self, options: Any, seats: int) -> LobbyAdvice | None:
        """Return advice for the lobby of such a match, if there is any."""
        return None


Screens = Mapping[str, GameScreen]
"""The screens by game key."""
