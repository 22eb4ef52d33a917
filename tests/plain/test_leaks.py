"""Nobody is told what they cannot know, in whatever form: every game, everybody who reads, everything that is sent.

MOTLEY_COMPARISONS says how much is compared in matches drawn by lot (`make soak-ci` asks for 6,000, `make soak` for a
million). They are numbered from 100 on, or from MOTLEY_FIRST, by which a run goes on. A failure prints the command that
repeats that one match.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from engines.wizard.model import Options
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.engines.wizard.helper import WizardHelper
from tests.plain import compared_worlds, planted_leaks
from tests.plain.fake_discord import FakeDiscord
from tests.plain.leak_reader import reader_in_seat
from tests.plain.name_search import LAWS
from tests.plain.payloads import CHANNEL
from tests.plain.plain_bot import COMMAND_KIND, PEOPLE
from tests.plain.planted_counts import COUNTING_LEAKS

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
ALL_STARTS = SOAK or os.environ.get("MOTLEY_STARTS") == "all"
CASES = [
    (helper, start) for helper in HELPERS.values() for start in (helper.starts() if ALL_STARTS else helper.starts()[:1])
]
NAMES = [f"{helper.game.key}-{start.seats}" for helper, start in CASES]
POSITIONS = 200 if SOAK else 10
SHORT = MatchStart(3, Options(rounds=3), f"{8:032x}")
SEED, FIRST = os.environ.get("MOTLEY_SEED"), os.environ.get("MOTLEY_FIRST")
WANTED = int(os.environ.get("MOTLEY_COMPARISONS", "1000000" if SOAK else "400"))
MOVES = 10_000 if WANTED > 1000 or SEED else 3  # of a match in two worlds, at most
PARTS = 1 if SEED else int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) if WANTED > 1000 else 1
MATCHES_TO_SEE = 12  # in which whatever tells is surely seen, though one in three shows it
TOLD = 20  # matches after which it is said how far it is
AGAIN = "MOTLEY_SEED={} .venv/bin/python -m pytest -s tests/plain/test_leaks.py -k whole_matches"


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("helper", "start"), CASES, ids=NAMES)
async def test_law(helper: GameHelper, start: MatchStart, law: str) -> None:
    await LAWS[law](helper, start, MOVES if LAWS[law] is compared_worlds.other_worlds_look_the_same else POSITIONS)


@pytest.mark.timeout(100_000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_whole_matches_look_the_same_in_another_world(part: int) -> None:
    first = int(SEED or FIRST or 100) + part
    counted, matches = Counter[str](), 0
    while matches == 0 or (not SEED and compared_worlds.count_compared(counted) * PARTS < WANTED):
        seed = first + matches * PARTS
        try:
            counted += await compared_worlds.compare_random_match(seed, MOVES)
        except Exception as error:
            text = f"Match {seed}, to be repeated by {AGAIN.format(seed)}: {error}"
            print(text, flush=True)
            raise AssertionError(text) from error
        matches += 1
        if matches % TOLD == 0:
            many = compared_worlds.count_compared(counted)
            print(f"part {part}: {matches} matches, {many} comparisons; next is {seed + PARTS}", flush=True)
    many = compared_worlds.count_compared(counted)
    print(f"part {part}, from {first} on: {matches} matches, {many} comparisons: {dict(counted)}")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("leak", "law"), [(leak, law) for leak, (_, laws) in planted_leaks.LEAKS.items() for law in laws], ids=str
)
async def test_a_leaked_name_is_caught(leak: str, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apply, _ = planted_leaks.LEAKS[leak]
    apply(monkeypatch)
    with pytest.raises(AssertionError):
        await LAWS[law](WizardHelper(), SHORT, 40)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("leak", planted_leaks.READER_LEAKS)
async def test_a_leak_without_words_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apply, reader = planted_leaks.READER_LEAKS[leak]
    monkeypatch.setattr(compared_worlds, "UNEQUAL_SHARE", 0.0)  # it is told by what is hidden, not by how much is done
    apply(monkeypatch)
    with pytest.raises(AssertionError, match=r"is told|the numbers tell"):
        await _compare_matches(compared_worlds.ComparedTable(WizardHelper(), SHORT, reader, ("hard",), autoplay=False))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("leak", COUNTING_LEAKS)
async def test_a_count_of_secret_acts_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = COUNTING_LEAKS[leak]
    monkeypatch.setattr(compared_worlds, "UNEQUAL_SHARE", 1.0)
    found.install(monkeypatch)
    with pytest.raises(AssertionError, match="is told"):
        await _compare_matches(compared_worlds.ComparedTable(found.helper, found.start, found.reader, autoplay=False))


async def _compare_matches(table: compared_worlds.ComparedTable) -> None:
    for seed in range(MATCHES_TO_SEE):
        await compared_worlds.compare_match(table, random.Random(seed), 30, 0.5)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("helper", "law"), planted_leaks.HELPERS.items(), ids=lambda each: getattr(each, "__name__", None)
)
async def test_a_helper_that_makes_a_law_blind_is_caught(helper: type[WizardHelper], law: str) -> None:
    with pytest.raises(AssertionError):
        await LAWS[law](helper(), SHORT, 15)


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
async def test_a_move_for_somebody_who_is_late_is_waited_for(
    helper: GameHelper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compared_worlds, "LATE_SHARE", 1.0)
    table = compared_worlds.ComparedTable(helper, helper.starts()[0], reader_in_seat(None), clock="1 hour")
    for seed in range(MATCHES_TO_SEE):
        counted = (await compared_worlds.compare_match(table, random.Random(seed), 6, 0.0)).counts
        if counted["clocks run out"]:
            break
    assert counted["clocks run out"]


def test_the_numbers_of_what_one_asks_tell_nothing_of_what_others_ask() -> None:
    people = {name: number for number, name in enumerate(PEOPLE, 1)}
    ids_and_tokens = []
    for others in (0, 2):
        wire = FakeDiscord(people)
        for user in [2] * others + [1]:
            _, last = wire.start_interaction(user, CHANNEL, COMMAND_KIND, {})
        ids_and_tokens.append((last["id"], last["token"]))
    assert ids_and_tokens[0] == ids_and_tokens[1]


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS)
async def test_no_law_complains_of_the_same_match_untouched(law: str) -> None:
    await LAWS[law](WizardHelper(), SHORT, 15)
