"""Menu entries: files by which the desktop of Linux, macOS or Windows starts Equilibrist."""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from equilibrist._jit.places import cache_root
from equilibrist._version import __version__
from equilibrist.errors import ConfigError, OutputError
from equilibrist.library.names import data_folder
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.storage.replaceable import foreign_file

System = Literal["linux", "macos", "windows"]
"""`linux` stands for every system that keeps menus as freedesktop.org says."""
State = Literal["new", "replaced", "unchanged", "removed"]

_NAME: Final = "Equilibrist"
_COMMENT: Final = "Solve, study and play games and hold'em in the browser"
_MARK: Final = "`equilibrist desktop install`"
"""What all files have that may be replaced or removed."""
_ORIGIN: Final = f"Written by {_MARK}; `equilibrist desktop remove` removes it"
_MOST_BYTES: Final = 100_000
"""Of a file in which the mark is looked for."""
_ICON: Final = Path(__file__).parent / "ui" / "icon.svg"
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_PLAIN: Final = re.compile(r"[\w@%+=:,./-]+")
"""Words that need no quotation marks in an entry of freedesktop.org, nor have a sign with a meaning
there; a percent sign is doubled in any case."""
_PLAIN_IN_SCRIPTS: Final = re.compile(r"[\w.-]+")
_WAIT: Final = '"$0" "$@" || { echo "Enter closes this window"; read -r _; }'
"""Runs the words behind it, and keeps the window open where they fail."""
_FOLDERS: Final = ("EQUILIBRIST_DATA_DIR", "EQUILIBRIST_CACHE_DIR")


@dataclass(frozen=True)
class LauncherFile:
    """A file of a menu entry.

    Attributes:
        path: Where the system expects it.
        content: What it holds.
        is_executable: Whether the system runs it.
    """

    path: Path
    content: bytes
    is_executable: bool = False


@dataclass(frozen=True)
class Launcher:
    """A menu entry.

    Attributes:
        system: The system for which it is.
        folder: The folder below which its files lie.
        files: Its files, in the order in which they are written: the entry itself is the last.
    """

    system: System
    folder: Path
    files: tuple[LauncherFile, ...]

    @property
    def entry(self) -> Path:
        """What the menu shows: the entry, a script, or the folder of an app."""
        last = self.files[-1].path
        return last.parents[1] if self.system == "macos" else last


@dataclass(frozen=True)
class Changes:
    """What was done to the files of a menu entry, or would be.

    Attributes:
        launcher: The menu entry.
        states: A state for each file that is concerned.
        is_done: Whether it was done, and not only tried.
    """

    launcher: Launcher
    states: Mapping[Path, State]
    is_done: bool

    def to_dict(self) -> dict[str, Any]:
        """The document of `equilibrist desktop install --json` and of `remove`."""
        return {
            "system": self.launcher.system,
            "entry": str(self.launcher.entry),
            "done": self.is_done,
            "files": [
                {
                    "path": str(file.path),
                    "state": self.states[file.path],
                    "executable": file.is_executable,
                    "content": file.content.decode("utf-8", "replace"),
                }
                for file in self.launcher.files
                if file.path in self.states
            ],
        }


def has_display() -> bool:
    """Whether there is a screen; without one a browser of the terminal would open."""
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, names))


def this_system() -> System:
    """The system on which this runs."""
    systems: dict[str, System] = {"win32": "windows", "darwin": "macos"}
    return systems.get(sys.platform, "linux")


def menu_folder(system: System) -> Path:
    """The folder of a user below which a system looks for menu entries.

    Args:
        system: The system.

    Raises:
        OutputError: The user has no home folder.
    """
    if system == "windows":
        roaming = os.environ.get("APPDATA")
        base = Path(roaming) if roaming else _home() / "AppData" / "Roaming"
        return base / "Microsoft" / "Windows" / "Start Menu" / "Programs"
    if system == "macos":
        return _home() / "Applications"
    data = os.environ.get("XDG_DATA_HOME", "")
    return Path(data) if Path(data).is_absolute() else _home() / ".local" / "share"


