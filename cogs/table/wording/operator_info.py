"""Who runs the bot, where to read more, and where to tell them something: what the owner sets for people."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.store.owner_settings import OwnerSettings


@dataclass(frozen=True, slots=True)
class OperatorInfo:
    """A contact as text, and addresses of web pages, each of which may be empty; and the settings of features."""

    contact: str = ""
    support: str = ""
    terms: str = ""
    privacy: str = ""
    source: str = ""
    settings: OwnerSettings = field(default_factory=OwnerSettings)

    @property
    def help_line(self) -> str:
        """Where to get help, as a line of small print; empty if nothing is set."""
        parts = [f"Contact: {self.contact}"] if self.contact else []
        parts += [_link("Support", self.support)] if self.support else []
        return f"-# {' · '.join(parts)}" if parts else ""

    @property
    def privacy_line(self) -> str:
        """Where to read and ask about privacy, as a line of small print; empty if nothing is set."""
        parts = [_link("The whole privacy notice", self.privacy)] if self.privacy else []
        parts += [f"Contact: {self.contact}"] if self.contact else []
        return f"-# {' · '.join(parts)}" if parts else ""

    @property
    def about_line(self) -> str:
        """All of it, as a line; empty if nothing is set."""
        parts = [f"Contact: {self.contact}"] if self.contact else []
        pages = {"Support": self.support, "Terms": self.terms, "Privacy": self.privacy, "Source": self.source}
        return " · ".join([*parts, *(_link(label, address) for label, address in pages.items() if address)])


NOBODY_NAMED = OperatorInfo()


def _link(label: str, address: str) -> str:
    return f"[{label}]({address})"
