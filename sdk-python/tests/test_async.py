import asyncio
from typing import Any, List

import httpx
import pytest

import parley as sdk
from parley import AsyncParley, NoResponseError, NotFoundError, Parley

from .conftest import Phone


class Transport(httpx.AsyncBaseTransport):
    """Loses the first answers, or never gives any."""

    def __init__(self, lost: int) -> None:
        self.requests: List[httpx.Request] = []
        self._lost = lost
        self._network = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        response = await self._network.handle_async_request(request)
        if len(self.requests) > self._lost:
            return response
        await response.aread()
        await response.aclose()
        raise httpx.ReadError("the connection was cut")


def test_the_methods_are_those_of_the_other_client() -> None:
    def public(value: Any) -> List[str]:
        return [name for name in dir(value) if not name.startswith("_")]

    one, other = Parley(), AsyncParley()
    assert public(one) == public(other)
    for name, resource in vars(one).items():
        if not name.startswith("_"):
            assert public(resource) == public(getattr(other, name)), name
            assert public(resource.with_raw_response) == public(getattr(other, name).with_raw_response)


def test_calls_run_beside_one_another(phone: Phone) -> None:
    async def work() -> None:
        async with AsyncParley() as parley:
            phones = [phone() for _ in range(5)]
            replies = await asyncio.gather(*(parley.contacts.create(phone=number) for number in phones))
            assert [reply["contact"]["e164"] for reply in replies] == phones
            contacts = parley.contacts.list(limit=2)
            listed = [contact["e164"] for contact in await contacts.to_list(limit=5)]
            assert set(listed) == set(phones)
            assert len((await contacts.first_page())["contacts"]) == 2
            entries = [contact async for contact in contacts]
            assert len(entries) >= 5
            assert await contacts.to_list(limit=0) == []
            raw = await parley.contacts.with_raw_response.list(limit=1)
            assert (len(raw.data["contacts"]), raw.status) == (1, 200)
            with pytest.raises(NotFoundError):
                await parley.contacts.get(phone())

    asyncio.run(work())


def test_a_write_whose_answer_was_lost_is_done_once(phone: Phone) -> None:
    async def work() -> None:
        transport = Transport(lost=1)
        async with httpx.AsyncClient(transport=transport) as http:
            parley = AsyncParley(http_client=http)
            reply = await parley.leads.with_raw_response.capture(phone=phone())
            assert reply.data["lead"]["captureCount"] == 1
            assert reply.replayed
            keys = {request.headers["idempotency-key"] for request in transport.requests}
            assert (len(keys), len(transport.requests)) == (1, 2)

    asyncio.run(work())


def test_a_request_without_an_answer_fails(phone: Phone) -> None:
    async def work() -> None:
        async with httpx.AsyncClient(transport=Transport(lost=9)) as http:
            with pytest.raises(NoResponseError) as raised:
                await AsyncParley(http_client=http, max_attempts=1).me()
            assert isinstance(raised.value.__cause__, httpx.ReadError)

    asyncio.run(work())


def test_files_are_uploaded_and_downloaded(phone: Phone) -> None:
    async def work() -> None:
        async with sdk.AsyncParley() as parley:
            number = phone()
            await parley.sandbox.receive_message(from_=number, text="Hello")
            file = await parley.media.upload(file=b"%PDF-1.4\n%%EOF\n", mime_type="application/pdf")
            sent = await parley.messages.send(
                to=number,
                type="document",
                payload={"type": "document", "document": {"id": file["id"], "filename": "menu.pdf"}},
            )
            await parley.sandbox.advance_clock(advance_seconds=5)
            assert (await parley.messages.download_media(sent["messageId"])).startswith(b"%PDF")

    asyncio.run(work())
