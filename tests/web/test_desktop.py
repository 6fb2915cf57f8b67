"""Menu entries for three systems, and `equilibrist desktop`."""

from __future__ import annotations

import json
import os
import plistlib
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import pytest

from equilibrist.errors import ConfigError, OutputError
from equilibrist.web import desktop
from equilibrist.web.desktop import (
    Launcher,
    System,
    install_launcher,
    make_launcher,
    menu_folder,
    remove_launcher,
)
from equilibrist.web.store.folders import DataFolders
from tests.cli.command import Shell
from tests.refusals import refuses
from tests.web.serving import served

SYSTEMS: tuple[System, ...] = get_args(System)
NAMES = [
    "plain",
    "with a space",
    "it's",
    'say "hi"',
    "$HOME and `pwd`",
    r"back\slash\\",
    "100 %f %% %TEMP%",
    "naïve 游戏 ♠",
    "a;b&c|d<e>f(g)^!#~*?",
    "key=value",
]
COMMAND = ("python", "-P", "-m", "equilibrist", "desktop", "open")
SHOWN = '#!/bin/sh\nprintf "%s\\n" "$EQUILIBRIST_DATA_DIR" "$@"\n'


@pytest.fixture(params=SYSTEMS)
def launcher(request: pytest.FixtureRequest, tmp_path: Path) -> Launcher:
    return make_launcher(request.param, tmp_path / "menu", COMMAND, {})


def entry_values(file: Path) -> dict[str, str]:
    """The keys of an entry of freedesktop.org, with their escapes resolved."""
    head, *lines = file.read_text("utf-8").splitlines()
    assert head == "[Desktop Entry]"
    pairs = [line.partition("=")[::2] for line in lines if not line.startswith("#")]
    values = {key: re.sub(r"\\([\\nts])", r"\1", value) for key, value in pairs}
    assert len(values) == len(pairs)
    return values


def entry_words(line: str) -> list[str]:
    """The words of `Exec`, as the specification reads them."""
    words = []
    for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)', line):
        word = re.sub(r'\\(["`$\\])', r"\1", quoted) if quoted else plain
        assert not re.search(r"(?<!%)(?:%%)*%(?!%)", word)
        words.append(word.replace("%%", "%"))
    return words


def script_words(line: str) -> list[str]:
    """The words of a line in a script of Windows that are plain or in quotation marks."""
    words = re.findall(r'"([^"]*)"|(\S+)', line.replace("%%", "%"))
    return [re.sub(r"(\\+)$", lambda end: end[0][::2], a) if a else b for a, b in words]


def program(folder: Path) -> Path:
    """A program in a folder of any name, which prints the data folder and its arguments."""
    folder.mkdir()
    file = folder / "python"
    file.write_text(SHOWN)
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_of_linux_runs_programs_of_any_name(tmp_path: Path, name: str) -> None:
    words = [f"{program(tmp_path / name)}", *COMMAND[1:]]
    variables = {"EQUILIBRIST_DATA_DIR": f"/data/{name}"}
    made = make_launcher("linux", tmp_path / "menu", words, variables)
    install_launcher(made)
    values = entry_values(made.entry)
    assert values["TryExec"] == words[0]
    done = subprocess.run(entry_words(values["Exec"]), capture_output=True, text=True)
    assert done.stdout.splitlines() == [*variables.values(), *COMMAND[1:]], done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_an_app_of_macos_runs_programs_of_any_name(tmp_path: Path, name: str) -> None:
    """`open` is a program here that runs the script which Terminal would run."""
    words = [f"{program(tmp_path / name)}", *COMMAND[1:]]
    variables = {"EQUILIBRIST_DATA_DIR": f"/data/{name}"}
    made = make_launcher("macos", tmp_path / "menu", words, variables)
    install_launcher(made)
    (tmp_path / "open").write_text('#!/bin/sh\n[ "$1 $2" = "-a Terminal" ] && exec "$3"\n')
    (tmp_path / "open").chmod(0o755)
    executable = made.entry / "Contents" / "MacOS" / "Equilibrist"
    path = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([executable], capture_output=True, text=True, env=path)
    assert done.stdout.splitlines() == [*variables.values(), *COMMAND[1:]], done.stderr


