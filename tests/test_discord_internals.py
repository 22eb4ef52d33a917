"""Only one module uses private parts of discord.py, and a start tells if one of them is not as expected."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import pkgutil
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands, ui
from discord.ext import commands
from pydantic import SecretStr

import bot
import live.__main__ as live_trial
import motley.__main__ as owner_commands
from cogs.table.transport import discord_internals
from cogs.table.transport.discord_internals import EXPECTED_VERSION, PRIVATE_PARTS, PrivatePart, unexpected_parts
from tests.games import ROOT

MODULE = ROOT / "cogs/table/transport/discord_internals.py"
FOLDERS = ("cogs", "live", "motley", "release")  # test_imports keeps discord.py out of the others
DOCUMENTED = {"abc", "app_commands", "ext", "ext.commands", "ext.tasks", "ui", "utils"}
HIDDEN = {"http", "ws", "parsers", "dispatch", "launch_shard", "launch_shards", "to_dict", "to_components"}
HIDDEN |= {"has_components_v2", "warn_nacl", "warn_dave", "__cog_group_name__", "__cog_group_description__"}
"""Attributes without an underscore that discord.py does not document."""
BY_NAME = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"}
NAMESPACE = {"discord": discord, "commands": commands, "app_commands": app_commands, "ui": ui}
Functions = (ast.FunctionDef, ast.AsyncFunctionDef)


# The law


def sources() -> Iterator[Path]:
    yield from ROOT.glob("*.py")
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*.py") if path != MODULE)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def names_in(tree: ast.AST) -> set[str]:
    """The private names that a source defines or uses as attributes; also those of two underscores as Python stores
    them."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            inner = [each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)]
            found |= {f"_{node.name.lstrip('_')}{name}" for name in inner if is_private(name) and name[:2] == "__"}
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (*Functions, ast.ClassDef)):
            found.add(node.name)
    return {name for name in found if is_private(name)}


