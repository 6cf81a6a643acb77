import os
import pickle
from typing import Any, Callable, Type
from urllib.parse import quote

import httpx
import pytest

import parley as sdk
from parley import NotFoundError, Parley, ParleyError, ValidationError

from .conftest import Observed, Phone

Observe = Callable[..., Observed]


def test_sends_the_input_and_returns_the_reply(observe: Observe, phone: Phone) -> None:
    observed = observe()
    number = phone()
    created = observed.parley.contacts.create(phone=number, display_name="Asha Rao")
    assert created["contact"]["e164"] == number
    assert created["contact"]["displayName"] == "Asha Rao"
    read = observed.parley.contacts.get(number)
    assert read["contact"]["id"] == created["contact"]["id"]
    assert str(observed.requests[1].url).endswith(f"/api/v1/contacts/{quote(number, safe='')}")
    assert len(observed.transport.keys()[0]) == 36
    assert observed.transport.keys()[1] is None


def test_sends_null_for_none_and_nothing_for_an_omitted_argument(observe: Observe, phone: Phone) -> None:
    observed = observe()
    lead = observed.parley.leads.capture(phone=phone(), name="Asha Rao")["lead"]
    renamed = observed.parley.leads.update(lead["id"], rating=4)["lead"]
    assert (renamed["name"], renamed["rating"]) == ("Asha Rao", 4)
    cleared = observed.parley.leads.update(lead["id"], name=None)["lead"]
    assert (cleared["name"], cleared["rating"]) == (None, 4)
    assert observed.requests[1].content == b'{"rating": 4}'
    assert observed.requests[2].content == b'{"name": null}'


def test_an_argument_whose_name_python_reserves_ends_with_an_underscore(parley: Parley, phone: Phone) -> None:
    number = phone()
    parley.sandbox.receive_message(from_=number, text="Hello")
    assert parley.contacts.get(number)["contact"]["e164"] == number


def test_an_error_response_raises_its_class_and_is_not_retried(observe: Observe, phone: Phone) -> None:
    observed = observe()
    with pytest.raises(ValidationError) as invalid:
        observed.parley.contacts.create(phone="no phone number")
    assert (invalid.value.status, invalid.value.code) == (400, "invalid")
    assert invalid.value.issues[0]["path"] == "phone"
    assert invalid.value.request_id
    assert "phone: " in str(invalid.value)
    with pytest.raises(NotFoundError, match="not_found"):
        observed.parley.contacts.get(phone())
    assert len(observed.requests) == 2


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "api_key_invalid", sdk.AuthenticationError),
        (402, "quota_exceeded", sdk.PlanError),
        (403, "insufficient_scope", sdk.PermissionDeniedError),
        (409, "conflict", sdk.ConflictError),
        (422, "outside_24h_window", sdk.ValidationError),
        (429, "rate_limited", sdk.RateLimitError),
        (500, "internal_error", sdk.ServerError),
        (502, "send_unconfirmed", sdk.UnconfirmedError),
        (418, "a_new_code", sdk.APIError),
    ],
)
def test_errors_have_classes(observe: Observe, status: int, code: str, kind: Type[sdk.APIError]) -> None:
    body = {"error": code, "message": "Why", "docUrl": "https://parley.example/docs", "upgradeUrl": "x"}
    observed = observe(lambda _, forward: httpx.Response(status, json=body), max_attempts=1)
    with pytest.raises(ParleyError) as raised:
        observed.parley.me()
    error = raised.value
    assert type(error) is kind
    assert isinstance(error, sdk.APIError)
    assert (error.code, error.message, error.doc_url) == (code, "Why", "https://parley.example/docs")
    assert error.body["upgradeUrl"] == "x"
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), copied.code, str(copied)) == (kind, code, str(error))


@pytest.mark.parametrize("wrong", ["", ".", ".."])
def test_an_id_that_is_another_path_is_refused(observe: Observe, wrong: str) -> None:
    observed = observe()
    with pytest.raises(ParleyError, match="id"):
        observed.parley.contacts.get(wrong)
    assert observed.requests == []


def test_the_response_comes_with_the_reply_on_request(parley: Parley) -> None:
    raw = parley.with_raw_response.me()
    assert raw.data == parley.me()
    assert raw.status == 200
    assert int(raw.headers["ratelimit-limit"].split(",")[0]) > 0
    assert raw.request_id == raw.http_response.headers["x-request-id"]
    assert raw.replayed is False


def test_the_response_of_a_repeated_write_is_marked(parley: Parley, phone: Phone) -> None:
    number = phone()
    first = parley.leads.with_raw_response.capture(phone=number, idempotency_key=number)
    second = parley.leads.with_raw_response.capture(phone=number, idempotency_key=number)
    assert (first.replayed, second.replayed) == (False, True)
    assert first.data == second.data


@pytest.mark.parametrize("end", ["", "/", "/api/v1", "/api/v1/"])
def test_the_base_address_may_end_in_several_ways(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    base_url, api_key = os.environ["PARLEY_URL"], os.environ["PARLEY_API_KEY"]
    monkeypatch.delenv("PARLEY_URL")
    monkeypatch.delenv("PARLEY_API_KEY")
    with Parley(base_url=f"{base_url}{end}", api_key=api_key) as client:
        assert client.me()["workspace"]["id"]


def test_the_client_needs_an_address_and_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParleyError, match="https://"):
        Parley(base_url="parley.example.com")
    monkeypatch.delenv("PARLEY_API_KEY")
    with pytest.raises(ParleyError, match="PARLEY_API_KEY"):
        Parley()


def test_names_the_sdk_and_the_program_that_uses_it(observe: Observe) -> None:
    observed = observe(user_agent="my-shop/1.2")
    observed.parley.me()
    agent = observed.requests[0].headers["user-agent"]
    assert agent == f"my-shop/1.2 parley-sdk-python/{sdk.__version__}"


def test_every_resource_has_its_methods_with_responses(parley: Parley) -> None:
    resources = {name: value for name, value in vars(parley).items() if not name.startswith("_")}
    assert len(resources) > 30
    for name, resource in resources.items():
        own = {key for key in dir(resource) if not key.startswith("_")} - {"with_raw_response", "verify"}
        assert own == set(vars(resource.with_raw_response)), name


def test_an_unknown_name_of_the_package_is_an_error() -> None:
    with pytest.raises(AttributeError, match="Parly"):
        getattr(sdk, "Parly")  # noqa: B009


def test_a_client_of_yours_stays_open(parley: Parley) -> None:
    with httpx.Client() as http:
        with Parley(http_client=http) as client:
            client.me()
        assert not http.is_closed
    own: Any = Parley()
    own.close()
    with pytest.raises(RuntimeError):
        own.me()
