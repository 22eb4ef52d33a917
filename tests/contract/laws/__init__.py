"""The laws that every game keeps, by subject: the functions of these modules that take a helper and a start."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from tests.contract.laws.law import Law

SUBJECTS = (
    "rules notations states secrets answers taking_back planning boards pieces controls commands intros lobbies pages "
    "pictures narration guesses luck hints special_cards replays clips players reports options"
)

LAW_TYPES = {"helper": "GameHelper", "start": "MatchStart", "return": "None"}
LAWS: Mapping[str, Law] = {
    name: law
    for subject in SUBJECTS.split()
    for name, law in vars(import_module(f"{__name__}.{subject}")).items()
    if getattr(law, "__annotations__", None) == LAW_TYPES and name[0] != "_"
}

__all__ = ["LAWS", "Law"]
