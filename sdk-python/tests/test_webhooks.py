import hashlib
import hmac
from typing import Any, Dict

import pytest

from parley import Parley, WebhookError, verify_webhook


def at(delivery: Dict[str, Any], seconds: float = 0) -> float:
    return float(delivery["headers"]["x-webhook-timestamp"]) + seconds


def test_a_delivery_is_the_event_in_its_body(parley: Parley, delivery: Dict[str, Any]) -> None:
    body, headers, secret = delivery["body"], delivery["headers"], delivery["secret"]
    event = verify_webhook(body, headers, secret, now=at(delivery))
    assert event["event"] == "contact.created"
    assert event["data"]["phone"].startswith("+")
    upper = {name.upper(): value for name, value in headers.items()}
    assert parley.webhooks.verify(body.encode(), upper, ["another", secret], now=at(delivery)) == event


def test_one_of_two_signatures_is_enough(delivery: Dict[str, Any]) -> None:
    timestamp, body = delivery["headers"]["x-webhook-timestamp"], delivery["body"]
    signed = f"{timestamp}.{body}".encode()
    after_rotation = ", ".join(
        f"sha256={hmac.new(secret, signed, hashlib.sha256).hexdigest()}" for secret in (b"new", b"old")
    )
    headers = {"x-webhook-timestamp": timestamp, "x-webhook-signature": after_rotation}
    for secret in ("new", "old"):
        assert verify_webhook(body, headers, secret, now=at(delivery))["id"]
    with pytest.raises(WebhookError):
        verify_webhook(body, headers, "older", now=at(delivery))


def test_a_delivery_is_accepted_for_five_minutes(delivery: Dict[str, Any]) -> None:
    for seconds in (-300, 300):
        assert verify_webhook(
            delivery["body"], delivery["headers"], delivery["secret"], now=at(delivery, seconds)
        )


@pytest.mark.parametrize(
    "change",
    [
        {"body": "another"},
        {"secret": "another"},
        {"secret": []},
        {"now": 301},
        {"now": -301},
        {"now": 11, "tolerance_seconds": 10},
        {"headers": {}},
        {"signature": ""},
        {"signature": "sha256=00"},
        {"timestamp": "١٢"},
        {"timestamp": "1e9"},
    ],
)
def test_a_delivery_that_was_changed_or_is_old_is_rejected(
    delivery: Dict[str, Any], change: Dict[str, Any]
) -> None:
    body = delivery["body"].replace("contact.created", "contact.deleted") if "body" in change else None
    headers = dict(change.get("headers", delivery["headers"]))
    for name in ("signature", "timestamp"):
        if name in change:
            headers[f"x-webhook-{name}"] = change[name]
    with pytest.raises(WebhookError):
        verify_webhook(
            body or delivery["body"],
            headers,
            change.get("secret", delivery["secret"]),
            now=at(delivery, change.get("now", 0)),
            tolerance_seconds=change.get("tolerance_seconds", 300),
        )
