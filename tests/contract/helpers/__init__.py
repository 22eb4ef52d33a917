"""A helper for every game: the only thing to add here for a new one."""

from __future__ import annotations

from collections.abc import Mapping

from tests.contract.helpers.base import Helper, Start
from tests.contract.helpers.court import CourtHelper
from tests.contract.helpers.jest import JestHelper
from tests.contract.helpers.jesters import JestersHelper
from tests.contract.helpers.jokers import JokersHelper
from tests.contract.helpers.wizard import WizardHelper

HELPERS: Mapping[str, Helper] = {
    "wizard": WizardHelper(),
    "jest": JestHelper(),
    "jokers": JokersHelper(),
    "court": CourtHelper(),
    "jesters": JestersHelper(),
}

__all__ = ["HELPERS", "Helper", "Start"]
