"""The client for asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

import httpx

from ._async_resources import AsyncResources
from ._async_transport import AsyncTransport
from ._options import MAX_ATTEMPTS, TIMEOUT_SECONDS, settings_of


class AsyncParley(AsyncResources):
    """
    A client for asyncio, with the methods of `Parley`.

        async with AsyncParley() as parley:
            await parley.messages.send(to="+919812345678", type="text", text="Hello")
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        timeout: float = TIMEOUT_SECONDS,
        max_attempts: int = MAX_ATTEMPTS,
        user_agent: Optional[str] = None,
        http_client: Optional[httpx.AsyncClient] = None,
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
        self._http = http_client or httpx.AsyncClient()
        self._owns_http = http_client is None
        super().__init__(AsyncTransport(settings, self._http))

    async def close(self) -> None:
        """Close the connections of the client."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncParley:
        """Return the client."""
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Close the connections of the client."""
        await self.close()
