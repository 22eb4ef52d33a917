"""A finished match, moment by moment: the snapshot after each of its moves, from what is stored of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogs.screens.screen import GameScreen
from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Move, SavedMatch, Status
from engines.store.undoing import NOTHING_UNDONE

STATE_INTERVAL = 8  # moves between two cached states; a state takes some kilobytes, a move some 10 microseconds


@dataclass(frozen=True, slots=True)
class Section:
    """A round or turn of a match: its title, and the first moment that belongs to it."""

    title: str
    first: int


class ReplayedMatch:
    """A match that was played to its end. Moment n is after n moves, from 0 to `last`. It never changes.

    Moves that were taken back are left out. Moves and events are numbered from 1 at the first stored move, which is not
    the first of the match if its rules changed midway. States are those of the current rules, even if the match was
    played by older ones.
    """

    def __init__(
        self, game: AnyGame, info: MatchInfo, rules: AnyGame, state: Any, moves: Sequence[Move], seed: str = ""
    ) -> None:
        """Play the match again from its first state, which is used up. Raises IllegalMove."""
        self.game = game
        self.info = info
        self.seed = seed
        self.moves = tuple(replace(move, number=number) for number, move in enumerate(moves, 1))
        self._rules = rules
        self._options = game.options_adapter.validate_json(info.options)
        self._states = [rules.copy(state)]
        self._events: list[MatchEvent] = []
        self._sections: tuple[Section, ...] = ()
        self._ends = [0]  # for each moment, the number of events up to there
        for move in self.moves:
            parsed_move = rules.parse_move(move.notation)
            rules.check(state, move.seat, parsed_move)
            self._events += (MatchEvent(move.number, event) for event in rules.play(state, move.seat, parsed_move))
            self._ends.append(len(self._events))
            if move.number % STATE_INTERVAL == 0:
                self._states.append(rules.copy(state))

    @classmethod
    def from_saved(cls, game: AnyGame, saved: SavedMatch) -> ReplayedMatch:
        """Return a stored match."""
        info = saved.info
        rules = game if info.rules == game.version else game.past_versions[info.rules]
        return cls(game, info, rules, rules.checkpoint_adapter.validate_json(saved.base), saved.in_force(), saved.seed)

    @property
    def last(self) -> int:
        """The last moment, at which the match is over."""
        return len(self.moves)

    def snapshot(self, moment: int) -> MatchSnapshot:
        """Return the match after so many moves, with all events up to there. Its status is OVER at the last moment.

        The seats are those of the end. There are no deadlines, and nobody is asked to vote.
        """
        state = self._state(moment)
        status = Status.OVER if moment == self.last else Status.RUNNING
        info = replace(
            self.info,
            status=status,
            rules=self.game.version,
            moves=moment,
            votes=(),
            banks=(),
            reason="",
            decision_offset=0,
            undoing=NOTHING_UNDONE,
        )
        moves_made = self.moves[:moment]
        return MatchSnapshot(
            info,
            self.game,
            self._options,
            state,
            tuple(self._events[: self._ends[moment]]),
            tuple(move.seat for move in moves_made),
            computer_moves=frozenset(move.number for move in moves_made if move.level and not move.is_forced),
            timeout_moves=frozenset(
                move.number for move in moves_made if move.level and not move.is_forced and move.user
            ),
            forced_moves=frozenset(move.number for move in moves_made if move.is_forced),
        )

    def events_of(self, number: int) -> tuple[MatchEvent, ...]:
        """Return the events of one move, oldest first."""
        return tuple(self._events[self._ends[number - 1] : self._ends[number]])

    def sections(self, screen: GameScreen) -> tuple[Section, ...]:
        """Return the rounds or turns of the match, oldest first."""
        if not self._sections:
            found: list[Section] = []
            for moment, view in enumerate(self.public_views()):
                title = screen.section_title(view)
                if not found or found[-1].title != title:
                    found.append(Section(title, moment))
            self._sections = tuple(found)
        return self._sections

    def public_views(self) -> Iterator[Any]:
        """Yield what everybody saw at each moment, from 0 on. This is cheaper than a snapshot of each."""
        state = self._rules.copy(self._states[0])
        yield self.game.view(self._carry_over(state), None)
        for move in self.moves:
            self._rules.play(state, move.seat, self._rules.parse_move(move.notation))
            yield self.game.view(self._carry_over(state), None)

    def _state(self, moment: int) -> Any:
        """Return a state of its own after so many moves, under the current rules."""
        rules, start = self._rules, moment // STATE_INTERVAL
        state = rules.copy(self._states[start])
        for move in self.moves[start * STATE_INTERVAL : moment]:
            rules.play(state, move.seat, rules.parse_move(move.notation))
        return self._carry_over(state)

    def _carry_over(self, state: Any) -> Any:
        """Return a state under the current rules."""
        rules = self._rules
        if rules is self.game:
            return state
        carried = self.game.migrate(rules.checkpoint_adapter.dump_python(state, mode="json"), rules.version)
        return self.game.checkpoint_adapter.validate_python(carried)
