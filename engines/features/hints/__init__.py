"""Hints for a decision, and the review of somebody's decisions after the match. They store nothing."""

from __future__ import annotations

from engines.hosting.feature import Feature
from engines.hosting.match import MatchSnapshot
from engines.store.table_options import SWITCH, TableOption

CAN_ASK: TableOption[bool] = TableOption(
    name="hints",
    default=True,
    values=SWITCH,
    description="Players can ask for hints",
    rank=20,
    always_stored=True,
    paces={"to-learn": True},
    phrases={False: "no hints"},
)


class HintsFeature(Feature):
    """The host decides whether there are hints. Reviews are always allowed, because they come after the match."""

    name = "hints"
    table_options = (CAN_ASK,)


def offers_hint(snapshot: MatchSnapshot, user: int) -> bool:
    """Whether a person can ask for a hint now."""
    seat = snapshot.info.seat_of(user)
    return seat is not None and snapshot.info.table_options.of(CAN_ASK) and seat in snapshot.decisions()
