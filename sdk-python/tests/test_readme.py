"""The Python samples of the README, and of the pages in PARLEY_TEST_PAGES, run with a sandbox."""

import asyncio
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    *map(Path, filter(None, os.environ.get("PARLEY_TEST_PAGES", "").split(os.pathsep))),
]
SAMPLES = {
    f"{page.stem.lower()}_{number}": code
    for page in PAGES
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S), 1)
}


class Request(SimpleNamespace):
    """A request as web frameworks give it."""

    def get_data(self) -> bytes:
        data: bytes = self.raw
        return data

    async def body(self) -> bytes:
        return self.get_data()


def receive(handler: Any, delivery: Dict[str, Any], body: str) -> int:
    result = handler(Request(raw=body.encode(), headers=delivery["headers"]))
    answer = asyncio.run(result) if asyncio.iscoroutine(result) else result
    status: int = answer if isinstance(answer, int) else answer[1]
    return status


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(
    name: str, delivery: Dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_WEBHOOK_SECRET", delivery["secret"])
    names: Dict[str, Any] = {"__name__": name}
    exec(compile(SAMPLES[name], name, "exec"), names)
    tests: List[Any] = [value for key, value in names.items() if key.startswith("test_")]
    for test in tests:
        test()
    if "receive" in names:
        assert receive(names["receive"], delivery, delivery["body"]) == 204
        assert receive(names["receive"], delivery, f"{delivery['body']} ") == 400
    assert tests or capsys.readouterr().out.strip()
