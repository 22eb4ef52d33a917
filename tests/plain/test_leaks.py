"""Nobody is told what they cannot know, in whatever form: every game, everybody who reads, everything that is sent."""

from __future__ import annotations

import os

import pytest

from engines.wizard.model import Options
from tests.contract.helper import Helper, Start
from tests.contract.helpers import HELPERS
from tests.engines.wizard.helper import WizardHelper
from tests.plain import leaky
from tests.plain.leaks import LAWS

CASES = [(helper, start) for helper in HELPERS.values() for start in helper.starts()]
NAMES = [f"{helper.game.key}-{start.seats}" for helper, start in CASES]
POSITIONS = 200 if os.environ.get("MOTLEY_SOAK") else 10
SHORT = Start(3, Options(rounds=3), f"{7:032x}")


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("helper", "start"), CASES, ids=NAMES)
async def test_law(helper: Helper, start: Start, law: str) -> None:
    await LAWS[law](helper, start, POSITIONS)


@pytest.mark.parametrize(
    ("leak", "law"), [(leak, law) for leak, (_, laws) in leaky.LEAKS.items() for law in laws], ids=str
)
async def test_what_is_told_is_caught(leak: str, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apply, _ = leaky.LEAKS[leak]
    apply(monkeypatch)
    with pytest.raises(AssertionError):
        await LAWS[law](WizardHelper(), SHORT, 40)


@pytest.mark.parametrize(("helper", "law"), leaky.HELPERS.items(), ids=lambda each: getattr(each, "__name__", None))
async def test_a_helper_that_makes_a_law_blind_is_caught(helper: type[WizardHelper], law: str) -> None:
    with pytest.raises(AssertionError):
        await LAWS[law](helper(), SHORT, 15)


@pytest.mark.parametrize("law", LAWS)
async def test_of_the_same_match_untouched_no_law_complains(law: str) -> None:
    await LAWS[law](WizardHelper(), SHORT, 15)
