"""Settings of the owner that features declare: variables of the environment whose names begin with `MOTLEY_`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class OwnerSetting(Generic[V]):
    """A setting: its name in lower case without `MOTLEY_`, its type with what pydantic checks, and its default."""

    name: str
    kind: Any
    default: V


@dataclass(frozen=True, slots=True)
class OwnerSettings:
    """The values that the owner has set, by name."""

    values: Mapping[str, Any] = field(default_factory=dict)

    def of(self, setting: OwnerSetting[V]) -> V:
        """Return the value of a setting."""
        found: V = self.values.get(setting.name, setting.default)
        return found
