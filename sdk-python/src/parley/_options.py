"""The options of the client and of each request."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

from ._typing import TypedDict
from ._version import VERSION
from .errors import ParleyError

TIMEOUT_SECONDS = 30.0
MAX_ATTEMPTS = 4


class Omit:
    """The type of `OMIT`."""

    def __repr__(self) -> str:
        """Return `OMIT`."""
        return "OMIT"


OMIT = Omit()
"""The default of an optional argument: the request does not contain the field. `None` is sent as null."""


def without_omitted(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """Return the fields of a request that have a value."""
    return {name: value for name, value in fields.items() if not isinstance(value, Omit)}


class ReadOptions(TypedDict, total=False):
    """The options of a request that reads."""

    timeout: float
    """Seconds that an attempt waits for a connection, and for each part of the response. Default: the client's."""
    max_attempts: int
    """The maximum number of attempts. Default: the client's."""


class WriteOptions(ReadOptions, total=False):
    """The options of a request that writes."""

    idempotency_key: str
    """The key with which the write is done only once. Default: a new key."""


@dataclass(frozen=True)
class Settings:
    """The settings of a client."""

    base: str
    headers: Dict[str, str]
    timeout: float
    max_attempts: int


def _required(value: Optional[str], name: str, variable: str) -> str:
    found = value or os.environ.get(variable)
    if not found:
        raise ParleyError(f"Give `{name}` to the client, or set {variable}.")
    return found


def _base_of(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise ParleyError("`base_url` must start with `https://` or `http://`.")
    whole = url.rstrip("/")
    return whole if whole.endswith("/api/v1") else f"{whole}/api/v1"


def settings_of(
    base_url: Optional[str],
    api_key: Optional[str],
    timeout: float,
    max_attempts: int,
    user_agent: Optional[str],
) -> Settings:
    """Return the settings of a client. Raises a ParleyError if an option is missing."""
    own_agent = f"parley-sdk-python/{VERSION}"
    return Settings(
        base=_base_of(_required(base_url, "base_url", "PARLEY_URL")),
        headers={
            "authorization": f"Bearer {_required(api_key, 'api_key', 'PARLEY_API_KEY')}",
            "user-agent": f"{user_agent} {own_agent}" if user_agent else own_agent,
        },
        timeout=timeout,
        max_attempts=max_attempts,
    )
