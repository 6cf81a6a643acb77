"""
Sends the requests of a client.

Writes have an Idempotency-Key, and are retried with the same key if no response arrived or the API asked to wait
(specification 4.1, 8.1).
"""

from __future__ import annotations

import time
from typing import Any, Dict, Mapping, Optional

import httpx

from ._lists import Entries, NextQuery
from ._options import Settings
from ._request import Read, Request, bytes_of, json_of, link_request, reply_of, request_of
from ._response import Response
from ._retry import wait_seconds
from .errors import NoResponseError, ParleyError


class Transport:
    """Sends requests with httpx, and returns replies."""

    def __init__(self, settings: Settings, http: httpx.Client, *, with_responses: bool = False) -> None:
        """Create a transport; with `with_responses`, its methods return replies with their responses."""
        self._settings = settings
        self._http = http
        self._with_responses = with_responses

    def of_responses(self) -> Transport:
        """Return a transport whose methods return replies with their responses."""
        return Transport(self._settings, self._http, with_responses=True)

    def json(
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
        return self._reply(self._send(request, json_of))

    def file(
        self, path: str, options: Mapping[str, Any], *, query: Optional[Mapping[str, Any]] = None
    ) -> Any:
        """Request a file."""
        return self._reply(
            self._send(request_of(self._settings, "GET", path, options, query=query), bytes_of)
        )

    def linked_file(self, path: str, options: Mapping[str, Any]) -> Any:
        """Request the file whose signed link the API returns."""
        link = self._send(request_of(self._settings, "GET", path, options), json_of).data
        return self._reply(self._send(link_request(self._settings, link["url"], options), bytes_of))

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

        def load(more: Dict[str, Any]) -> Any:
            return self.json("GET", path, options, query={**(query or {}), **more})

        return load({}) if self._with_responses else Entries(load, field, next_query)

    def _reply(self, response: Response[Any]) -> Any:
        return response if self._with_responses else response.data

    def _send(self, request: Request, read: Read) -> Response[Any]:
        attempt = 1
        while True:
            try:
                return self._try_once(request, read)
            except ParleyError as error:
                seconds = wait_seconds(error, attempt) if attempt < request.max_attempts else None
                if seconds is None:
                    raise
            time.sleep(seconds)
            attempt += 1

    def _try_once(self, request: Request, read: Read) -> Response[Any]:
        try:
            response = self._http.request(**request.arguments())
        except httpx.RequestError as error:
            raise NoResponseError(request.idempotency_key) from error
        return reply_of(response, request, read)
