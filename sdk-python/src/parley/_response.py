"""A reply with its response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Awaitable, Callable, Generic, Optional, TypeVar, cast

import httpx

from ._lists import AsyncEntries, Entries
from ._typing import ParamSpec

Data = TypeVar("Data")
Page = TypeVar("Page")
Entry = TypeVar("Entry")
Parameters = ParamSpec("Parameters")


@dataclass(frozen=True)
class Response(Generic[Data]):
    """A reply with the response that contained it."""

    data: Data
    """The reply, as the method returns it without `with_raw_response`."""
    http_response: httpx.Response
    """The response of httpx."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.http_response.status_code

    @property
    def headers(self) -> httpx.Headers:
        """The headers of the response."""
        return self.http_response.headers

    @property
    def request_id(self) -> Optional[str]:
        """Identifies the request in the log of the installation."""
        request_id: Optional[str] = self.http_response.headers.get("x-request-id")
        return request_id

    @property
    def replayed(self) -> bool:
        """Whether an earlier request with the same idempotency key made this reply."""
        return str(self.http_response.headers.get("idempotent-replayed")) == "true"


# The methods below belong to resources whose transport returns responses. Only their types say otherwise.


def with_response(method: Callable[Parameters, Data]) -> Callable[Parameters, Response[Data]]:
    """Return a method with the type that it has on a transport of responses."""
    return cast("Callable[Parameters, Response[Data]]", method)


def page_with_response(
    method: Callable[Parameters, Entries[Page, Entry]],
) -> Callable[Parameters, Response[Page]]:
    """Return a list's method with the type that it has on a transport of responses."""
    return cast("Callable[Parameters, Response[Page]]", method)


def async_with_response(
    method: Callable[Parameters, Awaitable[Data]],
) -> Callable[Parameters, Awaitable[Response[Data]]]:
    """Return a method with the type that it has on a transport of responses."""
    return cast("Callable[Parameters, Awaitable[Response[Data]]]", method)


def async_page_with_response(
    method: Callable[Parameters, AsyncEntries[Page, Entry]],
) -> Callable[Parameters, Awaitable[Response[Page]]]:
    """Return a list's method with the type that it has on a transport of responses."""
    return cast("Callable[Parameters, Awaitable[Response[Page]]]", method)
