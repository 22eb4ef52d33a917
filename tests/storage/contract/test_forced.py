"""A forced move is its player's, and the history says that it was made automatically."""

from __future__ import annotations

from dataclasses import replace

from engines.store.match_store import FORCED
from tests.storage.contract.kinds import MatchStore
from tests.storage.samples import lobby_info, move_change, start_change


async def test_the_history_names_its_player_and_that_it_was_forced(matches: MatchStore) -> None:
    lobby = lobby_info()
    await matches.insert(lobby, 5)
    await matches.commit(change := start_change(lobby))
    for user, level in ((6, ""), (6, FORCED), (6, "normal")):
        change = move_change(change.info)
        assert change.move is not None
        change = replace(change, move=replace(change.move, user=user, level=level), events='[{"to": null}]')
        await matches.commit(change)
    plays = [(each.by, each.reason) for each in await matches.load_history("m1") if each.action == "play"]
    assert plays == [(6, ""), (6, FORCED), (0, "")]
    saved = await matches.load("m1")
    assert saved is not None
    assert [move.is_forced for move in saved.moves] == [False, True, False]