@pytest.mark.parametrize("name", [name for name in NAMES if '"' not in name])
def test_a_script_of_windows_names_programs_of_any_name(tmp_path: Path, name: str) -> None:
    words = [rf"C:\{name}\python.exe", *COMMAND[1:], rf"C:\{name}" + "\\"]
    made = make_launcher("windows", tmp_path, words, {"EQUILIBRIST_DATA_DIR": rf"D:\{name}"})
    install_launcher(made)
    text = made.entry.read_bytes().decode("utf-8")
    assert text.count("\r\n") == text.count("\n")
    *_, variable, command, last = text.splitlines()
    assert variable.replace("%%", "%") == rf'set "EQUILIBRIST_DATA_DIR=D:\{name}"'
    assert script_words(command) == words
    assert last == "if errorlevel 1 pause"


def test_a_name_that_no_entry_can_have_is_refused(tmp_path: Path) -> None:
    for system in SYSTEMS:
        for words in (["/a\nb/python"], ["/a\tb/python"], ["python", "\0"]):
            with refuses(ConfigError, option="folder", given=words[-1]):
                make_launcher(system, tmp_path, words, {})
    for variables in ({"EQUILIBRIST_DATA_DIR": 'D:\\"'}, {"EQUILIBRIST_DATA_DIR": "a\nb"}):
        with refuses(ConfigError, option="folder"):
            make_launcher("windows", tmp_path, COMMAND, variables)


def test_where_each_system_expects_its_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", f"{tmp_path}")
    monkeypatch.setattr(Path, "home", classmethod(lambda cls: tmp_path))
    entries = {
        "linux": ".local/share/applications/equilibrist.desktop",
        "macos": "Applications/Equilibrist.app",
        "windows": "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Equilibrist.cmd",
    }
    for system in SYSTEMS:
        made = make_launcher(system, command=COMMAND)
        assert made.entry == tmp_path / entries[system]
        assert made.folder == menu_folder(system)
    monkeypatch.setenv("XDG_DATA_HOME", f"{tmp_path / 'share'}")
    monkeypatch.setenv("APPDATA", f"{tmp_path / 'roaming'}")
    assert menu_folder("linux") == tmp_path / "share"
    assert menu_folder("windows").is_relative_to(tmp_path / "roaming")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # which the specification ignores
    assert menu_folder("linux") == tmp_path / ".local" / "share"


def test_a_user_without_a_home_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    for name in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    for system in SYSTEMS:
        with refuses(OutputError, option="folder"):
            menu_folder(system)


def test_an_entry_is_written_again_and_removed(launcher: Launcher) -> None:
    trial = install_launcher(launcher, is_trial=True)
    assert (trial.is_done, {*trial.states.values()}) == (False, {"new"})
    assert not launcher.folder.exists()
    assert {*install_launcher(launcher).states.values()} == {"new"}
    for file in launcher.files:
        assert file.path.read_bytes() == file.content
        assert os.access(file.path, os.X_OK) is file.is_executable
    assert {*install_launcher(launcher).states.values()} == {"unchanged"}
    other = make_launcher(launcher.system, launcher.folder, ("elsewhere", *COMMAND[1:]), {})
    assert "replaced" in install_launcher(other).states.values()
    removed = remove_launcher(launcher, is_trial=True)
    assert {*removed.states} == {file.path for file in launcher.files}
    assert all(file.path.is_file() for file in launcher.files)
    assert remove_launcher(launcher).states == removed.states
    assert [path for path in launcher.folder.rglob("*") if path.is_file()] == []
    assert not launcher.entry.exists()
    assert not remove_launcher(launcher).states


def test_other_files_stay(launcher: Launcher) -> None:
    """Whichever of the files is somebody else's, or a folder, nothing is written or removed."""
    for number, file in enumerate(launcher.files):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        if number % 2:
            file.path.mkdir()
        else:
            file.path.write_text("mine")
        for change in (install_launcher, remove_launcher):
            for is_trial in (True, False):
                with refuses(OutputError, option="folder", given=file.path.name):
                    change(launcher, is_trial=is_trial)
        assert [path for path in launcher.folder.rglob("*") if path.is_file()] == (
            [] if number % 2 else [file.path]
        )
        if number % 2:
            file.path.rmdir()
        else:
            file.path.unlink()


