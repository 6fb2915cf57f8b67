"""The container file: what it names exists, and the server that it starts works.

No image is built here: its instructions are read, the wheel is built from the files that they copy,
and the command is run as it stands.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import pytest

from equilibrist.cli.main import ENTRIES
from equilibrist.web.security.entering import ENTRY
from equilibrist.web.settings import PORT
from tests.docs.markdown import blocks
from tests.web.serving import served

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "equilibrist"
PAGE = ROOT / "docs" / "web" / "start.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


class Instruction(NamedTuple):
    """A line of the container file: `COPY src ./src`."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """Its words; of a list in JSON, its entries."""
        text = self.text[self.text.find("[") :] if self.name in ("CMD", "ENTRYPOINT") else self.text
        return [*json.loads(text)] if text.startswith("[") else shlex.split(text)


def read_instructions() -> list[Instruction]:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    whole = re.sub(r"\\\n", " ", "\n".join(lines))
    pairs = [line.partition(" ") for line in whole.splitlines() if line.strip()]
    return [Instruction(name, " ".join(text.split())) for name, _, text in pairs]


INSTRUCTIONS = read_instructions()


def texts(name: str) -> list[str]:
    return [instruction.text for instruction in INSTRUCTIONS if instruction.name == name]


def only(name: str) -> Instruction:
    """The only instruction of a name, in the last stage."""
    (found,) = (instruction for instruction in INSTRUCTIONS if instruction.name == name)
    return found


def copied() -> list[str]:
    """What is copied from the checkout."""
    sources = [text.split() for text in texts("COPY") if not text.startswith("--from")]
    return [word for words in sources for word in words[:-1]]


def environment() -> dict[str, str]:
    return dict(word.split("=", 1) for word in only("ENV").words)


def health_check() -> list[str]:
    options, _, command = only("HEALTHCHECK").text.partition(" CMD ")
    assert re.search(r"--interval=\d+s", options)
    return [*json.loads(command)]


def test_only_known_instructions_are_used() -> None:
    known = "ARG FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD"
    assert {instruction.name for instruction in INSTRUCTIONS} <= {*known.split()}


def test_every_stage_stands_on_the_official_image_of_a_supported_python() -> None:
    (default,) = (text.removeprefix("PYTHON=") for text in texts("ARG"))
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert [*map(int, default.split("."))] >= [*map(int, least.split("."))]
    images = [text.partition(" AS ")[0] for text in texts("FROM")]
    assert set(images) == {"python:${PYTHON}-slim"}
    assert not any("/" in image for image in images)  # a registry


def test_what_is_copied_exists_and_suffices_for_the_build() -> None:
    project = PROJECT["project"]
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    needed = {"pyproject.toml", project["readme"], *project["license-files"]}
    assert needed | {package.partition("/")[0] for package in packages} == {*copied()}
    assert all((ROOT / name).exists() for name in copied())


def test_nothing_else_is_sent_to_the_builder() -> None:
    patterns = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert patterns[0] == "*"
    assert {pattern[1:] for pattern in patterns if pattern.startswith("!")} == {*copied()}
    left_out = [pattern for pattern in patterns[1:] if not pattern.startswith("!")]
    for path in SOURCES.rglob("*"):
        if "__pycache__" not in path.parts:
            name = path.relative_to(ROOT).as_posix()
            assert not any(fnmatch(name, pattern) for pattern in left_out), name


def test_extras_programs_and_folders_are_those_of_the_package() -> None:
    install = next(text for text in texts("RUN") if "pip install" in text)
    extras = re.search(r'pip install --no-cache-dir "\.\[([a-z,]+)\]"', install)
    assert extras is not None
    assert {*extras[1].split(",")} <= PROJECT["project"]["optional-dependencies"].keys()
    assert {"web"} <= {*extras[1].split(",")}
    (venv,) = re.findall(r"python -m venv (\S+)", install)
    assert f"{venv}/bin/pip install" in install
    (passed_on,) = (text for text in texts("COPY") if text.startswith("--from"))
    assert passed_on.split()[1:] == [venv, venv]  # an environment cannot be moved
    assert environment()["PATH"].split(":")[0] == f"{venv}/bin"
    (program,) = only("ENTRYPOINT").words
    assert program in PROJECT["project"]["scripts"]


def test_the_command_line_takes_the_command_and_its_options() -> None:
    name, *arguments = only("CMD").words
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    values = entry.build().make_context(name, arguments).params
    assert (values["host"], values["port"], values["no_browser"]) == ("0.0.0.0", PORT, True)
    assert values["token"] is None  # so that it makes one, and prints it
    assert only("EXPOSE").text == f"{PORT}"


def test_variables_are_read_by_the_package() -> None:
    ours = [name for name in environment() if name.startswith("EQUILIBRIST_")]
    assert len(ours) == 2
    sources = "".join(path.read_text("utf-8") for path in SOURCES.rglob("*.py"))
    assert [name for name in ours if f'"{name}"' not in sources] == []


def test_a_user_without_rights_writes_into_the_volume_alone() -> None:
    names = [instruction.name for instruction in INSTRUCTIONS]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert names.index("USER") > max(n for n, name in enumerate(names) if name == "RUN")
    user, volume = only("USER").text, only("VOLUME").text
    making = next(text for text in texts("RUN") if "useradd" in text)
    assert making.split(" && ")[0].split()[-1] == user
    assert f"--owner={user}" in making
    assert making.split()[-1] == volume  # before it is a volume, which keeps its owner
    values = environment()
    for name in ("HOME", "EQUILIBRIST_DATA_DIR", "EQUILIBRIST_CACHE_DIR"):
        assert Path(values[name]).is_relative_to(volume)
    assert values["EQUILIBRIST_DATA_DIR"] != values["EQUILIBRIST_CACHE_DIR"]


def test_the_page_starts_what_the_file_builds() -> None:
    lines = [
        line
        for block in blocks(PAGE)
        if block.language == "sh"
        for line in block.text.splitlines()
        if line.startswith("docker ")
    ]
    build, start = map(shlex.split, lines)
    (tag,) = (after for word, after in zip(build, build[1:], strict=False) if word == "--tag")
    assert build[-1] == "."
    assert start[-1] == tag
    options = dict(zip(start, start[1:], strict=False))
    assert options["--publish"] == f"127.0.0.1:{PORT}:{PORT}"
    assert options["--volume"].partition(":")[2] == only("VOLUME").text


@pytest.mark.slow
def test_the_server_prints_a_token_and_is_healthy(tmp_path: Path) -> None:
    _, *arguments = only("CMD").words
    place = arguments.index("--port")
    del arguments[place : place + 2]
    check = health_check()
    assert check[:2] == ["python", "-c"]
    assert f"127.0.0.1:{PORT}{ENTRY}'" in check[2]
    bare = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    with served(tmp_path, *arguments) as (process, address):
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(2)]
        assert re.fullmatch(r"Token: \S{32}\n", printed[1]), printed
        program = check[2].replace(f":{PORT}/", f":{address.rpartition(':')[2]}/")
        command = [sys.executable, "-c", program]
        subprocess.run(command, check=True, env=bare, timeout=60)
    assert subprocess.run(command, env=bare, stderr=subprocess.DEVNULL, check=False).returncode


@pytest.mark.slow
def test_a_wheel_of_what_is_copied_holds_the_browser(tmp_path: Path) -> None:
    """Pages, texts, styles, libraries with their licences, and data files."""
    clean = tmp_path / "source"
    clean.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, clean / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, clean / name)
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", f"{tmp_path}", f"{clean}"]
    outside = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(build, env=outside, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name.removeprefix("equilibrist/") for name in archive.namelist()}
    tree = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert tree <= names
    kinds = {name.rpartition(".")[2] for name in names if not name.endswith(".py")}
    assert {"js", "css", "svg", "toml"} <= kinds
    for folder in ("pages", "parts", "poker", "core", "texts", "styles", "lib"):
        assert any(name.startswith(f"web/ui/{folder}/") for name in names), folder
    listed = tomllib.loads((SOURCES / "web" / "ui" / "lib" / "SOURCES.toml").read_text("utf-8"))
    assert {name.partition(".")[0] for name in listed} >= {"vue", "htm", "LICENSE"}
    assert {f"web/ui/lib/{name}" for name in listed} <= names
