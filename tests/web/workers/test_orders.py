"""What workers say of files, and where the server keeps them."""

from __future__ import annotations

from pathlib import Path

from equilibrist.errors import CheckpointError
from equilibrist.web.errors import error_document
from equilibrist.web.security.short_names import with_short_names
from equilibrist.web.workers.order import Order, ReadOrder, SolveOrder, short_names_of


def told(order: Order, path: Path) -> str:
    error = CheckpointError("its checksum is wrong", path, given=path, remedy=f"remove {path}")
    return repr(with_short_names(error_document(error), short_names_of(order)))


def test_errors_name_files_without_the_folders_of_the_server(tmp_path: Path) -> None:
    job, library = tmp_path / "home" / "jobs" / "7", tmp_path / "home" / "library"
    order = SolveOrder(
        "game", "leduc", None, {}, str(job / "run.ckpt"), str(library / "leduc.safetensors")
    )
    for path, name in (
        (job / "run.ckpt", "run.ckpt"),
        (library / "leduc.safetensors", "leduc.safetensors"),
        (job, "7"),
    ):
        assert str(path) in repr(error_document(CheckpointError("it is damaged", path)))
        said = told(order, path)
        assert name in said
        assert "home" not in said


def test_an_upload_goes_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "home" / "upload.efg"
    said = told(ReadOrder("game", str(path), 1), path)
    assert "upload.efg" in said
    assert "home" not in said
