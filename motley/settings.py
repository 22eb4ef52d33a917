"""The settings from the environment or `.env`; `.env.example` explains each."""

from __future__ import annotations

import os
import re
import unicodedata
from io import StringIO
from pathlib import Path
from typing import Any, Literal, TypeVar

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import Field, SecretStr, ValidationError, create_model, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from engines.features.registry import OWNER_SETTINGS
from engines.store.owner_settings import OwnerSettings
from engines.store.partition import Partition
from motley.scheduled_backups import BackupPlan
from storage import parse_location

T = TypeVar("T", bound=BaseSettings)

ENV_FILE = Path(".env")
API_ADDRESS = re.compile(
    r"https?://(?:[\w-]{1,63}(?:\.[\w-]{1,63})*|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?(/[!->@-~]*)?", re.ASCII
)
WEB_PAGE = re.compile(r"https?://[^\s()<>]{1,200}")
TOKEN = re.compile(r"[!-~]{1,500}")
PORTS = range(1, 65536)
MOST = 10_000  # for everything that is counted; a larger number is a slip of the finger
MAX_KEEP_DAYS = 36_500  # days
AUTO = "auto"  # as many shards as Discord recommends
NOT_UTF8 = ".env is not UTF-8 text{hint}. Save it again as UTF-8; Notepad offers that under “Save as”, “Encoding”."
NOT_UNDERSTOOD = "Line {line} of .env is not understood. Write NAME=VALUE there, and nothing else."
NOT_A_FILE = ".env is a folder. Delete it, and copy .env.example to .env."
NOT_READ = ".env cannot be read ({why}). Let the bot's user read it."
INVISIBLE = "contains a line break or another character that cannot be seen"
QUOTED = "is in quotes that belong to its value here: leave them out"
EMPTY_TOKEN = "is empty: copy the token from the developer portal"
NO_TOKEN = "contains a space or a character that no token has: copy it again from the developer portal"
NO_PORT = f"must be empty or a port, a number from {PORTS[0]} to {PORTS[-1]}"
NO_PAGE = "must be empty or the address of a web page, such as https://example.org/page"
NO_API = "must be empty or the root of a REST API, such as http://127.0.0.1:8750/api/v10"
NO_PLAN = (
    "MOTLEY_BACKUPS copies a database file, but MOTLEY_DATABASE names PostgreSQL: leave it empty and make backups "
    "with pg_dump, as docs/operating.md says"
)
NO_FOLDER = "MOTLEY_BACKUPS must name a folder, but there is a file of that name"


class SettingsError(Exception):
    """The settings cannot be used; the message says why in a sentence and repeats no value."""


