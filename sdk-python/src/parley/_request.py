"""Makes the requests of both clients."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional
from urllib.parse import quote, urlencode

import httpx

from ._files import Part, form_of
from ._options import Settings, without_omitted
from ._response import Response
from .errors import NoResponseError, ParleyError, error_of

Read = Callable[[httpx.Response], Any]
"""Returns the data of a successful response."""

# Values that a path cannot contain: httpx would request another path.
_NOT_AN_ID = ("", ".", "..", "None")


def path_part(value: str) -> str:
    """Return an id as it is written in a path. Raises a ParleyError if it would change the path."""
    text = str(value)
    if text in _NOT_AN_ID:
        raise ParleyError(f"The id of the path must not be `{text}`.")
    return quote(text, safe="")


def _query_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _query_of(query: Mapping[str, Any]) -> str:
    values = {name: _query_text(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(values)}" if values else ""


@dataclass(frozen=True)
class Request:
    """One request, which may be sent several times."""

    method: str
    url: str
    headers: Dict[str, str]
    timeout: float
    max_attempts: int
    idempotency_key: Optional[str] = None
    content: Optional[bytes] = None
    texts: Optional[Dict[str, str]] = None
    files: Optional[Dict[str, Part]] = None

    def arguments(self) -> Dict[str, Any]:
        """Return the arguments of httpx."""
        return {
            "method": self.method,
            "url": self.url,
            "headers": self.headers,
            "timeout": httpx.Timeout(self.timeout),
            "content": self.content,
            "data": self.texts,
            "files": self.files,
            # A redirected write would become a read.
            "follow_redirects": self.method == "GET",
        }


def request_of(
    settings: Settings,
    method: str,
    path: str,
    options: Mapping[str, Any],
    *,
    query: Optional[Mapping[str, Any]] = None,
    body: Optional[Mapping[str, Any]] = None,
    form: Optional[Mapping[str, Any]] = None,
) -> Request:
    """Return a request of the API. `path` starts after `/api/v1`, with encoded ids."""
    is_write = method != "GET"
    key = (options.get("idempotency_key") or str(uuid.uuid4())) if is_write else None
    headers = dict(settings.headers)
    content = None
    if key is not None:
        headers["idempotency-key"] = key
    if body is not None:
        headers["content-type"] = "application/json"
        content = json.dumps(without_omitted(body), allow_nan=False).encode()
    texts, files = form_of(without_omitted(form)) if form is not None else (None, None)
    return Request(
        method=method,
        url=f"{settings.base}{path}{_query_of(without_omitted(query or {}))}",
        headers=headers,
        timeout=options.get("timeout", settings.timeout),
        max_attempts=options.get("max_attempts", settings.max_attempts),
        idempotency_key=key,
        content=content,
        texts=texts,
        files=files,
    )


def link_request(settings: Settings, url: str, options: Mapping[str, Any]) -> Request:
    """Return the request of a signed link, which needs no key and gets none."""
    return Request(
        method="GET",
        url=url,
        headers={"user-agent": settings.headers["user-agent"]},
        timeout=options.get("timeout", settings.timeout),
        max_attempts=options.get("max_attempts", settings.max_attempts),
    )


def json_of(response: httpx.Response) -> Any:
    """Return the JSON of a response; None if it has no content."""
    return None if response.status_code == 204 else response.json()


def bytes_of(response: httpx.Response) -> bytes:
    """Return the file of a response."""
    return response.content


def reply_of(response: httpx.Response, request: Request, read: Read) -> Response[Any]:
    """Return the reply of a successful response; raise the error of any other."""
    if not response.is_success:
        raise error_of(response.status_code, response.headers, response.content)
    try:
        return Response(read(response), response)
    except ValueError as error:
        # Not JSON: something else than Parley responded.
        raise NoResponseError(request.idempotency_key) from error
