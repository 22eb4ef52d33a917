"""Files for a public repository: forms and a workflow, without secrets, machine paths or unpinned actions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.games import ROOT

FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
JOB_KEYS = {"runs-on", "timeout-minutes", "steps", "container", "if", "needs"}
STEP_KEYS = {"name", "run", "uses", "with"}
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PAGES = [
    ROOT / "SECURITY.md",
    ROOT / "CODE_OF_CONDUCT.md",
    *(ROOT / "docs" / name for name in ("terms.md", "incident.md")),
]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_has_what_github_asks_of_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"name: .+\ndescription: .+\nlabels: \[\w+\]\nbody:\n", text)
    parts = re.split(r"^  - type: ", text, flags=re.MULTILINE)[1:]
    assert {part.split()[0] for part in parts} <= {"markdown", "input", "textarea", "dropdown"}
    fields = [part for part in parts if not part.startswith("markdown")]
    assert all(re.search(r"^    id: [a-z]+\n    attributes:\n      label: .+$", part, re.MULTILINE) for part in fields)
    ids = re.findall(r"^    id: (\w+)$", text, re.MULTILINE)
    assert len(ids) == len({*ids}) == len(fields)
    assert any("required: true" in part for part in fields)


def test_there_are_forms_and_a_workflow() -> None:
    assert {path.stem for path in FORMS} == {"bug", "rule", "idea"}
    assert [path.stem for path in WORKFLOWS] == ["check"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_uses_pinned_actions_and_the_projects_own_commands(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    read = yaml.safe_load(text)
    assert set(read) == {"name", True, "permissions", "jobs"}, "YAML 1.1 reads `on` as true, and GitHub does not mind"
    assert set(read[True]) == {"push", "pull_request"}
    for name, job in read["jobs"].items():
        assert {"runs-on", "timeout-minutes", "steps"} <= set(job) <= JOB_KEYS, name
        assert all(("uses" in step) != ("run" in step) and set(step) <= STEP_KEYS for step in job["steps"]), name
        assert job.get("needs", "test") in read["jobs"]
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", each) for each in used)
    assert {*re.findall(r"run: make (\w+)", text), *re.findall(r"\bmake (play)\b", text)} == {"test", "play"}
    assert "docker build" in text
    assert 'tags: ["v*"]' in text
    assert "contents: read" in text
    assert "secrets." not in text


@pytest.mark.parametrize("path", [*FORMS, *WORKFLOWS, *PAGES], ids=lambda path: path.name)
def test_nothing_names_a_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"/(?:home|work|root|tmp|Users)/\S*", text)
    assert not re.findall(r"\b(?:localhost|\d+\.\d+\.\d+\.\d+)\b", text)


def test_the_templates_have_blanks_to_fill_in() -> None:
    for name in ("terms.md", "privacy.md"):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        blanks = re.findall(r"\[[^\]\n]+\](?!\()", text)
        assert len(blanks) >= 5, name
