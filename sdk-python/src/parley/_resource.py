"""The parts of resources that are written by hand."""

from __future__ import annotations

from ._async_transport import AsyncTransport
from ._options import ReadOptions
from ._request import path_part
from ._transport import Transport
from ._typing import Unpack
from ._webhook import verify_webhook


class Resource:
    """A group of methods of the client."""

    def __init__(self, transport: Transport) -> None:
        """Create the methods of a transport."""
        self._transport = transport


class AsyncResource:
    """A group of methods of the asynchronous client."""

    def __init__(self, transport: AsyncTransport) -> None:
        """Create the methods of a transport."""
        self._transport = transport


class MessageFiles(Resource):
    """Methods of messages that need two requests."""

    def download_media(self, id: str, **request_options: Unpack[ReadOptions]) -> bytes:
        """
        Download the file of a message: a photo, a document, or a voice note.

        Args:
            id: Id of the message.
            **request_options: Options of the request.
        """
        file: bytes = self._transport.linked_file(f"/messages/{path_part(id)}/media", request_options)
        return file


class AsyncMessageFiles(AsyncResource):
    """Methods of messages that need two requests."""

    async def download_media(self, id: str, **request_options: Unpack[ReadOptions]) -> bytes:
        """
        Download the file of a message: a photo, a document, or a voice note.

        Args:
            id: Id of the message.
            **request_options: Options of the request.
        """
        file: bytes = await self._transport.linked_file(f"/messages/{path_part(id)}/media", request_options)
        return file


class WebhookVerification(Resource):
    """Methods of webhooks that need no request."""

    verify = staticmethod(verify_webhook)


class AsyncWebhookVerification(AsyncResource):
    """Methods of webhooks that need no request."""

    verify = staticmethod(verify_webhook)
