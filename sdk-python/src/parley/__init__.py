"""
The Python SDK of Parley.

Types of requests and replies are in `parley.types`, types of events in `parley.events`.
"""

from typing import TYPE_CHECKING, Any

from ._client import Parley
from ._files import FileContent
from ._lists import AsyncEntries, Entries
from ._options import OMIT, Omit, ReadOptions, WriteOptions
from ._response import Response
from ._version import VERSION as __version__
from ._webhook import verify_webhook
from .errors import (
    APIError,
    AuthenticationError,
    ConflictError,
    Issue,
    NoResponseError,
    NotFoundError,
    ParleyError,
    PermissionDeniedError,
    PlanError,
    RateLimitError,
    ServerError,
    UnconfirmedError,
    ValidationError,
    WebhookError,
)

if TYPE_CHECKING:
    from ._async_client import AsyncParley

__all__ = [
    "OMIT",
    "APIError",
    "AsyncEntries",
    "AsyncParley",
    "AuthenticationError",
    "ConflictError",
    "Entries",
    "FileContent",
    "Issue",
    "NoResponseError",
    "NotFoundError",
    "Omit",
    "Parley",
    "ParleyError",
    "PermissionDeniedError",
    "PlanError",
    "RateLimitError",
    "ReadOptions",
    "Response",
    "ServerError",
    "UnconfirmedError",
    "ValidationError",
    "WebhookError",
    "WriteOptions",
    "__version__",
    "verify_webhook",
]


def __getattr__(name: str) -> Any:
    """Load the asynchronous client when a program uses it: most programs need only one client."""
    if name == "AsyncParley":
        from ._async_client import AsyncParley

        return AsyncParley
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
