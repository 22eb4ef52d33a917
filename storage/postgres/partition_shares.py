"""Plans how partitions are shared among processes; each process computes the same plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

NO_PROCESS = 0  # the number that stands for no process


@dataclass(frozen=True, slots=True)
class SeenLeases:
    """Present processes with the partitions they name (None: any), dead processes, and the lease holders."""

    alive: Mapping[int, frozenset[int] | None]
    gone: frozenset[int]
    leases: Mapping[int, tuple[int, int]]  # holder and epoch

    @classmethod
    def from_rows(
        cls, processes: Iterable[tuple[int, list[int] | None, bool]], leases: Iterable[tuple[int, int, int]]
    ) -> SeenLeases:
        """Build from database rows."""
        found = list(processes)
        return cls(
            {process: None if named is None else frozenset(named) for process, named, past in found if not past},
            frozenset(process for process, _, past in found if past),
            {part: (holder, epoch) for part, holder, epoch in leases},
        )

    def partitions_of(self, process: int) -> dict[int, int]:
        """Return the partitions that a process holds, with their epochs."""
        return {part: epoch for part, (holder, epoch) in self.leases.items() if holder == process}

    def free_partitions(self) -> list[int]:
        """Return the partitions that nobody holds, in order."""
        return sorted(part for part, (holder, _) in self.leases.items() if holder not in self.alive)


def plan_partitions(leases: SeenLeases, own_process: int) -> tuple[list[int], list[int]]:
    """Return which partitions a process gives back now, and which free ones it takes.

    A process that names partitions takes only those. The others are shared evenly; if they do not divide evenly, the
    processes that have been present longest get one more. Only one partition is given back at a time.
    """
    named = leases.alive.get(own_process)
    owned = leases.partitions_of(own_process)
    if named is not None:
        return [], [part for part in leases.free_partitions() if part in named]
    claimed = frozenset().union(*(parts for parts in leases.alive.values() if parts is not None))
    sharers = sorted(process for process, parts in leases.alive.items() if parts is None)
    shared = leases.leases.keys() - claimed
    share, more = divmod(len(shared), max(1, len(sharers)))
    if own_process in sharers[:more]:
        share += 1
    unwanted = sorted(owned.keys() & claimed) or (sorted(owned) if len(owned) > share else [])
    free = [part for part in leases.free_partitions() if part in shared]
    return unwanted[-1:], [] if unwanted else free[: max(0, share - len(owned))]
