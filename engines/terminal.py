"""Plays a match on a terminal, and checks the record of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.hosting.records import record
from engines.kit import text_board
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame, Outcome
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter, parse_seat
from engines.store.undoing import parse_undo

HELP = "Write a move. ? lists your moves (? play lists those that begin with “play”), Enter shows the board, quit ends."
QUIT = frozenset({"quit", "exit"})
MAX_LISTED_MOVES = 100
"""The most moves listed at once."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Terminal:
    """Asks for a line after a prompt, and says lines. `ask` raises EOFError when the input ends."""

    ask: Callable[[str], str]
    say: Say


class MatchQuit(Exception):
    """The player quit."""


class TerminalMatch:
    """A match in which the seats `at_random` move at random, and all others move by the answers of a terminal.

    A player sees only the board of their own seat, because a random move may
    be secret.
    """

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        options: Any,
        seed: str,
        at_random: Collection[int],
        terminal: Terminal,
    ) -> None:
        self._game, self._seats, self._seed = game, seats, seed
        self._options = game.validate_setup(seats, options)
        self._state = game.start(seats, self._options, Chance(seed))
        self._chance = Chance(seed).fork()
        self._at_random = at_random
        self._ask, self._say = terminal.ask, terminal.say
        self._moves: list[record.RecordMove] = []

    def play_match(self) -> record.Record:
        """Play to the end, or until the player quits. Return the record of what was played."""
        if len(self._at_random) < self._seats:
            self._say(HELP)
        try:
            while due := [seat for seat, decision in self._game.decisions(self._state).items() if decision.due]:
                self._play_turn(due)
        except (EOFError, KeyboardInterrupt, MatchQuit):
            self._say("You left the match before its end.")
        else:
            self._say(str(self._game.view(self._state, None)))
        outcome = self._game.outcome(self._state)
        if outcome is not None:
            self._say(result_table(outcome))
        options = self._game.options_adapter.dump_json(self._options).decode()
        moves = tuple(self._moves)
        return record.Record(self._game.key, self._game.version, self._seats, options, self._seed, moves, outcome)

    def _play_turn(self, due: Sequence[int]) -> None:
        """Let one of the due seats move, random seats first."""
        seat = next((seat for seat in due if seat in self._at_random), None)
        if seat is not None:
            self._make_move(seat, self._chance.choice(self._game.moves(self._state, seat)))
        else:
            self._ask_for_move(due[0])

    def _make_move(self, seat: int, move: Any) -> None:
        self._moves.append(record.RecordMove(seat, self._game.format_move(move)))
        self._game.play(self._state, seat, move)

    def _ask_for_move(self, seat: int) -> None:
        """Show the seat its board and ask until it makes a move."""
        self._show_board(seat)
        before = len(self._moves)
        while len(self._moves) == before:
            try:
                self._handle_line(seat, self._ask(f"{letter(seat)}> ").strip())
            except IllegalMove as refused:
                self._say(refused.reason)

    def _handle_line(self, seat: int, line: str) -> None:
        """Handle an input line for this seat, or for the seat whose letter begins the line, as in a record."""
        first, _, rest = line.partition(" ")
        if len(first) == 1 and first.isalpha():
            seat, line = self._parse_asked_seat(first), rest.strip()
        if not line:
            self._show_board(seat)
        elif line.lower() in QUIT:
            raise MatchQuit
        elif line.startswith("?"):
            self._list_moves(seat, line[1:].strip().lower())
        else:
            self._try_move(seat, line)

    def _parse_asked_seat(self, name: str) -> int:
        """Return the seat with that letter, if it is one that is asked."""
        try:
            seat = parse_seat(name)
        except ValueError as error:
            raise IllegalMove(None, str(error)) from None
        if seat >= self._seats:
            raise IllegalMove(None, f"There is no seat {letter(seat)} at this table.")
        if seat in self._at_random:
            raise IllegalMove(None, f"Seat {letter(seat)} moves at random, by itself.")
        return seat

    def _try_move(self, seat: int, line: str) -> None:
        """Make the written move. Raises IllegalMove."""
        move = self._game.parse_move(line)
        self._game.check(self._state, seat, move)
        self._make_move(seat, move)

    def _show_board(self, seat: int) -> None:
        self._say(f"\n{self._game.view(self._state, seat)}")

    def _list_moves(self, seat: int, prefix: str) -> None:
        """List the seat's moves that begin like that."""
        notations = map(self._game.format_move, self._game.moves(self._state, seat))
        found = [notation for notation in notations if notation.lower().startswith(prefix)]
        more = len(found) - MAX_LISTED_MOVES
        rows = text_board.labeled_line(f"moves of {letter(seat)}", found[:MAX_LISTED_MOVES], between=", ")
        self._say(
            "\n".join([*rows, *([f"and {more} more. Write ? and how they begin to list fewer."] if more > 0 else [])])
        )


def result_table(outcome: Outcome, players: Sequence[str] = ()) -> str:
    """Return how a match ended, one row per seat, best first."""
    order = sorted(range(len(outcome.places)), key=outcome.places.__getitem__)
    rows = [
        [letter(seat), str(outcome.places[seat]), str(outcome.points[seat]), *players[seat : seat + 1]]
        for seat in order
    ]
    return text_board.board(text_board.table(("", "place", "points", *(("player",) if players else ())), rows))


def check_record(content: str, games: Mapping[str, AnyGame], say: Say) -> bool:
    """Return whether a text is a correct record of a match, and say what is wrong or right with it."""
    try:
        parsed = record.parse_record(content)
        game = record.game_for_record(parsed, games)
    except record.BadRecord as error:
        say(f"Cannot check this: {error}.")
        return False
    try:
        record.replay(parsed, games)
    except record.BadRecord as error:
        say(f"Wrong record: {_as_sentence(str(error))}")
        say("The seed, the options, a move or the result differs from the match.")
        return False
    moves = parsed.in_force().moves
    say(f"Correct record: {game.title}, rules version {parsed.rules}, {parsed.seats} seats, {len(moves)} moves.")
    say(deal_sentence(parsed))
    say("The seed gives these cards and dice, and the rules allow every move.")
    undone = sum(not parse_undo(move.notation) for move in parsed.moves) - len(moves)
    if undone:
        say(f"Other moves were taken back: {undone}.")
    for author, number in Counter(move.author for move in moves if move.author).items():
        say(f"Made by a {author}: {number} of the moves.")
    if parsed.result is None:
        say("The match was not played to its end, so it has no result.")
    else:
        say("The result is correct:")
        say(result_table(parsed.result, parsed.players))
    return True


def deal_sentence(parsed: record.Record) -> str:
    """Return what a correct record proves about its deal."""
    if parsed.deal is None:
        return "No seal: this does not prove that the seed was drawn before the match."
    return f"The secret fits the seal {parsed.deal.seal[:8]}…, and the seed follows from the secret and the cuts."


def _as_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
