"""A position of a record as the snapshot of a match, for exercises."""

from __future__ import annotations

from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.hosting.records.record import Record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.seats import letter
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.table_options import TableOptions

LEARNER = 1  # the user id of the person in these snapshots
NOWHERE = Place(0, 0)


def replay_position(game: AnyGame, record: Record, move_count: int, seat: int, match_id: str) -> MatchSnapshot:
    """Return the match after that many moves, with the learner at `seat` and the events since their last move."""
    options = game.options_adapter.validate_json(record.options)
    state = game.start(record.seats, options, Chance(record.seed))
    events: list[MatchEvent] = []
    for count, move in enumerate(record.moves[:move_count], 1):
        if move.seat == seat:
            events.clear()
        played = game.play(state, move.seat, game.parse_move(move.notation))
        events += (MatchEvent(count, event) for event in played)
    names = record.players or tuple(letter(each) for each in range(record.seats))
    seats = tuple(Seat(LEARNER + (each - seat) % record.seats, name) for each, name in enumerate(names))
    movers = tuple(move.seat for move in record.moves[:move_count])
    info = MatchInfo(
        match_id,
        game.key,
        record.rules,
        record.options,
        Status.RUNNING if game.outcome(state) is None else Status.OVER,
        LEARNER,
        NOWHERE,
        seats,
        moves=move_count,
        table_options=TableOptions(autoplay=False),
    )
    return MatchSnapshot(info, game, options, state, tuple(events), movers)
