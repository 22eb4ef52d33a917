"""The contract that every game implements and that all other code relies on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast, dataclass_transform

from pydantic import TypeAdapter, ValidationError

from engines.kit.state_copy import make_copier

if TYPE_CHECKING:
    from engines.kit.chance import Chance, LuckCount
    from engines.kit.notation import Notation

T = TypeVar("T")
S = TypeVar("S")  # the full state; mutable, changed only by Game.play
M = TypeVar("M")  # a move; frozen
V = TypeVar("V")  # what one seat may know; frozen
O = TypeVar("O")  # noqa: E741  # the options of a match; frozen, all with defaults


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of one seat. `number` counts the decisions of that seat; the match waits only for those that are
    `due`."""

    kind: str
    number: int
    due: bool = True


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event(cls: type[T]) -> type[T]:
    """Turn a class derived from Event into a frozen dataclass with slots and keyword-only fields."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@event
class Event:
    """Something that happened. `to` lists the seats that may see it; None means everybody.

    Each game derives its own events. A literal `kind` tells them apart.
    """

    to: tuple[int, ...] | None = None

    def is_visible_to(self, seat: int | None) -> bool:
        """Whether a seat (None: a spectator) may see it."""
        return self.to is None or seat in self.to


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended, by seat: places (1 is best; tied seats share one) and points."""

    places: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place. There are several if they share the win (C4)."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @classmethod
    def from_points(cls, points: Sequence[int]) -> Outcome:
        """Rank the seats by points: the most points are first; equal points share a place (C4)."""
        return cls(rank_places(points), tuple(points))


@dataclass(frozen=True, slots=True)
class NoEffect(Generic[O]):
    """When the value of an option changes nothing in a match with these options and this number of players, and why.

    `why` follows “because”: `there is no third round`.
    """

    why: str
    when: Callable[[O, int], bool]


def rank_places(scores: Sequence[Any]) -> tuple[int, ...]:
    """Return each seat's place: the greatest value is first, and equal values share a place (C4)."""
    return tuple([1 + sum(other > own for other in scores) for own in scores])


