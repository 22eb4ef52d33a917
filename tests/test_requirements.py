"""Whether `requirements/` has what `pyproject.toml` asks for: each of its files is made anew by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.games import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FILES = {path.stem: path for path in (ROOT / "requirements").glob("*.txt")}
MACHINES = [
    {"sys_platform": system, "platform_machine": machine, "platform_python_implementation": python}
    for system, machine in [
        *(("linux", machine) for machine in ("x86_64", "aarch64", "armv7l", "riscv64")),
        *(("darwin", machine) for machine in ("x86_64", "arm64")),
        *(("win32", machine) for machine in ("AMD64", "ARM64")),
    ]
    for python in ("CPython", "PyPy")
]


def is_installed_on(one: Requirement, machine: dict[str, str]) -> bool:
    """Whether it is installed on such a machine."""
    return one.marker is None or one.marker.evaluate(machine)


def asked_requirements(lines: Iterable[str]) -> dict[str, Requirement]:
    """What these lines ask for, by name, with what the project's own extras among them bring."""
    found: dict[str, Requirement] = {}
    for line in lines:
        one = Requirement(line)
        if one.name == PROJECT["name"]:
            for extra in one.extras:
                found |= asked_requirements(PROJECT["optional-dependencies"][extra])
        else:
            found[canonicalize_name(one.name)] = one
    return found


def pinned_versions(lines: Iterable[str]) -> dict[str, Requirement]:
    """The versions that a file pins, by name."""
    ones = (Requirement(line.rstrip(" \\")) for line in lines if not line.startswith((" ", "#")))
    return {canonicalize_name(one.name): one for one in ones}


def test_there_is_a_file_for_whatever_is_installed() -> None:
    assert FILES.keys() == PROJECT["optional-dependencies"].keys() - {"bot"}


@pytest.mark.parametrize("extra", FILES)
def test_a_file_pins_what_is_asked_for_where_it_is_asked_for(extra: str) -> None:
    given = pinned_versions(FILES[extra].read_text(encoding="utf-8").splitlines())
    for name, wanted in asked_requirements([*PROJECT["dependencies"], f"{PROJECT['name']}[{extra}]"]).items():
        assert name in given, f"{extra}.txt has no {name}; CONTRIBUTING.md says how it is made"
        (only,) = given[name].specifier
        assert only.operator == "=="
        assert wanted.specifier.contains(only.version, prereleases=True)
        for machine in MACHINES:
            assert is_installed_on(wanted, machine) == is_installed_on(given[name], machine), (
                f"{name} in {extra}.txt, of {machine}"
            )


@pytest.mark.parametrize("extra", FILES)
def test_all_files_pin_the_same(extra: str) -> None:
    ours = pinned_versions(FILES[extra].read_text(encoding="utf-8").splitlines())
    for other in FILES.values():
        theirs = pinned_versions(other.read_text(encoding="utf-8").splitlines())
        for name in ours.keys() & theirs.keys():
            assert ours[name].specifier == theirs[name].specifier, f"{name} in {extra}.txt and {other.name}"
