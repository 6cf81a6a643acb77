"""The errors that the SDK raises. Each is a ParleyError."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Type

from ._typing import TypedDict


class ParleyError(Exception):
    """The base class of all errors of the SDK."""


class Issue(TypedDict):
    """An error in one field of a request."""

    path: str
    """The position of the field: `tags[3]`."""
    message: str
    """What is wrong with the field."""


class APIError(ParleyError):
    """An error response of the API. Its subclasses tell apart the errors that programs handle differently."""

    status: int
    """The HTTP status."""
    code: str
    """The error code, such as `contact_opted_out`; empty if a gateway responded. New codes may be added."""
    message: str
    """The explanation for people."""
    issues: List[Issue]
    """The errors by field, for example if `code` is `invalid`."""
    request_id: Optional[str]
    """For the administrator of the installation: identifies the request in the log."""
    retry_after_seconds: Optional[int]
    """The seconds to wait before the next attempt, if the response contains them."""
    doc_url: Optional[str]
    """The address of the page about this error, if the response contains it."""
    body: Dict[str, Any]
    """The whole body, which has more details for some errors."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Dict[str, Any]) -> None:
        """Create the error of a response."""
        self.status = status
        self.code = _text_of(body.get("error")) or ""
        self.message = _text_of(body.get("message")) or f"The API responded with {status}."
        issues = body.get("issues")
        self.issues = issues if isinstance(issues, list) else []
        self.request_id = headers.get("x-request-id")
        retry_after = headers.get("retry-after", "")
        self.retry_after_seconds = int(retry_after) if _is_whole(retry_after) else None
        self.doc_url = _text_of(body.get("docUrl"))
        self.body = body
        super().__init__(self._text())

    def _text(self) -> str:
        where = "".join(f"\n  {issue.get('path')}: {issue.get('message')}" for issue in self.issues)
        code = f" ({self.code})" if self.code else ""
        return f"{self.message}{code}{where}"

    def __reduce__(self) -> Any:
        """Make the error survive a queue between processes."""
        headers = {"x-request-id": self.request_id, "retry-after": self.retry_after_seconds}
        texts = {name: str(value) for name, value in headers.items() if value is not None}
        return type(self), (self.status, texts, self.body)


class ValidationError(APIError):
    """400, 413, 415, or 422: the request is not valid. `issues` names its fields."""


class AuthenticationError(APIError):
    """401: the API key is missing, unknown, revoked, or expired."""


class PlanError(APIError):
    """402: the plan of the workspace does not include the request, or its limit is reached."""


class PermissionDeniedError(APIError):
    """403: the key lacks a scope, a role, or an allowed address."""


class NotFoundError(APIError):
    """404: the workspace has no object with this id."""


class ConflictError(APIError):
    """409: the request conflicts with an existing record or its state."""


class RateLimitError(APIError):
    """429: too many requests. The SDK waits and retries first, if the wait is at most a minute."""


class ServerError(APIError):
    """500 or above: Parley, the operator, or a gateway failed."""


class UnconfirmedError(ServerError):
    """502: the message may or may not have been sent. Do not send it again without checking."""


class NoResponseError(ParleyError):
    """No response arrived in any attempt: the request may have been carried out or not."""

    idempotency_key: Optional[str]
    """For a write: sending it again with this key within a day does it only once."""

    def __init__(self, idempotency_key: Optional[str] = None) -> None:
        """Create the error of a request; its cause is the last failure."""
        super().__init__("The API did not respond.")
        self.idempotency_key = idempotency_key

    def __reduce__(self) -> Any:
        """Make the error survive a queue between processes."""
        return type(self), (self.idempotency_key,)


class WebhookError(ParleyError):
    """The delivery is not from Parley, was changed on its way, or is too old."""


_CLASSES: Dict[int, Type[APIError]] = {
    400: ValidationError,
    401: AuthenticationError,
    402: PlanError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitError,
}
_UNCONFIRMED = ("send_unconfirmed", "reply_unconfirmed")


def _text_of(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _class_of(status: int, code: object) -> Type[APIError]:
    if code in _UNCONFIRMED:
        return UnconfirmedError
    return _CLASSES.get(status, ServerError if status >= 500 else APIError)


def error_of(status: int, headers: Mapping[str, str], content: bytes) -> APIError:
    """Return the error of a response that is not successful."""
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    fields = body if isinstance(body, dict) else {}
    return _class_of(status, fields.get("error"))(status, headers, fields)
