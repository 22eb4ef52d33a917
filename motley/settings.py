"""The settings from the environment or `.env`; `.env.example` explains each."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from engines.store.partition import Partition
from motley.scheduled_backups import BackupPlan
from storage import is_address

WEB_PAGE = r"^(|https?://[^\s()<>]{1,200})$"
AUTO = "auto"  # as many shards as Discord recommends


class DataSettings(BaseSettings):
    """The settings needed to look after the database."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_prefix="MOTLEY_")

    database: Path | SecretStr = Path("data/motley.db")  # a PostgreSQL address may contain a password

    @field_validator("database", mode="before")
    @classmethod
    def _parse_database(cls, value: object) -> object:
        if isinstance(value, str):
            return SecretStr(value) if is_address(value) else Path(value)
        return value


class DiscordSettings(BaseSettings):
    """The settings needed to talk to Discord."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_prefix="MOTLEY_")

    token: SecretStr = Field(validation_alias="DISCORD_TOKEN", min_length=1)
    api: str = Field("", pattern=r"^(|https?://[^\s]+)$")


class Settings(DataSettings, DiscordSettings):
    """All settings of the bot."""

    log_level: str = Field("INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$")
    lobbies_per_person: int = Field(3, ge=1)
    lobbies_per_server: int = Field(25, ge=1)
    take_backs_per_decision: int = Field(1, ge=1)
    take_backs_per_match: int = Field(2, ge=1)
    keep_days: int = Field(0, ge=0)
    backups: str = ""
    metrics: str = Field("", pattern="^(|[1-9][0-9]{0,4})$")
    shards: str = ""
    report_channel: int = Field(0, ge=0)
    logs: str = Field("text", pattern="^(text|json)$")
    contact: str = Field("", max_length=100, pattern=r"^[^\n\r]*$")
    support: str = Field("", pattern=WEB_PAGE)
    terms: str = Field("", pattern=WEB_PAGE)
    privacy: str = Field("", pattern=WEB_PAGE)
    source: str = Field("", pattern=WEB_PAGE)
    commands: str = ""

    @field_validator("commands")
    @classmethod
    def _check_commands(cls, value: str) -> str:
        from cogs.table.wording.command_names import CommandNames  # the owner's commands need nothing of Discord
        from engines import GAMES

        CommandNames.parse(value, GAMES)
        return value

    @field_validator("shards")
    @classmethod
    def _check_shards(cls, value: str) -> str:
        if value and value != AUTO:
            Partition.parse(value)
        return value

    @property
    def partition(self) -> Partition | None:
        """Return the servers to look after, by named shards; None: all of them."""
        return Partition.parse(self.shards) if self.shards not in ("", AUTO) else None

    @field_validator("backups")
    @classmethod
    def _check_backups(cls, value: str) -> str:
        BackupPlan.parse(value)
        return value


def settings_error_message(error: ValidationError) -> str:
    """Return what is wrong with the settings, in a sentence."""
    found = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    return f"The settings are not valid: {found}. See .env.example."
