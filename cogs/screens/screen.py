"""What a person gets to see: words, a picture and controls, before anything of Discord is involved."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from cogs.pictures.spec import Spec
from cogs.screens.truncation import truncate
from engines.kit.contract import Decision, Outcome

SEVERAL = 3
"""From how many picks on a list takes fewer presses than a button for each."""
MAX_SCREEN_TEXT = 3100
"""The most characters that a screen's paragraphs, or a sheet, have together: a page has no room for more."""
ALT = 1024
"""The most characters of a picture's alt text."""
MASS_MENTION = re.compile("@(?=everyone|here)", re.IGNORECASE)
"""The beginning of a mention of everybody. With a zero-width space behind it, it mentions nobody."""
MAX_REASON = 140
"""The most characters of the sentence that says why a move may be good."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button that makes one move. `confirm` asks once more before it, for slips that would cost the game.

    All moves of a decision look alike: what there is to say of one stands on it.
    """

    label: str
    move: str  # its notation
    _: KW_ONLY
    emoji: str | None = None
    confirm: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a select that makes one move."""

    label: str
    move: str
    description: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons in a row; the table breaks long rows at five."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """A drop-down list of moves; the table breaks long ones into several of at most 25."""

    placeholder: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A line of a list of which several are picked; `token` is its word in the notation, lines alike share one."""

    label: str
    token: str
    description: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Picks:
    """1 to 25 picks of which several make one move: its `verb`, then the tokens of what was picked.

    They are picked in a drop-down list, in one go. What was picked is shown before the move is made; if its order
    counts, it stands in the order of the list, and each pick is a button by which that can be changed. If no more than
    two can be picked in an order, these buttons take the list's place. The verb may be up to four words: `perform 7`.
    """

    placeholder: str
    verb: str
    picks: tuple[Pick, ...]
    most: int
    least: int = 1
    title: str = "In this order"
    confirm_label: str = "Confirm"  # the button that makes the move
    end_labels: tuple[str, str] = ("first", "last")  # what it means to be the first and the last one
    ordered: bool = True

    @property
    def listed(self) -> bool:
        """Whether a list comes first: one button after the other would take more presses."""
        return not self.ordered or self.most >= SEVERAL


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw: a frozen description, its file name, and the same in words, cut to what Discord takes."""

    spec: Spec
    name: str
    alt: str

    def __post_init__(self) -> None:
        """Shorten the alt text, whose names are whole, and make sure that it mentions nobody."""
        object.__setattr__(self, "alt", truncate(MASS_MENTION.sub("@\u200b", self.alt), ALT))


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a list, or a button, that makes no move: it brings controls of its own, perhaps words and a picture."""

    label: str
    key: str  # its word in custom_ids: letters, digits and dashes, unlike those beside it
    controls: tuple[Control, ...]
    description: str | None = None
    emoji: str | None = None
    intro: str = ""  # what to say of it above its controls, after its label
    picture: Picture | None = None  # in place of the hand's
    question: str = ""  # what there is to choose then, as the headline in place of its label
    back: str = ""  # what the way back from it is called: `Other card`


@dataclass(frozen=True, slots=True)
class Steps:
    """A drop-down list of what to choose first, or buttons; the hand is then drawn with what that leaves to choose.

    Nothing is stored: the keys of what was chosen stand in the custom_ids. Together they have about 80 characters.
    Lines that leave nothing to choose make their moves at once; they stand first.
    """

    placeholder: str
    steps: tuple[Step, ...]
    buttons: bool = False  # one each in place of a list: one touch less
    moves: tuple[Option, ...] = ()  # in a list alone


Control = Buttons | Select | Picks | Steps


class LazyParagraphs(Sequence[str]):
    """Paragraphs that are written as somebody reads them: most people look at the picture instead."""

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
    """One look at a game: a sentence, the picture that holds all the rest, and the controls in the order they stand.

    The same in words, in Discord's markdown, is what stands above and below the picture for whoever wants words.
    """

    above: Sequence[str]
    picture: Picture | None = None
    below: Sequence[str] = ()
    controls: tuple[Control, ...] = ()
    headline: str = ""  # what to do, or whom the match waits for; the page has it in bold
    worth_text: str = ""  # what things are worth, in one small line
    rule: str = ""  # the id of the rule that belongs to the present decision


@dataclass(frozen=True, slots=True)
class Context:
    """All that a screen may know beside the view: how to name the seats (safe in markdown), and the match's options."""

    names: tuple[str, ...]
    options: Any
    news: Sequence[str] = ()  # what has happened since this message was last drawn, in words, oldest first
    plate_names: tuple[str, ...] = ()  # how pictures name the seats: by a name that can be drawn, else by the letter
    short_names: tuple[
        str, ...
    ] = ()  # short names for a line of news, safe in markdown, with the letter that a plate has
    computers: tuple[int, ...] = ()  # at which seats the computer plays, be it for somebody or for itself


