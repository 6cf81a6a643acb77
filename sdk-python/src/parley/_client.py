"""The client for programs without asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

import httpx

from ._options import MAX_ATTEMPTS, TIMEOUT_SECONDS, settings_of
from ._resources import Resources
from ._transport import Transport


class Parley(Resources):
    """
    A client of an installation of Parley.

        parley = Parley(base_url="https://parley.example.com", api_key="par_...")
        parley.messages.send(to="+919812345678", type="text", text="Hello")

    Use one client for a whole program: it keeps its connections open, and threads can share it.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        timeout: float = TIMEOUT_SECONDS,
        max_attempts: int = MAX_ATTEMPTS,
        user_agent: Optional[str] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """
        Create a client.

        Args:
            base_url: The address of the installation, with or without `/api/v1`. Default: PARLEY_URL.
            api_key: An API key. Default: PARLEY_API_KEY.
            timeout: Seconds that an attempt waits for a connection, and for each part of the response.
            max_attempts: The maximum number of attempts for a request.
            user_agent: The name and version of your program: `my-shop/1.2`.
            http_client: Your own httpx client, for example with a proxy. You close it.

        Raises:
            ParleyError: An option is missing.
        """
        settings = settings_of(base_url, api_key, timeout, max_attempts, user_agent)
        self._http = http_client or httpx.Client()
        self._owns_http = http_client is None
        super().__init__(Transport(settings, self._http))

    def close(self) -> None:
        """Close the connections of the client."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Parley:
        """Return the client."""
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Close the connections of the client."""
        self.close()
