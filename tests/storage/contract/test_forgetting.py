"""What is stored about people, and how they are forgotten."""

from __future__ import annotations

from engines.store.surface_storage import ContactChange, Inbox, Preferences
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import lobby_info, start_running


async def test_traces_of_a_person_are_theirs_alone_and_can_be_cleared(matches: MatchStore) -> None:
    for number in range(3):
        await start_running(matches, f"m{number}", moves=1)  # by 6
    await matches.insert(lobby_info("m4", host=6, seats=()), by=6)
    (first, *_) = found = await matches.load_traces(5, 0, 9)
    assert [trace.match for trace in found] == ["m0", "m1", "m2"]
    assert [trace.match for trace in await matches.load_traces(5, 1, 1)] == ["m1"]
    assert [(number, seat.name) for number, seat in first.seats] == [(0, "Eve")]
    assert (first.was_host, len(first.moves)) == (True, 0)
    assert [action.action for action in first.actions] == ["new", "start"]
    others = await matches.load_traces(6, 0, 9)
    assert [len(trace.moves) for trace in others] == [1, 1, 1, 0]
    assert not others[0].was_host
    assert await matches.load_traces(7, 0, 9) == []
    await matches.erase_match("m1")
    assert await matches.wipe_deleted()
    assert await matches.load_info("m1") is None


async def test_settings_and_inbox_are_forgotten(surfaces: SurfaceStore) -> None:
    for user in (5, 6):
        await surfaces.put_inbox(user, Inbox(9, closed=False, reached=True))
        await surfaces.change_preferences(user, lambda old: Preferences(words=True))
        await surfaces.change_first_contact(user, "contacts", lambda note, contact: ContactChange("", 7, None))
    await surfaces.forget_person(5)
    assert (await surfaces.inbox(5), await surfaces.preferences(5)) == (None, Preferences())
    assert (await surfaces.preferences(6)).words
    assert await surfaces.inbox(6) is not None
    assert [await surfaces.first_contact(user) for user in (5, 6)] == [0, 7]
