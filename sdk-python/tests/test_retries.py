from typing import Any, Callable, Dict, Optional

import httpx
import pytest

from parley import APIError, NoResponseError, Parley
from parley._retry import wait_seconds
from parley.errors import error_of

from .conftest import Forward, Observed, Phone

Observe = Callable[..., Observed]


def unreachable(attempt: int, forward: Forward) -> httpx.Response:
    raise httpx.ConnectError("unreachable")


def test_a_write_whose_answer_was_lost_is_done_once(observe: Observe, phone: Phone) -> None:
    def lose_two_answers(attempt: int, forward: Forward) -> httpx.Response:
        response = forward()
        if attempt > 2:
            return response
        response.read()
        response.close()
        raise httpx.ReadError("the connection was cut")

    observed = observe(lose_two_answers)
    reply = observed.parley.leads.with_raw_response.capture(phone=phone())
    assert reply.data["lead"]["captureCount"] == 1
    assert reply.replayed
    assert len(observed.requests) == 3
    assert len(set(observed.transport.keys())) == 1


def test_a_write_that_never_gets_an_answer_names_its_key(observe: Observe, phone: Phone) -> None:
    observed = observe(unreachable)
    with pytest.raises(NoResponseError) as raised:
        observed.parley.contacts.create(phone=phone(), idempotency_key="of ours")
    assert raised.value.idempotency_key == "of ours"
    assert str(raised.value.__cause__) == "unreachable"
    assert observed.transport.keys() == ["of ours"] * 4


def test_attempts_are_limited_by_the_request_and_the_client(observe: Observe) -> None:
    observed = observe(unreachable, max_attempts=2)
    with pytest.raises(NoResponseError):
        observed.parley.me()
    assert len(observed.requests) == 2
    with pytest.raises(NoResponseError):
        observed.parley.me(max_attempts=1)
    assert len(observed.requests) == 3


def test_an_attempt_that_takes_too_long_ends_without_a_response() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Parley(base_url=address, max_attempts=1) as client, pytest.raises(NoResponseError) as raised:
            client.me(timeout=0.01)
    assert isinstance(raised.value.__cause__, httpx.TimeoutException)


@pytest.mark.parametrize(
    "first",
    [
        httpx.Response(429, headers={"retry-after": "0"}, json={"error": "rate_limited"}),
        httpx.Response(503, headers={"retry-after": "0"}, json={"error": "service_unavailable"}),
        httpx.Response(409, json={"error": "idempotency_key_in_progress"}),
        httpx.Response(502, html="<h1>Bad Gateway</h1>"),
        httpx.Response(200, html="<h1>Not Parley</h1>"),
    ],
    ids=["429", "503", "409 while the first attempt runs", "502 of a proxy", "200 of another server"],
)
def test_a_temporary_failure_is_retried(observe: Observe, first: httpx.Response) -> None:
    observed = observe(lambda attempt, forward: first if attempt == 1 else forward())
    assert observed.parley.me()["workspace"]["id"]
    assert len(observed.requests) == 2


@pytest.mark.parametrize(
    ("status", "headers", "code"),
    [(502, {}, "send_unconfirmed"), (429, {"retry-after": "3600"}, "rate_limited"), (409, {}, "conflict")],
)
def test_other_failures_are_not_retried(
    observe: Observe, status: int, headers: Dict[str, str], code: str
) -> None:
    observed = observe(lambda _, forward: httpx.Response(status, headers=headers, json={"error": code}))
    with pytest.raises(APIError, match=code):
        observed.parley.me()
    assert len(observed.requests) == 1


def error(status: int, retry_after: Optional[str] = None, **body: Any) -> APIError:
    response = httpx.Response(status, json=body, headers={"retry-after": retry_after} if retry_after else {})
    return error_of(response.status_code, response.headers, response.content)


@pytest.mark.parametrize(("attempt", "least"), [(1, 0.25), (2, 0.5), (3, 1.0)])
def test_waits_double_and_differ(attempt: int, least: float) -> None:
    waits = [wait_seconds(NoResponseError(), attempt) for _ in range(100)]
    assert all(wait is not None and least <= wait <= 2 * least for wait in waits)
    assert len(set(waits)) > 1


@pytest.mark.parametrize(
    ("raised", "seconds"),
    [
        (error(429, "7", error="rate_limited"), 7),
        (error(429, "60", error="rate_limited"), 60),
        (error(429, "61", error="rate_limited"), None),
        (error(404, "7", error="not_found"), None),
        (error(502, error="reply_unconfirmed"), None),
        (error(501, error="internal_error"), None),
    ],
)
def test_waits_as_long_as_the_api_asks_if_that_is_at_most_a_minute(
    raised: APIError, seconds: Optional[int]
) -> None:
    assert wait_seconds(raised, 1) == seconds