def _home() -> Path:
    with suppress(RuntimeError):
        home = Path.home()
        if home.is_absolute():
            return home
    raise OutputError(
        "cannot find the folder of the menu: the user has no home folder",
        option="folder",
        remedy="name one with the environment variable HOME",
    )


def open_command() -> tuple[str, ...]:
    """The words of the command that a menu entry runs: `desktop open` by this Python."""
    return (sys.executable, "-P", "-m", "equilibrist", "desktop", "open")


def folders_in_use() -> dict[str, str]:
    """The environment variables that name other folders, with absolute paths.

    A menu starts programs without the variables of a shell, so that it would show another library.
    """
    paths = dict(zip(_FOLDERS, (data_folder, cache_root), strict=True))
    return {name: str(path().absolute()) for name, path in paths.items() if os.environ.get(name)}


def make_launcher(
    system: System | None = None,
    folder: Path | None = None,
    command: Sequence[str] | None = None,
    variables: Mapping[str, str] | None = None,
) -> Launcher:
    """Make the files of a menu entry; nothing is written.

    Args:
        system: The system; None for this one.
        folder: The folder of menu entries; None for that of the user.
        command: The words of the command that it runs; None for `open_command`.
        variables: Environment variables that it sets; None for `folders_in_use`.

    Returns:
        The menu entry.

    Raises:
        ConfigError: A word has a character that no entry of this system can have.
        OutputError: The user has no home folder.
    """
    system = this_system() if system is None else system
    folder = menu_folder(system) if folder is None else folder
    words = open_command() if command is None else tuple(command)
    named = folders_in_use() if variables is None else dict(variables)
    for word in (*words, *named.values()):
        if _CONTROL.search(word) or (system == "windows" and '"' in word):
            raise ConfigError(
                f"a menu entry cannot name {word!r}",
                option="folder",
                given=word,
                expected="a path without line ends and quotation marks",
                remedy="install Equilibrist in a folder with another name",
            )
    make = {"linux": _entry_files, "macos": _app_files, "windows": _script_files}[system]
    return Launcher(system, folder, make(folder, words, named))


def install_launcher(launcher: Launcher, *, is_trial: bool = False) -> Changes:
    """Write a menu entry, in place of an older one of ours.

    Args:
        launcher: The menu entry.
        is_trial: Whether nothing is written.

    Returns:
        What was written, or would be.

    Raises:
        OutputError: A file of that name is none of ours, or nothing can be written there.
    """
    states: dict[Path, State] = {}
    for file in launcher.files:
        old = _own_content(file.path)
        is_same = old == file.content
        states[file.path] = "new" if old is None else "unchanged" if is_same else "replaced"
    if not is_trial:
        for file in launcher.files:
            with failures(file.path.parent):
                file.path.parent.mkdir(parents=True, exist_ok=True)
        for file in launcher.files:
            write_bytes(file.path, file.content)
            if file.is_executable:
                with failures(file.path):
                    file.path.chmod(0o755)
    return Changes(launcher, states, not is_trial)


def remove_launcher(launcher: Launcher, *, is_trial: bool = False) -> Changes:
    """Remove a menu entry of ours.

    Args:
        launcher: The menu entry; its files may hold something else by now.
        is_trial: Whether nothing is removed.

    Returns:
        What was removed, or would be: only what was there.

    Raises:
        OutputError: A file of that name is none of ours, or cannot be removed.
    """
    states: dict[Path, State] = {
        file.path: "removed" for file in launcher.files if _own_content(file.path) is not None
    }
    if not is_trial:
        for path in reversed(states):  # the entry first, so that no menu shows half of it
            with failures(path):
                path.unlink(missing_ok=True)
        if launcher.system == "macos":
            folders = {parent for path in states for parent in path.parents}
            for own in sorted(folders, reverse=True):  # a folder after those in it
                if own.is_relative_to(launcher.entry):
                    with suppress(OSError):  # something else is in it
                        own.rmdir()
    return Changes(launcher, states, not is_trial)


def _own_content(path: Path) -> bytes | None:
    """What a file of ours holds; None where there is no file. Raises OutputError for others."""
    with failures(path):
        if not path.exists():
            return None
        content = b""
        if path.is_file():
            with path.open("rb") as file:
                content = file.read(_MOST_BYTES)
    if _MARK.encode() not in content:
        raise foreign_file(path, "a menu entry of Equilibrist", "folder")
    return content