class CheckedSettings(BaseSettings):
    """Settings whose values contain nothing that cannot be seen."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8-sig",
        extra="ignore",
        env_prefix="MOTLEY_",
        hide_input_in_errors=True,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _check_text(cls, value: object) -> object:
        return _visible_text(value) if isinstance(value, str) else value


class DataSettings(CheckedSettings):
    """The settings needed to look after the database."""

    database: Path | SecretStr = Path("data/motley.db")  # a PostgreSQL address may contain a password

    @field_validator("database", mode="before")
    @classmethod
    def _parse_database(cls, value: object) -> object:
        return wrap_location(_visible_text(value)) if isinstance(value, str) else value


class DiscordSettings(CheckedSettings):
    """The settings needed to talk to Discord."""

    token: SecretStr = Field(validation_alias="DISCORD_TOKEN")
    api: str = ""

    @field_validator("token")
    @classmethod
    def _check_token(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value()
        if not TOKEN.fullmatch(token):
            raise ValueError(NO_TOKEN if token else EMPTY_TOKEN)
        return value

    @field_validator("api")
    @classmethod
    def _check_api(cls, value: str) -> str:
        found = API_ADDRESS.fullmatch(value)
        if value and (not found or (found[1] and int(found[1]) not in PORTS)):
            raise ValueError(NO_API)
        return value


_declared: dict[str, Any] = {each.name: (each.kind, each.default) for each in OWNER_SETTINGS}
FeatureSettings = create_model("FeatureSettings", __base__=CheckedSettings, **_declared)
"""The settings that features declare."""


class Settings(DataSettings, DiscordSettings, FeatureSettings):
    """All settings of the bot."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    lobbies_per_person: int = Field(3, ge=1, le=MOST)
    lobbies_per_server: int = Field(25, ge=1, le=MOST)
    matches_per_person: int = Field(10, ge=1, le=MOST)
    posts_per_person: int = Field(15, ge=1, le=MOST)
    first_contacts_per_ten_minutes: int = Field(20, ge=1, le=MOST)
    first_contacts_per_day: int = Field(200, ge=1, le=MOST)
    keep_days: int = Field(0, ge=0, le=MAX_KEEP_DAYS)
    backups: str = ""
    metrics: str = ""
    shards: str = ""
    logs: Literal["text", "json"] = "text"
    contact: str = Field("", max_length=100)
    support: str = ""
    terms: str = ""
    privacy: str = ""
    source: str = ""
    commands: str = ""

    @field_validator("support", "terms", "privacy", "source")
    @classmethod
    def _check_page(cls, value: str) -> str:
        if value and not WEB_PAGE.fullmatch(value):
            raise ValueError(NO_PAGE)
        return value

    @field_validator("metrics")
    @classmethod
    def _check_metrics(cls, value: str) -> str:
        if value and not (re.fullmatch("[1-9][0-9]{0,4}", value) and int(value) in PORTS):
            raise ValueError(NO_PORT)
        return value

    @field_validator("commands")
    @classmethod
    def _check_commands(cls, value: str) -> str:
        from cogs.table.wording.command_names import CommandNames  # the owner's commands need nothing of Discord
        from engines import GAMES
        from engines.features.registry import COMMAND_NAMES

        CommandNames.parse(value, [*GAMES, *COMMAND_NAMES])
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

    @property
    def of_features(self) -> OwnerSettings:
        """The values of the settings that features declare."""
        return OwnerSettings({each.name: getattr(self, each.name) for each in OWNER_SETTINGS})

    @field_validator("backups")
    @classmethod
    def _check_backups(cls, value: str) -> str:
        BackupPlan.parse(value)
        return value

    @model_validator(mode="after")
    def _check_backups_of_database(self) -> Settings:
        plan = BackupPlan.parse(self.backups)
        if plan and isinstance(self.database, SecretStr):
            raise ValueError(NO_PLAN)
        if plan and (plan.folder.is_file() or os.path.abspath(plan.folder) == os.path.abspath(str(self.database))):
            raise ValueError(NO_FOLDER)
        return self


def load_settings(kind: type[T], env_file: Path = ENV_FILE, **values: Any) -> T:
    """Load settings from the environment and that file; `values` come before both. Raises SettingsError."""
    read_env_file(env_file)
    try:
        return kind(_env_file=env_file, **values)
    except ValidationError as error:
        found = "; ".join(_describe_error(kind, each) for each in error.errors())
        raise SettingsError(f"The settings are not valid: {found}. See .env.example.") from None


def read_env_file(path: Path) -> dict[str, str | None]:
    """Return the lines of an existing file, or nothing. Raises SettingsError if it is not plain text of settings."""
    if path.is_dir():
        raise SettingsError(NOT_A_FILE)
    if not path.is_file():  # a pipe can be read only once
        return {}
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = " but UTF-16" if error.object[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise SettingsError(NOT_UTF8.format(hint=hint)) from None
    except OSError as error:
        raise SettingsError(NOT_READ.format(why=error.strerror)) from None
    if "\0" in text:
        raise SettingsError(NOT_UTF8.format(hint=" but UTF-16"))
    for each in parse_stream(StringIO(text)):
        if each.error:
            raise SettingsError(NOT_UNDERSTOOD.format(line=each.original.line))
    return dotenv_values(stream=StringIO(text))


def wrap_location(text: str) -> Path | SecretStr:
    """Return a path, or an address as a secret. Raises ValueError with what is wrong with it."""
    found = parse_location(text)
    return found if isinstance(found, Path) else SecretStr(found)


def _visible_text(value: str) -> str:
    """Return the value without spaces around it. Raises ValueError if not everything in it can be seen."""
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in value):
        raise ValueError(INVISIBLE)
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        raise ValueError(QUOTED)
    return value


def _describe_error(kind: type[BaseSettings], error: ErrorDetails) -> str:
    """Return what is wrong with one setting, without its value."""
    why = str(error["ctx"]["error"]) if error["type"] == "value_error" else _plain_words(error)
    if not error["loc"]:
        return why
    name = str(error["loc"][0])
    prefix = kind.model_config.get("env_prefix", "")
    return f"{f'{prefix}{name.upper()}' if name in kind.model_fields else name} {why}"


def _plain_words(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return "is missing"
    if error["type"].startswith("int_"):
        return "must be a whole number"
    return re.sub(r"^(Input|String) should", "must", error["msg"])