def test_what_lies_in_an_app_beside_its_files_stays(tmp_path: Path) -> None:
    made = make_launcher("macos", tmp_path, COMMAND, {})
    install_launcher(made)
    own = made.entry / "Contents" / "Resources" / "notes.txt"
    own.write_text("mine")
    remove_launcher(made)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [own]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for system in SYSTEMS:
        with pytest.raises(OutputError) as refused:
            install_launcher(make_launcher(system, tmp_path / "file", COMMAND, {}))
        assert f"{tmp_path / 'file'}" in str(refused.value)


def test_entries_say_what_menus_show(tmp_path: Path) -> None:
    for system in SYSTEMS:
        install_launcher(make_launcher(system, tmp_path / system, COMMAND, {}))
    values = entry_values(tmp_path / "linux" / "applications" / "equilibrist.desktop")
    assert (values["Type"], values["Name"], values["Terminal"]) == (
        "Application",
        "Equilibrist",
        "true",
    )
    assert values["Version"] == "1.1"  # validators know it
    assert values["Categories"].endswith(";")
    (icon,) = (tmp_path / "linux" / "icons").rglob(f"{values['Icon']}.svg")
    assert ElementTree.parse(icon).getroot().tag.endswith("svg")
    contents = tmp_path / "macos" / "Equilibrist.app" / "Contents"
    about = plistlib.loads((contents / "Info.plist").read_bytes())
    assert os.access(contents / "MacOS" / about["CFBundleExecutable"], os.X_OK)


def test_an_entry_keeps_the_folders_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", "~/solutions")
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", "")
    monkeypatch.setenv("HOME", f"{tmp_path}")
    monkeypatch.chdir(tmp_path)
    assert desktop.folders_in_use() == {"EQUILIBRIST_DATA_DIR": f"{tmp_path / 'solutions'}"}
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", "here")
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", "kernels")
    assert [*desktop.folders_in_use().values()] == [
        f"{tmp_path / 'here'}",
        f"{tmp_path / 'kernels'}",
    ]


def test_what_an_entry_runs_is_this_installation(shell: Shell) -> None:
    """No file `equilibrist.py` in the folder where a menu starts programs takes its place: -P."""
    python, *flags, group, command = desktop.open_command()
    assert (python, flags) == (sys.executable, ["-P", "-m", "equilibrist"])
    assert "Usage: equilibrist desktop open" in shell(f"{group} {command} --help").ok().out


def test_the_command_installs_shows_and_removes(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop, "menu_folder", lambda system: tmp_path)
    monkeypatch.setattr(desktop, "this_system", lambda: "linux")
    entry = tmp_path / "applications" / "equilibrist.desktop"
    shown = shell("desktop install --dry-run").ok().out
    assert f"{entry}" in shown
    assert "Exec=" in shown
    assert [*tmp_path.iterdir()] == []
    document = shell("desktop install --json --dry-run").ok().json
    assert (document["done"], document["entry"]) == (False, f"{entry}")
    assert f"{entry}" in shell("desktop install").ok().out
    document = shell("desktop install --json").ok().json
    assert document["done"]
    contents = {file["path"]: file["content"] for file in document["files"]}
    assert contents[f"{entry}"] == entry.read_text("utf-8")
    assert [file["state"] for file in document["files"]] == ["unchanged", "unchanged"]
    assert f"would be removed: {entry}" in shell("desktop remove --dry-run").ok().out
    assert [file["state"] for file in shell("desktop remove --json").ok().json["files"]] == [
        "removed",
        "removed",
    ]
    assert not entry.exists()
    assert f"{tmp_path}" in shell("desktop remove").ok().out
    entry.write_text("mine")
    shell("desktop install").refused(OutputError, option="folder", path=entry)
    shell("desktop remove").refused(OutputError, option="folder", path=entry)
    assert entry.read_text() == "mine"


def test_an_environment_for_one_run_gets_no_entry(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop, "menu_folder", lambda system: tmp_path / "menu")
    environment = tmp_path / ".cache" / "pipx" / "1a2b"
    monkeypatch.setattr(sys, "prefix", f"{environment}")
    refused = shell("desktop install").refused(ConfigError, option="environment", given=environment)
    assert "pipx install" in refused.error.remedy
    assert not (tmp_path / "menu").exists()