def _entry_files(
    folder: Path, words: Sequence[str], variables: Mapping[str, str]
) -> tuple[LauncherFile, ...]:
    """An entry and its icon, as the specifications of freedesktop.org say."""
    settings = [f"{name}={value}" for name, value in variables.items()]
    line = [*(["env", *settings] if settings else []), "sh", "-c", _WAIT, *words]
    entry = f"""[Desktop Entry]
# {_ORIGIN}
Type=Application
Version=1.1
Name={_NAME}
GenericName=Game solver
Comment={_COMMENT}
TryExec={_escaped(words[0])}
Exec={" ".join(map(_entry_word, line))}
Icon=equilibrist
Terminal=true
Categories=Education;Math;
Keywords=poker;game theory;CFR;solver;
StartupNotify=false
"""
    icon = _ICON.read_bytes().rstrip() + f"\n<!-- {_ORIGIN} -->\n".encode()
    icons = folder / "icons" / "hicolor" / "scalable" / "apps"
    return (
        LauncherFile(icons / "equilibrist.svg", icon),
        LauncherFile(folder / "applications" / "equilibrist.desktop", _bytes(entry)),
    )


def _entry_word(word: str) -> str:
    """A word of `Exec`: quoted where needed, its percent signs doubled, backslashes escaped."""
    doubled = word.replace("%", "%%")
    if _PLAIN.fullmatch(word):
        return doubled
    quoted = re.sub(r'(["`$\\])', r"\\\1", doubled)
    return _escaped(f'"{quoted}"')


def _escaped(text: str) -> str:
    """A value of an entry, in which a backslash begins an escape."""
    return text.replace("\\", "\\\\")


def _app_files(
    folder: Path, words: Sequence[str], variables: Mapping[str, str]
) -> tuple[LauncherFile, ...]:
    """The folder of an app that opens a script in Terminal."""
    contents = folder / f"{_NAME}.app" / "Contents"
    script = f"{_NAME}.command"
    about = {
        "CFBundleDisplayName": _NAME,
        "CFBundleExecutable": _NAME,
        "CFBundleIdentifier": "equilibrist.desktop",
        "CFBundleName": _NAME,
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": __version__,
        "EquilibristOrigin": _ORIGIN,
    }
    exports = "".join(f"export {name}={shlex.quote(text)}\n" for name, text in variables.items())
    head = f"#!/bin/sh\n# {_ORIGIN}\n"
    opens = f'exec open -a Terminal "$(dirname "$0")/../Resources/{script}"\n'
    return (
        LauncherFile(
            contents / "Resources" / script,
            _bytes(f"{head}{exports}exec {shlex.join(words)}\n"),
            is_executable=True,
        ),
        LauncherFile(contents / "MacOS" / _NAME, _bytes(head + opens), is_executable=True),
        LauncherFile(contents / "Info.plist", plistlib.dumps(about)),
    )


def _script_files(
    folder: Path, words: Sequence[str], variables: Mapping[str, str]
) -> tuple[LauncherFile, ...]:
    """A script for the Start menu; its window stays open where it fails."""
    lines = [
        "@echo off",
        f"rem {_ORIGIN}",
        "chcp 65001 >nul",
        f"title {_NAME}",
        *(f'set "{name}={text}"'.replace("%", "%%") for name, text in variables.items()),
        " ".join(map(_script_word, words)).replace("%", "%%"),
        "if errorlevel 1 pause",
    ]
    content = _bytes("".join(f"{line}\r\n" for line in lines))
    return (LauncherFile(folder / f"{_NAME}.cmd", content),)


def _script_word(word: str) -> str:
    """A word of a script of Windows, where a backslash before a quotation mark escapes it."""
    if _PLAIN_IN_SCRIPTS.fullmatch(word):
        return word
    slashes = word[len(word.rstrip("\\")) :]
    return f'"{word}{slashes}"'


def _bytes(text: str) -> bytes:
    """A text as a file; names that are no UTF-8 keep the bytes that they have on disk."""
    return text.encode("utf-8", "surrogateescape")