@cache
def library_names() -> frozenset[str]:
    paths = Path(discord.__file__).parent.rglob("*.py")
    return frozenset(name for path in paths for name in names_in(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def library_modules() -> frozenset[str]:
    """The undocumented modules of discord.py, with their whole names."""
    found = {each.name for each in pkgutil.walk_packages(discord.__path__, "discord.", onerror=lambda name: None)}
    return frozenset(name for name in found if name.removeprefix("discord.") not in DOCUMENTED)


@cache
def own_classes() -> Mapping[str, ast.ClassDef]:
    trees = (tree_of(path) for path in (*sources(), MODULE))
    return {node.name: node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def library_bases(node: ast.ClassDef) -> Iterator[type]:
    """The classes of discord.py that a class inherits from, also through our own classes."""
    for base in node.bases:
        base = base.value if isinstance(base, ast.Subscript) else base
        found: Any = NAMESPACE
        for name in ast.unparse(base).split("."):
            found = found.get(name) if isinstance(found, dict) else getattr(found, name, None)
        if isinstance(found, type):
            yield from (each for each in found.__mro__ if each.__module__.startswith("discord."))
        elif (own := own_classes().get(ast.unparse(base))) is not None and own is not node:
            yield from library_bases(own)


@cache
def class_names(library: type) -> frozenset[str]:
    source = ast.parse(textwrap.dedent(inspect.getsource(library)))
    return frozenset(names_in(source) | {name for name in vars(library) if is_private(name)})


def own_names(tree: ast.Module) -> set[str]:
    """The private names that a module of ours gives to its own classes."""
    found = {node.name for node in ast.walk(tree) if isinstance(node, Functions)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            found.add(node.attr)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__":
            found |= {str(each.value) for each in ast.walk(node.value) if isinstance(each, ast.Constant)}
    return {name for name in found if is_private(name)}


def private_uses(tree: ast.Module) -> list[str]:
    """The lines of a module that use a private part of discord.py, each with what it uses."""
    foreign = library_names() - own_names(tree) - {"_fields"}  # that of aiohttp's forms
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    loggers = {name for call in calls if _called(call) == "getLogger" for name in call.args}
    found = list[tuple[ast.AST, str]]()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                found += [(node, each.name) for each in node.names if each.name in library_modules()]
            case ast.ImportFrom(module=module):
                whole = [module, *(f"{module}.{each.name}" for each in node.names)]
                found += [(node, name) for name in whole if name in library_modules()]
                found += [(node, each.name) for each in node.names if module == "discord" and is_private(each.name)]
            case ast.Attribute(value=value, attr=name):
                is_own = isinstance(value, ast.Name) and value.id in ("self", "cls")
                if name in HIDDEN or (name in foreign and not is_own) or ast.unparse(node) in library_modules():
                    found.append((node, name))
            case ast.Constant(value=str(text)) if text in foreign | library_modules() and node not in loggers:
                found.append((node, text))
            case ast.Call(args=args) if _called(node) in BY_NAME:
                texts = [each.value for each in args if isinstance(each, ast.Constant)]
                found += [(node, str(text)) for text in texts if text in HIDDEN]
            case ast.ClassDef():
                found += [(each, name) for each, name in _inherited_uses(node)]
    return [f"{getattr(node, 'lineno', 0)}: {name}" for node, name in found]


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def _inherited_uses(node: ast.ClassDef) -> Iterator[tuple[ast.AST, str]]:
    """What a class uses or overrides of the private parts that it inherits from discord.py."""
    bases = [*library_bases(node)]
    inherited = {name for library in bases for name in class_names(library)}
    attributes = [each for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr in inherited]
    yield from ((each, each.attr) for each in attributes if ast.unparse(each.value) in ("self", "cls", "super()"))
    for each in node.body if bases else ():
        names = [each.name] if isinstance(each, Functions) else [*_assigned_names(each)]
        yield from ((each, name) for name in names if name in inherited | HIDDEN)


def _assigned_names(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    yield from (each.id for each in targets if isinstance(each, ast.Name))


def test_no_other_module_uses_private_parts_of_discord_py() -> None:
    found = [f"{path.relative_to(ROOT)}:{line}" for path in sources() for line in private_uses(tree_of(path))]
    assert len([*sources()]) > 200
    assert not found


BROKEN = {
    "import discord.gateway": "discord.gateway",
    "from discord.http import Route": "discord.http",
    "from discord import state": "discord.state",
    "if TYPE_CHECKING:\n    from discord.types.gateway import SessionStartLimit": "discord.types.gateway",
    "error = discord.client.ReconnectWebSocket": "client",
    "kinds = vars(discord.http)": "http",
    "import_module('discord.webhook.async_')": "discord.webhook.async_",
    "found = interaction._session": "_session",
    "interaction.response._response_type = kind": "_response_type",
    "session = vars(client)['_HTTPClient__session']": "_HTTPClient__session",
    "session = client._HTTPClient__session": "_HTTPClient__session",
    "state = getattr(channel, '_state')": "_state",
    "get = operator.attrgetter('http')": "http",
    "await client.http.get_channel(7)": "http",
    "discord.VoiceClient.warn_nacl = False": "warn_nacl",
    "class Bot(commands.Bot):\n    def end(self): self._connection.clear()": "_connection",
    "class Bot(MotleyBot):\n    def __init__(self): self._handlers = {}": "_handlers",
    "class Bot(ShardedBot):\n    async def _async_setup_hook(self): pass": "_async_setup_hook",
    "class Bot(discord.AutoShardedClient):\n    async def launch_shards(self): pass": "launch_shards",
    "class Tree(app_commands.CommandTree[Any]):\n    async def _call(self, given): pass": "_call",
    "class View(ui.LayoutView):\n    def to_components(self): return []": "to_components",
    "class Chess(GameCog):\n    __cog_group_name__ = 'x'": "__cog_group_name__",
    "class Bot(MotleyBot):\n    _connection: ConnectionState": "_connection",
}


@pytest.mark.parametrize("source", BROKEN)
def test_a_private_use_would_be_found(source: str) -> None:
    assert BROKEN[source] in " ".join(private_uses(ast.parse(source)))


def test_our_own_names_and_loggers_are_none() -> None:
    source = (
        "class Own:\n    def f(self, other): self._state = other._state\nlogging.getLogger('discord.client').info('')"
    )
    assert not private_uses(ast.parse(source))


def test_the_module_itself_is_full_of_them() -> None:
    assert len(private_uses(tree_of(MODULE))) > 40


# The check at the start


def test_the_parts_of_the_expected_version_are_as_expected() -> None:
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    pinned = [need for needed in needs.values() for need in needed if need.startswith("discord.py==")]
    assert {*pinned} == {f"discord.py=={EXPECTED_VERSION}"}
    assert discord.__version__ == EXPECTED_VERSION
    assert unexpected_parts() == ""


def owners_of(part: PrivatePart) -> tuple[list[Any], str]:
    """What holds a part, the base classes included, and the part's name there."""
    module, _, names = part.path.partition(":")
    *outer, name = names.split(".")
    found: Any = importlib.import_module(module)
    for each in outer:
        found = getattr(found, each)
    places = [base for base in getattr(found, "__mro__", (found,)) if base is not object and name in vars(base)]
    return places, name


@pytest.mark.parametrize("part", PRIVATE_PARTS, ids=[part.path for part in PRIVATE_PARTS])
def test_a_start_tells_that_a_part_is_missing(part: PrivatePart, monkeypatch: pytest.MonkeyPatch) -> None:
    places, name = owners_of(part)
    assert places
    for place in places:
        monkeypatch.delattr(place, name)
    message = unexpected_parts()
    assert f"{part.path.replace(':', '.')} " in message
    assert message.startswith(f"Motley needs discord.py {EXPECTED_VERSION}. This is discord.py {discord.__version__}, ")


@pytest.mark.parametrize(
    "part", [part for part in PRIVATE_PARTS if part.parameters or part.uses], ids=lambda part: part.path
)
def test_a_start_tells_that_a_part_has_another_shape(part: PrivatePart, monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_), name = owners_of(part)
    monkeypatch.setattr(first, name, lambda other, *, new: None)
    problem = "takes other parameters" if part.parameters else "does not use"
    assert f"{part.path.replace(':', '.')} {problem}" in unexpected_parts()


@pytest.mark.parametrize(
    ("function", "fits"),
    [
        (lambda self, channel, *, name: None, True),
        (lambda self, channel, more=0, *, name, reason=None: None, True),
        (lambda self, channel, **rest: None, True),
        (lambda self, channel, *more, name: None, True),
        (lambda self, guild, channel, *, name: None, False),
        (lambda channel, self, *, name: None, False),
        (lambda self, channel, *, name, reason: None, False),
        (lambda self, channel, *, title: None, False),
        (lambda self, channel: None, False),
        (7, False),
    ],
)
def test_a_function_fits_if_it_can_be_called_as_the_bot_does(function: Callable[..., None], fits: bool) -> None:
    assert discord_internals._accepts(function, "self channel * name") is fits


@pytest.mark.parametrize("program", [bot, live_trial, owner_commands])
def test_a_program_ends_with_status_2_before_it_connects(
    program: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def connect(*args: object, **kwargs: object) -> None:
        raise AssertionError("it connects")

    settings = SimpleNamespace(token=SecretStr("x"), api="", log_level="INFO", logs="text")
    monkeypatch.setattr(program, "load_settings", lambda *args: settings)
    monkeypatch.setattr("asyncio.run", connect)
    monkeypatch.setattr("asyncio.Runner", connect)
    monkeypatch.delattr(discord.http.HTTPClient, "edit_message")
    words = {bot: [], live_trial: [["7"]], owner_commands: [["emoji"]]}[program]
    assert program.main(*words) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert "discord.http.HTTPClient.edit_message is missing" in output
    assert f"needs discord.py {EXPECTED_VERSION}." in output


def test_a_class_that_is_gone_is_told_at_the_import(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr("discord.http.Ratelimit")
    spec = importlib.util.spec_from_file_location("without", MODULE)
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(SystemExit) as ended:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert ended.value.code == 2
    output = capsys.readouterr().err
    assert "Ratelimit" in output
    assert output.startswith(f"Motley needs discord.py {EXPECTED_VERSION}.")


def test_a_second_start_in_one_process_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """By then, classes of this module stand in the places of discord.py's."""
    monkeypatch.setattr(discord.http, "Ratelimit", discord_internals.CancellableRatelimit)
    monkeypatch.setattr("discord.client.ExponentialBackoff", discord_internals.CappedBackoff)
    assert unexpected_parts() == ""
