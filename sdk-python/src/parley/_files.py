"""Files that a method sends."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, Mapping, Tuple, Union

FileContent = Union[bytes, bytearray, memoryview, "os.PathLike[str]", BinaryIO]
"""A file: its bytes, its path (`pathlib.Path`), or an open file."""

Part = Tuple[str, bytes, str]


def _read(file: FileContent) -> Tuple[str, bytes]:
    if isinstance(file, (bytes, bytearray, memoryview)):
        return "file", bytes(file)
    if isinstance(file, os.PathLike):
        with open(file, "rb") as opened:
            return os.path.basename(os.fspath(file)), opened.read()
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) else "file", file.read()


def form_of(fields: Mapping[str, Any]) -> Tuple[Dict[str, str], Dict[str, Part]]:
    """Return the texts and the file of a form. The file is read now, so that it can be sent again."""
    texts = {name: str(value) for name, value in fields.items() if name != "file"}
    name, content = _read(fields["file"])
    kind = texts.get("mimeType", "application/octet-stream")
    return texts, {"file": (texts.get("filename", name), content, kind)}
