"""Decides when a request is sent again (specification 4.1, 8.1)."""

from __future__ import annotations

import random
from typing import Optional

from .errors import APIError, NoResponseError, ParleyError

_FIRST_WAIT_SECONDS = 0.25
# If the API asks to wait longer than this, the caller receives the error.
_MAX_WAIT_SECONDS = 60
# Temporary errors. A 502 of the API means that the result is unknown: the same key returns the same response.
_PASSING_STATUSES = (429, 500, 503)
_PASSING_CODES = ("idempotency_key_in_progress",)
# Errors of a gateway that could not reach the API.
_GATEWAY_STATUSES = (502, 504)


def _is_passing(error: ParleyError) -> bool:
    if not isinstance(error, APIError):
        return isinstance(error, NoResponseError)
    return (
        error.status in _PASSING_STATUSES
        or error.code in _PASSING_CODES
        or (error.code == "" and error.status in _GATEWAY_STATUSES)
    )


def wait_seconds(error: ParleyError, attempt: int) -> Optional[float]:
    """Return how long to wait after this number of attempts; None if another attempt is useless."""
    if not _is_passing(error):
        return None
    seconds = error.retry_after_seconds if isinstance(error, APIError) else None
    if seconds is not None:
        return seconds if seconds <= _MAX_WAIT_SECONDS else None
    return float(_FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * (1 + random.random()))