def test_the_server_that_runs_is_opened(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    started: list[dict[str, object]] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(
        "equilibrist.web.desktop_command.serve", lambda **given: started.append(given)
    )
    monkeypatch.setattr("equilibrist.web.desktop_command.has_display", lambda: True)
    monkeypatch.setattr("equilibrist.web.store.folders._PATIENCE", 0.0)
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", f"{tmp_path}")
    monkeypatch.setenv("EQUILIBRIST_TOKEN", "a-token-of-the-owner")
    monkeypatch.delenv("EQUILIBRIST_GUEST_TOKEN", raising=False)
    shell("desktop open").ok()
    assert started == [{"token": "a-token-of-the-owner", "guest_token": None}]
    folders = DataFolders(tmp_path)
    with folders.held():
        shell("desktop open").refused(ConfigError, option="data", given=tmp_path)
        folders.announce("http://127.0.0.1:8139")
        assert "http://127.0.0.1:8139" in shell("desktop open").ok().out
    assert opened == ["http://127.0.0.1:8139"]
    assert len(started) == 1


@pytest.mark.slow
def test_the_menu_starts_one_server_and_finds_it_again(tmp_path: Path) -> None:
    """By the words of the entry, with a browser that notes what it was given."""
    noted = tmp_path / "noted"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{noted}"\n')
    browser.chmod(0o755)
    environment = {
        **os.environ,
        "EQUILIBRIST_DATA_DIR": f"{tmp_path / 'data'}",
        "BROWSER": f"{browser} %s",
        "DISPLAY": ":0",
    }
    command = desktop.open_command()
    first = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        found = re.search(r"http://\S+", first.stdout.readline())
        assert found is not None
        again = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert (again.returncode, found[0] in again.stdout) == (0, True), again.stderr
    finally:
        first.terminate()
        first.communicate(timeout=60)
    addresses = {line.rstrip("/") for line in noted.read_text().split()}
    assert addresses == {found[0]}
    with served(tmp_path / "data") as (_, address):  # nothing is held any more
        assert json.loads(f'"{address}"')


@pytest.mark.parametrize(
    ("line", "module", "package"),
    [
        ("desktop install", "equilibrist.web.server", "uvicorn"),
        ("desktop open", "equilibrist.web.store.folders", "filelock"),
    ],
)
def test_without_the_extra_it_says_what_to_install(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, line: str, module: str, package: str
) -> None:
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    refused = shell(line).refused(ConfigError, option="package", given=package)
    assert "equilibrist[web]" in refused.error.remedy


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
def test_closing_the_window_ends_the_server_as_ctrl_c_does(tmp_path: Path) -> None:
    """The words of the entry of Linux, in a terminal that is closed."""
    import pty

    data = tmp_path / "data"
    made = make_launcher(
        "linux", tmp_path / "menu", variables={"EQUILIBRIST_DATA_DIR": f"{data}", "BROWSER": "true"}
    )
    install_launcher(made)
    words = entry_words(entry_values(made.entry)["Exec"])
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(words[0], words)
    printed = b""
    while not printed.endswith(b"\n"):
        printed += os.read(terminal, 1)
    found = re.search(rb"http://\S+", printed)
    assert found is not None, printed
    address = found[0].decode()
    wanted = {"game": "leduc", "options": {"iterations": 10**8, "target": 1e-12}}
    job = ask(f"{address}/api/jobs", wanted)
    while not ask(f"{address}/api/jobs/{job['id']}")["can_resume"]:
        time.sleep(0.1)
    os.close(terminal)
    os.waitpid(child, 0)
    wait_for_the_end(data)
    with served(data) as (_, address):
        after = ask(f"{address}/api/jobs/{job['id']}")
        assert (after["state"], after["can_resume"]) == ("interrupted", True)  # as after Ctrl-C


def ask(address: str, document: object = None) -> Any:
    """What the API answers to a request."""
    content = None if document is None else json.dumps(document).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(address, content, headers), timeout=60) as answer:
        return json.loads(answer.read())


def wait_for_the_end(data: Path) -> None:
    """Until no server holds the folder."""
    for _ in range(300):
        with suppress(ConfigError), DataFolders(data).held():
            return
        time.sleep(0.1)
    raise AssertionError(data)
