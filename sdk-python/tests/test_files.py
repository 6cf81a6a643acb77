import io
from pathlib import Path
from typing import Callable

import httpx
import pytest

from parley import Parley

from .conftest import Forward, Observed, Phone

PDF = b"%PDF-1.4\n%%EOF\n"


def as_bytes(folder: Path) -> bytes:
    return PDF


def as_path(folder: Path) -> Path:
    path = folder / "menu.pdf"
    path.write_bytes(PDF)
    return path


def as_open_file(folder: Path) -> io.BufferedReader:
    return as_path(folder).open("rb")


def as_stream(folder: Path) -> io.BytesIO:
    return io.BytesIO(PDF)


@pytest.mark.parametrize("make", [as_bytes, as_path, as_open_file, as_stream])
def test_a_file_is_uploaded_and_downloaded_from_the_message(
    parley: Parley, phone: Phone, tmp_path: Path, make: Callable[[Path], bytes]
) -> None:
    number = phone()
    parley.sandbox.receive_message(from_=number, text="Hello")
    file = parley.media.upload(file=make(tmp_path), mime_type="application/pdf", filename="price list.pdf")
    sent = parley.messages.send(
        to=number,
        type="document",
        payload={"type": "document", "document": {"id": file["id"], "filename": "menu.pdf"}},
    )
    parley.sandbox.advance_clock(advance_seconds=5)
    assert parley.messages.download_media(sent["messageId"]) == PDF
    raw = parley.messages.with_raw_response.download_media(sent["messageId"])
    assert (raw.data, raw.status) == (PDF, 200)


def test_a_link_gets_no_key(observe: Callable[..., Observed], phone: Phone) -> None:
    observed = observe()
    number = phone()
    observed.parley.sandbox.receive_message(from_=number, text="Hello")
    file = observed.parley.media.upload(file=PDF, mime_type="application/pdf")
    sent = observed.parley.messages.send(
        to=number,
        type="document",
        payload={"type": "document", "document": {"id": file["id"], "filename": "menu.pdf"}},
    )
    observed.parley.sandbox.advance_clock(advance_seconds=5)
    observed.parley.messages.download_media(sent["messageId"])
    assert "authorization" in observed.requests[-2].headers
    assert "authorization" not in observed.requests[-1].headers


def test_an_upload_whose_answer_was_lost_is_sent_again_under_its_key(
    observe: Callable[..., Observed],
) -> None:
    def lose_an_answer(attempt: int, forward: Forward) -> httpx.Response:
        response = forward()
        if attempt > 1:
            return response
        response.read()
        response.close()
        raise httpx.ReadError("the connection was cut")

    observed = observe(lose_an_answer)
    reply = observed.parley.media.with_raw_response.upload(file=io.BytesIO(PDF), mime_type="application/pdf")
    assert reply.replayed
    assert len(set(observed.transport.keys())) == 1


def test_a_document_is_downloaded_as_bytes(parley: Parley) -> None:
    invoice = parley.sales_invoices.list(limit=1).to_list(limit=1)[0]
    assert parley.sales_invoices.download(invoice["id"], format="pdf").startswith(b"%PDF-")
    assert b"<html" in parley.sales_invoices.download(invoice["id"], format="html")
    assert parley.sales_invoices.get(invoice["id"])["invoice"]["id"] == invoice["id"]