class Game(ABC, Generic[S, M, V, O]):
    """The rules of one game, as a stateless object. Seats are 0, 1, … in seating order, clockwise.

    `version` is the version of the rules and of the checkpoints. A match continues under the rules it started with
    while `past` has them; `migrate` then turns its older state into a current one.

    Methods may be module functions: `view = staticmethod(view)`. By default, `copy` derives from the types of the
    state's fields, and the notation methods use the verbs of `notation`. Other games override them.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    version: ClassVar[int]
    options: type[O]
    state: type[S]
    event: Any  # the union of the game's events
    notation: Notation[M]
    past_versions: ClassVar[Mapping[int, Game[Any, Any, Any, Any]]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}  # by name, options and their values; the defaults first
    option_groups: ClassVar[Mapping[str, Sequence[str]]] = {}  # switches that a lobby offers in one list, by its name
    no_effects: ClassVar[Mapping[str, NoEffect[Any]]] = {}  # by option; of those that can be without an effect
    past_presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}  # no longer offered; stored settings may name them

    @abstractmethod
    def start(self, seats: int, options: O, chance: Chance) -> S:
        """Return the state at the first decision. Starts with `validate_setup`, which raises ValueError."""

    def copy(self, state: S) -> S:
        """Return an equal state that shares nothing mutable with this one."""
        return self._state_copier(state)

    @abstractmethod
    def decisions(self, state: S) -> Mapping[int, Decision]:
        """Return the decisions of the seats that may act now. Empty exactly when the game is over."""

    @abstractmethod
    def moves(self, state: S, seat: int) -> Sequence[M]:
        """Return the seat's legal moves in a stable order. Reorderings of a listed move may be left out."""

    @abstractmethod
    def check(self, state: S, seat: int, move: M) -> None:
        """Raise IllegalMove unless the seat may make this move now. Changes nothing."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M) -> list[Event]:
        """Make a move that `check` accepted, and continue to the next decision. Return the events."""

    @abstractmethod
    def reveals(self, state: S, seat: int, move: M) -> frozenset[int]:
        """Return the seats to which a move that `check` accepted shows something that was hidden from them.

        That is a card from a pile, face down or in another hand than the mover's, somebody else's secret choice, a
        deal, or a roll of dice. What the mover shows of their own hand and choices does not count, nor does a card that
        a seat could name before. A move that draws from `chance` always shows something to somebody.
        Spectators are not listed: what a move shows to them, the mover sees as well or knew before. Changes nothing.
        """

    def describe_reveal(self, state: S, seat: int, move: M, reader: int) -> str:
        """Return a sentence on what such a move revealed, with nothing that the seat `reader` does not know after it.

        Only for moves for which `reveals` names a seat. The reader may be another seat than the mover's.
        """
        events = self.play(self.copy(state), seat, move)
        return self.reveal_text([event for event in events if event.is_visible_to(reader)], reader)

    @abstractmethod
    def reveal_text(self, events: Sequence[Event], reader: int) -> str:
        """Return that sentence, from those events of the move that the reader may see."""

    def state_after(self, state: S, seat: int, move: M) -> S:
        """Return the state after a move that `check` accepted. Changes nothing."""
        after = self.copy(state)
        self.play(after, seat, move)
        return after

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the places and points of the seats, once the game is over."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """Return everything that the seat may know, and nothing else, as a value with a hash. A spectator is None."""

    @abstractmethod
    def sample(self, view: V, chance: Chance) -> S:
        """Return a full state that could lie behind the view. Equal views and chances give equal states."""

    def sampler(self, view: V) -> Callable[[Chance], S]:
        """Return `sample` for one view. Work that depends only on the view is done once for all samples."""
        return partial(self.sample, view)

    def is_forced(self, view: V, seat: int) -> bool:
        """Whether a spectator with this view knows that the seat's decision is due and has exactly one legal move.

        Such a move may be made automatically, so it must not be one that a player could hold back to mislead others.
        """
        return False

    def count_luck(self, start: S, events: Iterable[Event]) -> Iterable[LuckCount]:
        """Return what chance gave in a finished match, from its first state and all its events, next to what it allows.

        Counts of the same thing and column are added up. None by default, but a law wants some.
        """
        return ()

    def format_move(self, move: M) -> str:
        """Return the move's notation, unique among the seat's moves: `play 10H`."""
        return self.notation.format_move(move)

    def parse_move(self, text: str) -> M:
        """Parse a move; case, spaces and commas do not matter. Raises BadNotation."""
        return self.notation.parse_move(text)

    @property
    def player_count_text(self) -> str:
        """The number of players in words, with the default options: `3 to 6`."""
        return _range_text(self.seats)

    def seats_with(self, options: O) -> range:
        """Return the numbers of players that may play with valid options: `seats`, or more if an option allows them.

        The most players are always those of `seats`.
        """
        return self.seats

    def validate_setup(self, seats: int, options: O) -> O:
        """Return the options as the match stores them; `start` calls this first. Raises ValueError with a sentence."""
        options = self.validate_options(options)
        if seats not in (allowed := self.seats_with(options)):
            raise ValueError(f"{self.title} is for {_range_text(allowed)} players.")
        return options

    def validate_options(self, options: O) -> O:
        """Return the options if the game accepts their values. Raises ValueError with a sentence."""
        return cast("O", _validate_options(self, options))

    def migrate(self, checkpoint: Any, version: int) -> Any:
        """Migrate a JSON checkpoint of an older rules version to this version."""
        raise LookupError(f"{self.title}: cannot migrate a checkpoint of rules version {version}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the class, because a game has no state."""
        return _game_instance, (type(self),)

    @cached_property
    def _state_copier(self) -> Callable[[S], S]:
        return make_copier(self.state)

    @cached_property
    def checkpoint_adapter(self) -> TypeAdapter[S]:
        """Return the adapter that reads and writes a state as JSON. It rejects invalid states."""
        return TypeAdapter(self.state)

    @cached_property
    def options_adapter(self) -> TypeAdapter[O]:
        """Return the adapter that reads and writes the options of a match as JSON."""
        return TypeAdapter(self.options)

    @cached_property
    def events_adapter(self) -> TypeAdapter[list[Any]]:
        """Return the adapter that reads and writes the events of a move as JSON."""
        return TypeAdapter(list[self.event])  # type: ignore[name-defined]


AnyGame = Game[Any, Any, Any, Any]


def _range_text(numbers: range) -> str:
    """Return a range in words: `2`, `3 or 4`, `3 to 6`."""
    low, high = numbers[0], numbers[-1]
    return f"{low}" if low == high else f"{low} or {high}" if high == low + 1 else f"{low} to {high}"


@cache
def _game_instance(kind: type[T]) -> T:
    """Return the single instance of a game class."""
    return kind()


@lru_cache(maxsize=256)  # frozen, few, and checked at the start of every match
def _validate_options(game: AnyGame, options: Any) -> Any:
    if not isinstance(options, game.options):
        raise ValueError(f"These options are not for {game.title}.")
    try:
        return game.options_adapter.validate_python(asdict(options))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise ValueError(f"You cannot play {game.title} like that. {wrong}.") from None
