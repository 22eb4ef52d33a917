"""What a game is: the one contract that every game keeps and everything else relies on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast, dataclass_transform

from pydantic import TypeAdapter, ValidationError

from engines.kit.state_copy import make_copier

if TYPE_CHECKING:
    from engines.kit.chance import Chance
    from engines.kit.notation import Notation

T = TypeVar("T")
S = TypeVar("S")  # the full state; mutable, changed by Game.play alone
M = TypeVar("M")  # a move; frozen
V = TypeVar("V")  # what one seat may know; frozen
O = TypeVar("O")  # noqa: E741  # the options of a match; frozen, all with defaults


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's say in what happens next. `number` counts that seat's own decisions; the match waits for those `due`."""

    kind: str
    number: int
    due: bool = True


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event(cls: type[T]) -> type[T]:
    """Make a class derived from Event what every event is: a frozen dataclass with slots, all keywords."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@event
class Event:
    """Something that happened. `to` lists the seats that may learn it; None means everybody.

    Each game derives its own events, told apart by a literal `kind`.
    """

    to: tuple[int, ...] | None = None

    def is_visible_to(self, seat: int | None) -> bool:
        """Whether that seat (None: a spectator) may learn of it."""
        return self.to is None or seat in self.to


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended, by seat: places (1 is best; tied seats share one) and points."""

    places: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place: several where the win is shared (C4)."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @classmethod
    def from_points(cls, points: Sequence[int]) -> Outcome:
        """The highest points are first; equal points share a place (C4)."""
        return cls(rank_places(points), tuple(points))


def rank_places(scores: Sequence[Any]) -> tuple[int, ...]:
    """By seat, the place for what each has to show: the greatest is first, equal ones share a place (C4)."""
    return tuple([1 + sum(other > own for other in scores) for own in scores])


class Game(ABC, Generic[S, M, V, O]):
    """One stateless object a game. Seats are 0, 1, … in seating order, clockwise.

    `version` is the version of its rules and of its checkpoints. A match goes on under the rules it was started with as
    long as `past` holds them; `migrate` then turns that older state into one of today's.

    What a game answers may be functions of its modules: `view = staticmethod(view)`. Copies are found from the types of
    the state's fields, and notations are the verbs of `notation`; a game of another kind answers for itself.
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

    @abstractmethod
    def start(self, seats: int, options: O, chance: Chance) -> S:
        """The state at the first decision. Begins with `fitting`, which raises ValueError with a sentence."""

    def copy(self, state: S) -> S:
        """An equal state that shares nothing mutable with this one."""
        return self._state_copier(state)

    @abstractmethod
    def decisions(self, state: S) -> Mapping[int, Decision]:
        """The seats that may act now. Empty exactly when the game is over."""

    @abstractmethod
    def moves(self, state: S, seat: int) -> Sequence[M]:
        """The seat's legal moves in a stable order; mere reorderings of a listed move may be left out."""

    @abstractmethod
    def check(self, state: S, seat: int, move: M) -> None:
        """Raise IllegalMove unless the seat may make this move now. Changes nothing."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M) -> list[Event]:
        """Make a move that `check` has let pass, and run on to the next decision."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Places and points a seat, once the game is over."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """All that this seat may know, and nothing else; None is a spectator."""

    @abstractmethod
    def sample(self, view: V, chance: Chance) -> S:
        """A full state that could lie behind the view. Equal views and chances give equal states."""

    def sampler(self, view: V) -> Callable[[Chance], S]:
        """`sample` for one view: what depends on the view alone is worked out once, for all the states drawn."""
        return partial(self.sample, view)

    def format_move(self, move: M) -> str:
        """The move's notation, unique among a seat's moves: `play 10H`."""
        return self.notation.format_move(move)

    def parse_move(self, text: str) -> M:
        """The move behind a notation; lenient about case, spaces and commas. Raises BadNotation."""
        return self.notation.parse_move(text)

    @property
    def player_count_text(self) -> str:
        """How many may play, in words: `3 to 6`."""
        low, high = self.seats[0], self.seats[-1]
        return f"{low}" if low == high else f"{low} or {high}" if high == low + 1 else f"{low} to {high}"

    def validate_setup(self, seats: int, options: O) -> O:
        """The options as a match keeps them: what `start` begins with. Raises ValueError, with a sentence."""
        if seats not in self.seats:
            raise ValueError(f"{self.title} is for {self.player_count_text} players.")
        return self.validate_options(options)

    def validate_options(self, options: O) -> O:
        """The options, where the game takes such values. Raises ValueError, with a sentence."""
        return cast("O", _validate_options(self, options))

    def migrate(self, checkpoint: Any, version: int) -> Any:
        """Turn a JSON checkpoint of an older rules version into one of this version."""
        raise LookupError(f"{self.title}: a checkpoint of rules version {version} cannot be carried over")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its class, which is all there is of it."""
        return _game_instance, (type(self),)

    @cached_property
    def _state_copier(self) -> Callable[[S], S]:
        return make_copier(self.state)

    @cached_property
    def checkpoint_adapter(self) -> TypeAdapter[S]:
        """Reads and writes a state as JSON; refuses what is not one."""
        return TypeAdapter(self.state)

    @cached_property
    def options_adapter(self) -> TypeAdapter[O]:
        """Reads and writes a match's options as JSON."""
        return TypeAdapter(self.options)

    @cached_property
    def events_adapter(self) -> TypeAdapter[list[Any]]:
        """Reads and writes the events of a move as JSON."""
        return TypeAdapter(list[self.event])  # type: ignore[name-defined]


AnyGame = Game[Any, Any, Any, Any]


@cache
def _game_instance(kind: type[T]) -> T:
    """The one game of that class."""
    return kind()


@lru_cache(maxsize=256)  # frozen, few, and checked at the start of every match
def _validate_options(game: AnyGame, options: Any) -> Any:
    if not isinstance(options, game.options):
        raise ValueError(f"Those are no options of {game.title}.")
    try:
        return game.options_adapter.validate_python(asdict(options))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise ValueError(f"{game.title} cannot be played like that. {wrong}.") from None
