"""The tests run against a sandbox of a running installation: PARLEY_URL and the key of an admin in PARLEY_API_KEY."""

import json
import os
import random
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import httpx
import pytest

from parley import Parley

Phone = Callable[[], str]

if not os.environ.get("PARLEY_URL") or not os.environ.get("PARLEY_API_KEY"):
    pytest.exit("Set PARLEY_URL and PARLEY_API_KEY to those of a sandbox.", returncode=2)


@pytest.fixture
def parley() -> Iterator[Parley]:
    with Parley() as client:
        yield client


@pytest.fixture
def phone() -> Phone:
    return lambda: f"+9198{random.randrange(10**8):08d}"


@pytest.fixture
def delivery() -> Dict[str, Any]:
    """A delivery as a receiver got it: `headers`, `body`, and the `secret` that signed it."""
    path = os.environ.get("PARLEY_TEST_DELIVERY")
    if not path:
        pytest.fail("Set PARLEY_TEST_DELIVERY to a file with a delivery.")
    read: Dict[str, Any] = json.loads(Path(path).read_text())
    return read


Forward = Callable[[], httpx.Response]
Answer = Callable[[int, Forward], httpx.Response]


class ObservedTransport(httpx.BaseTransport):
    """Keeps the requests; `answer` may answer one itself, or raise, before or after it has arrived."""

    def __init__(self, answer: Answer) -> None:
        self.requests: List[httpx.Request] = []
        self._answer = answer
        self._network = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answer(len(self.requests), lambda: self._network.handle_request(request))

    def keys(self) -> List[Any]:
        return [request.headers.get("idempotency-key") for request in self.requests]


class Observed:
    """A client whose requests are observed."""

    def __init__(self, answer: Answer = lambda _, forward: forward(), **options: Any) -> None:
        self.transport = ObservedTransport(answer)
        self.parley = Parley(http_client=httpx.Client(transport=self.transport), **options)

    @property
    def requests(self) -> List[httpx.Request]:
        return self.transport.requests


@pytest.fixture
def observe() -> Callable[..., Observed]:
    return Observed
