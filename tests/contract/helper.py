"""What the laws need to know of a game that its rules say and its engine is not asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from cogs.pictures.studio import Studio
from cogs.screens.intro import Intro
from cogs.screens.screen import GameScreen
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame, Event
from players.levels import player_model_of
from players.player_model import PlayerModel
from tests.contexts import make_context
from tests.contract.once import CachedScreen
from tests.game_uis import GAME_UIS, SCREENS, STUDIO

NUMBER_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
SUIT_WORDS = {"C": ("clubs", "♣"), "D": ("diamonds", "♦"), "H": ("hearts", "♥"), "S": ("spades", "♠")}
RANK_PATTERNS = {"A": "[Aa]ce", "J": "[Jj]ack", "Q": "[Qq]ueen", "K": "[Kk]ing"}
PERSON_NAMES = ("Ana", "李雷", "Čeněk", "🧙 Dan", "E", "Fatima")


@dataclass(frozen=True, slots=True)
class MatchStart:
    """A way to begin a match."""

    seats: int
    options: Any
    seed: str

    def __str__(self) -> str:
        return f"{self.seats} seats, {self.options}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match by random seats to keep as a golden record."""

    seats: int
    options: Mapping[str, object] = field(default_factory=dict)


def card_pattern(card: str) -> str:
    """A regular expression for a playing card such as `10H`, however it is called: `10♥`, `the 10 of hearts`."""
    rank, suit = card[:-1], card[-1]
    word, shape = SUIT_WORDS[suit]
    return rf"(?<!\w)(?:{rank}(?:{suit}|{shape})|(?:{rank}|{RANK_PATTERNS.get(rank, rank)}) of {word})(?!\w)"


class GameHelper(ABC):
    """One game's part in the laws. `game`, `screen` and `player_model` may be replaced by broken ones."""

    game: AnyGame
    untold_events: Collection[type[Event]] = ()
    """The kinds of events that a screen leaves untold, since what it shows says as much. No other may be left so."""

    minute_rules: Collection[str] = ()
    """The ids of the rules that “The rules in one minute”, the first part of its page, tells of."""

    constant_answers: Mapping[str, str] = {}
    """The yes-or-no answers that never change in the game, such as `is_forced`, each with the reason in a sentence."""

    brief_options: Mapping[str, Any] = {}
    """Options with which a match is soon over; if there are none, it is over soon by itself."""

    rule_mixtures: Sequence[Mapping[str, Any]] = ({},)
    """Options that change the rules, beside the short ones; each of several runs plays one of them."""

    pack_options: Collection[str] = ()
    """Options that change the pack whatever else they do, so the cards fall in another way."""

    @cached_property
    def screen(self) -> GameScreen:
        return CachedScreen.wrap(SCREENS[self.game.key])

    @cached_property
    def player_model(self) -> PlayerModel[Any, Any, Any]:
        """What computers know of the game."""
        return player_model_of(self.game)

    @cached_property
    def intro(self) -> Intro:
        return GAME_UIS[self.game.key].intro

    @property
    def studio(self) -> Studio:
        """Where its pictures are drawn."""
        return STUDIO

    def corrected_claims(self, events: Sequence[Event]) -> Collection[str]:
        """Patterns of what news of these events must not say, because a later one of them undoes it."""
        return ()

    def rare_events(self) -> Sequence[Event]:
        """An event of each kind that random matches from the starts do not come to."""
        return ()

    @property
    def short_options(self) -> Mapping[str, Any]:
        """The options of a match that is soon over and yet comes to every kind of decision."""
        return self.brief_options

    def starts(self) -> Sequence[MatchStart]:
        """Starts that lead everywhere in the rules; by default, every number of seats with the default options."""
        return [MatchStart(seats, self.game.options(), f"{seats:032x}") for seats in self.game.seats]

    def golden_plans(self) -> Mapping[str, MatchPlan]:
        """The matches to keep as golden records, by name; by default, one for every number of seats."""
        return {NUMBER_WORDS[seats]: MatchPlan(seats) for seats in self.game.seats}

    def start_state(self, start: MatchStart) -> Any:
        """The state at the first decision."""
        return self.game.start(start.seats, start.options, Chance(start.seed))

    @abstractmethod
    def move_vocabulary(self, seats: int) -> Sequence[Any]:
        """Every move that the game can ever express with so many seats, and some that are never legal."""

    def named_seats(self, move: Any) -> Sequence[int]:
        """The seats that a move names, which its notation writes as letters."""
        return ()

    def max_taps(self, view: Any, move: Any) -> int:
        """The most taps that a move may take its seat, every one counted: a list is opened, then a line chosen."""
        return 2

    def hand_names(self, view: Any) -> Sequence[str]:
        """What the view's seat holds in its hand, each thing as the notation names it."""
        return list(map(str, view.hand))

    @abstractmethod
    def names_lacking(self, state: Any, seat: int, move: Any) -> bool:
        """Whether such a move, made at its moment, names what is not there or not the seat's own, or too little.

        It is then refused, and by no rule.
        """

    @abstractmethod
    def box_pieces(self, seats: int) -> Counter[Any]:
        """All pieces of a match of so many: cards, dice, tokens, whatever is dealt, drawn, taken and put back."""

    @abstractmethod
    def state_pieces(self, state: Any) -> Counter[Any]:
        """The pieces of that state, in any place: always those of the box."""

    def canonical_move(self, move: Any) -> Any:
        """The move as `moves` would list it, if it lists one of several that are the same."""
        return move

    @abstractmethod
    def scramble_hidden(self, state: Any, seat: int | None, rng: Random, other: int | None = None) -> Any:
        """Another full state in which that seat (None: a spectator) knows exactly the same, and so does the other one.

        Written from the rules, without the game's `sample` and `view`: whatever the rules hide from both is
        different where it can be, and chance is another.
        """

    def is_revealing(self, state: Any, seat: int | None, actor: int, move: Any) -> bool:
        """Whether this move shows that seat something that was hidden from it, apart from the move itself.

        Unlike the game's `reveals`, it counts what the mover shows of their own hand, and not what chance brings: it
        compares worlds in which the next draws are the same.
        A law holds that it is never said without need.
        """
        return False

    @abstractmethod
    def secret_patterns(self, state: Any, seat: int | None) -> Iterable[str]:
        """A regular expression for each thing that is hidden from that seat (None: a spectator).

        It fits every way in which that is called anywhere: in words and notations, on controls, in what pictures show.
        What is there several times over and alike is left out, since naming it tells nothing of any hand.
        """

    def shown_secrets(self, event: Any) -> Iterable[str]:
        """The same for what an event shows to all who learn of it, if the same move can hide it again."""
        return ()

    def strip_harmless(self, text: str) -> str:
        """A text without what sounds like a secret there and is none."""
        return text

    def draw_screens(self, start: MatchStart, view: Any, decision: Any, moves: Sequence[Any]) -> object:
        """Everything that is drawn for the view's seat."""
        context = make_context(PERSON_NAMES[: start.seats], start.options)
        if view.seat is None:
            return self.screen.table(view, context), self.screen.sheet(view, context)
        return self.screen.hand(view, decision, moves, context), self.screen.sheet(view, context)
