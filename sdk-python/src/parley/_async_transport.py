"""Sends the requests of an asynchronous client, by the rules of `_transport.py`."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Dict, Mapping, Optional

import httpx

from ._lists import AsyncEntries, NextQuery
from ._options import Settings
from ._request import Read, Request, bytes_of, json_of, link_request, reply_of, request_of
from ._response import Response
from ._retry import wait_seconds
from .errors import NoResponseError, ParleyError


class AsyncTransport:
    """Sends requests with httpx, and returns replies."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient, *, with_responses: bool = False) -> None:
        """Create a transport; with `with_responses`, its methods return replies with their responses."""
        self._settings = settings
        self._http = http
        self._with_responses = with_responses

    def of_responses(self) -> AsyncTransport:
        """Return a transport whose methods return replies with their responses."""
        return AsyncTransport(self._settings, self._http, with_responses=True)

    async def json(
        self,
        method: str,
        path: str,
        options: Mapping[str, Any],
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        form: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Request data."""
        request = request_of(self._settings, method, path, options, query=query, body=body, form=form)
        return self._reply(await self._send(request, json_of))

    async def file(
        self, path: str, options: Mapping[str, Any], *, query: Optional[Mapping[str, Any]] = None
    ) -> Any:
        """Request a file."""
        request = request_of(self._settings, "GET", path, options, query=query)
        return self._reply(await self._send(request, bytes_of))

    async def linked_file(self, path: str, options: Mapping[str, Any]) -> Any:
        """Request the file whose signed link the API returns."""
        link = (await self._send(request_of(self._settings, "GET", path, options), json_of)).data
        return self._reply(await self._send(link_request(self._settings, link["url"], options), bytes_of))

    def list(
        self,
        path: str,
        field: str,
        next_query: NextQuery,
        options: Mapping[str, Any],
        *,
        query: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Request a list: its pages when they are needed, or immediately its first page with the response."""

        def load(more: Dict[str, Any]) -> Awaitable[Any]:
            return self.json("GET", path, options, query={**(query or {}), **more})

        return load({}) if self._with_responses else AsyncEntries(load, field, next_query)

    def _reply(self, response: Response[Any]) -> Any:
        return response if self._with_responses else response.data

    async def _send(self, request: Request, read: Read) -> Response[Any]:
        attempt = 1
        while True:
            try:
                return await self._try_once(request, read)
            except ParleyError as error:
                seconds = wait_seconds(error, attempt) if attempt < request.max_attempts else None
                if seconds is None:
                    raise
            await asyncio.sleep(seconds)
            attempt += 1

    async def _try_once(self, request: Request, read: Read) -> Response[Any]:
        try:
            response = await self._http.request(**request.arguments())
        except httpx.RequestError as error:
            raise NoResponseError(request.idempotency_key) from error
        return reply_of(response, request, read)
