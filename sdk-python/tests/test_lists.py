from typing import Callable

import httpx
import pytest

from parley import Parley, ParleyError

from .conftest import Observed, Phone

Observe = Callable[..., Observed]


def test_entries_come_in_turn_each_once(observe: Observe, phone: Phone) -> None:
    observed = observe()
    phones = [phone() for _ in range(7)]
    for number in phones:
        observed.parley.contacts.create(phone=number)
    before = len(observed.requests)
    listed = [contact["e164"] for contact in observed.parley.contacts.list(limit=3).to_list(limit=7)]
    assert listed == phones[::-1]
    assert len(observed.requests) - before == 3


def test_a_list_requests_nothing_until_it_is_read(observe: Observe, phone: Phone) -> None:
    observed = observe()
    for _ in range(3):
        observed.parley.contacts.create(phone=phone())
    contacts = observed.parley.contacts.list(limit=2)
    assert len(observed.requests) == 3
    assert len(contacts.first_page()["contacts"]) == 2
    assert contacts.first_page()["nextCursor"]
    pages = contacts.pages()
    assert [len(next(pages)["contacts"]), len(next(pages)["contacts"]) > 0] == [2, True]
    assert contacts.to_list(limit=0) == []


def test_numbered_pages_are_read_the_same_way(observe: Observe, phone: Phone) -> None:
    observed = observe()
    for _ in range(5):
        observed.parley.leads.capture(phone=phone())
    total = observed.parley.leads.list(page_size=2).first_page()["total"]
    before = len(observed.requests)
    ids = {lead["id"] for lead in observed.parley.leads.list(page_size=2)}
    assert len(ids) == total
    assert len(observed.requests) - before == (total + 1) // 2


def test_the_first_page_comes_with_its_response_on_request(parley: Parley) -> None:
    raw = parley.contacts.with_raw_response.list(limit=1)
    assert len(raw.data["contacts"]) == 1
    assert raw.request_id


def test_a_list_without_a_cursor_ends_with_an_error(observe: Observe) -> None:
    observed = observe(lambda _, forward: httpx.Response(200, json={"contacts": []}))
    with pytest.raises(ParleyError, match="nextCursor"):
        observed.parley.contacts.list().to_list()


def test_values_of_a_query_are_written_as_the_api_reads_them(observe: Observe) -> None:
    observed = observe()
    observed.parley.contacts.list(limit=1, search="a&b é").first_page()
    observed.parley.conversations.list(unread=True, limit=1).first_page()
    assert observed.requests[0].url.query == b"limit=1&search=a%26b+%C3%A9"
    assert b"unread=true" in observed.requests[1].url.query
