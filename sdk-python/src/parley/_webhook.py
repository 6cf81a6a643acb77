"""Verifies webhook deliveries (specification 6.2)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Any, Iterable, Optional, Protocol, Sequence, Tuple, Union, cast

from .errors import WebhookError

if TYPE_CHECKING:
    from .events import WebhookEvent

_MAX_AGE_SECONDS = 300
_SIGNATURE = re.compile(r"sha256=([0-9a-f]{64})")


class HeaderItems(Protocol):
    """The headers of a request: a dictionary, or the headers of any web framework."""

    def items(self) -> Iterable[Tuple[str, Any]]:
        """Return the names and the values."""
        ...


def _header_of(headers: HeaderItems, name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name:
            return value if isinstance(value, str) else ",".join(value)
    return ""


def verify_webhook(
    body: Union[bytes, str],
    headers: HeaderItems,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = _MAX_AGE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Return the event of a delivery after checking its signature and time.

    Deliveries arrive at least once: identify events by their `id`.

    Args:
        body: The body as received, byte for byte: not parsed and serialized again.
        headers: The headers of the request.
        secret: The signing secret of the endpoint; a list while you change from one secret to another.
        tolerance_seconds: The maximum difference between the signature's time and now.
        now: The current time in seconds. Default: the clock's.

    Raises:
        WebhookError: The delivery is not from Parley, was changed on its way, or is too old.
    """
    timestamp = _header_of(headers, "x-webhook-timestamp")
    if re.fullmatch("[0-9]+", timestamp) is None:
        raise WebhookError("The delivery has no x-webhook-timestamp.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookError("The delivery was signed too long ago, or its sender's clock is wrong.")
    # After a rotation there are two signatures, of which one matches.
    parts = _header_of(headers, "x-webhook-signature").split(",")
    signatures = [match.group(1) for part in parts if (match := _SIGNATURE.fullmatch(part.strip()))]
    content = body.encode() if isinstance(body, str) else bytes(body)
    for candidate in [secret] if isinstance(secret, str) else secret:
        expected = hmac.new(
            candidate.encode(), f"{timestamp}.".encode() + content, hashlib.sha256
        ).hexdigest()
        # All are compared, so that the time does not depend on which matches.
        if any([hmac.compare_digest(expected, signature) for signature in signatures]):
            return cast("WebhookEvent", json.loads(content))
    raise WebhookError("The signature is not that of the secret and the body.")