@dataclass(frozen=True, slots=True)
class OptionSuggestion:
    """A value of an option that might suit better, and the label of the button that chooses it."""

    label: str
    option: str
    value: Any


@dataclass(frozen=True, slots=True)
class LobbyAdvice:
    """What to expect of a match with such options, and what can be done about it by one click."""

    text: str
    suggestions: tuple[OptionSuggestion, ...] = ()


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A move's command while it is typed: its verb, the option at which it is, what stands there, and the others."""

    verb: str
    option: str
    text: str
    others: Mapping[str, str]


Offers = Sequence[tuple[str, str]]
"""What may be written: in words, and as it is written."""


def filter_offers(offers: Offers, typed: str) -> Offers:
    """Those that hold every word that was typed, in any order; first those that have them as whole words.

    A suit may be typed as a shape where the notation has a letter: `Q♣`.
    """
    wanted = _normalize_text(typed).split()
    found = [offer for offer in offers if _contains_words(_normalize_text(" ".join(offer)), wanted)]
    return sorted(found, key=lambda offer: not has_whole_words(offer, typed))


def has_whole_words(offer: tuple[str, str], typed: str) -> bool:
    """Whether all that was typed are whole words of it."""
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
    """Without what nobody types with care: capitals, quotation marks, commas, brackets."""
    return text.casefold().translate(_IGNORED_CHARACTERS)


def _suits_to_letters(text: str) -> str:
    """With letters in place of the suits' shapes."""
    return text.translate(_SUIT_LETTERS)


_IGNORED_CHARACTERS = str.maketrans(dict.fromkeys("“”\"'’,:;()\N{VARIATION SELECTOR-16}", ""))
_SUIT_LETTERS = str.maketrans("♣♦♥♠", "cdhs")


class GameScreen(Protocol):
    """One game's face. Pure: the same arguments give the same values; nothing but these arguments reaches it."""

    def table(self, view: Any, context: Context) -> Screen:
        """The public table, drawn from a spectator's view; without controls."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        """A seat's own hand, with a control for every legal move (none when it has no decision)."""

    def sheet(self, view: Any, context: Context) -> Screen:
        """The score sheet: its picture, and the whole of it in words."""

    def result(self, view: Any, outcome: Outcome, context: Context) -> Screen:
        """The table of a finished match: places, points and the whole sheet."""

    def narrate(self, event: Any, context: Context) -> str | None:
        """One event in a short sentence; None for what needs no telling."""

    def narrate_briefly(self, event: Any, context: Context) -> str | None:
        """The same in its shortest true form, `Ada 2♣`: the page sets the newest of them side by side."""

    def move_label(self, move: Any) -> str:
        """A move as a person would call it, for lists of moves."""

    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        """A legal move as it is offered to this seat in a list, verb and all: may say what it brings now.

        In plain text, without markdown.
        """

    def move_reason(self, view: Any, move: Any, context: Context) -> str | None:
        """What speaks for a legal move, in one true sentence from what its seat knows; None: nothing comes to mind.

        It fits three lines of a telephone: at most `REASON` characters.
        """

    def complete_option(self, view: Any, moves: Sequence[Any], typed: TypedCommand, context: Context) -> Offers | None:
        """What may stand in the option that is being typed; None: the legal moves of the verb that fit it."""

    def turn_prompt(self, view: Any, decision: Decision) -> str:
        """What the seat is asked for, after “Your turn: ”, without anything hidden: `bid in round 3`."""

    def option_texts(self, options: Any, seats: int) -> Mapping[str, str]:
        """The options of a match in words, by name, as they work out with so many seats."""

    def option_values(self, option: str, seats: int) -> Sequence[Any]:
        """What to offer for an option with so many seats, in order; empty: whatever its type lists."""

    def lobby_advice(self, options: Any, seats: int) -> LobbyAdvice | None:
        """What to say in the lobby of such a match, where there is something to expect."""


Screens = Mapping[str, GameScreen]
"""By a game's key."""


class BaseScreen(ABC):
    """What most screens have to say of a lobby beyond the options, in news, and to offer while a command is typed."""

    @abstractmethod
    def move_label(self, move: Any) -> str:
        """As in GameScreen."""

    @abstractmethod
    def narrate(self, event: Any, context: Context) -> str | None:
        """As in GameScreen."""

    def narrate_briefly(self, event: Any, context: Context) -> str | None:
        """In a sentence, where that is short enough."""
        return self.narrate(event, context)

    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        """As it is called anywhere."""
        return self.move_label(move)

    def move_reason(self, view: Any, move: Any, context: Context) -> str | None:
        """Nothing comes to mind."""
        return None

    def complete_option(self, view: Any, moves: Sequence[Any], typed: TypedCommand, context: Context) -> Offers | None:
        """The moves of the verb."""
        return None

    def option_values(self, option: str, seats: int) -> Sequence[Any]:
        """As the type has them."""
        return ()

    def lobby_advice(self, options: Any, seats: int) -> LobbyAdvice | None:
        """Nothing to say."""
        return None
