"""Lists that continue on further pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generic, Iterator, List, Optional, TypeVar

from .errors import ParleyError

Page = TypeVar("Page")
Entry = TypeVar("Entry")

NextQuery = Callable[[Dict[str, Any]], Optional[Dict[str, Any]]]
"""Returns the fields of the query of the next page; None after the last page."""


def next_cursor(page: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """Return the query after a page of a list that continues from `nextCursor`."""
    if "nextCursor" not in page:
        raise ParleyError("The list has no nextCursor.")
    cursor = page["nextCursor"]
    return None if cursor is None else {"cursor": cursor}


def next_number(page: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """Return the query after a page of a list with numbered pages."""
    number = int(page["page"])
    return {"page": number + 1} if number * page["pageSize"] < page["total"] else None


class Entries(Generic[Page, Entry]):
    """The entries of a list. Iteration requests the pages as they are needed."""

    def __init__(self, load: Callable[[Dict[str, Any]], Any], field: str, next_query: NextQuery) -> None:
        """Create a list; `load` returns the page of a query, and `field` names its entries."""
        self._load = load
        self._field = field
        self._next_query = next_query

    def first_page(self) -> Page:
        """Return the first page."""
        page: Page = self._load({})
        return page

    def pages(self) -> Iterator[Page]:
        """Return the pages in turn."""
        query: Optional[Dict[str, Any]] = {}
        while query is not None:
            page = self._load(query)
            yield page
            query = self._next_query(page)

    def __iter__(self) -> Iterator[Entry]:
        """Return the entries of all pages in turn."""
        pages: Iterator[Any] = self.pages()
        for page in pages:
            yield from page[self._field]

    def to_list(self, limit: Optional[int] = None) -> List[Entry]:
        """Return the entries of all pages, at most `limit` of them."""
        entries: List[Entry] = []
        if limit is not None and limit < 1:
            return entries
        for entry in self:
            entries.append(entry)
            if len(entries) == limit:
                break
        return entries


class AsyncEntries(Generic[Page, Entry]):
    """The entries of a list. `async for` requests the pages as they are needed."""

    def __init__(
        self, load: Callable[[Dict[str, Any]], Awaitable[Any]], field: str, next_query: NextQuery
    ) -> None:
        """Create a list; `load` returns the page of a query, and `field` names its entries."""
        self._load = load
        self._field = field
        self._next_query = next_query

    async def first_page(self) -> Page:
        """Return the first page."""
        page: Page = await self._load({})
        return page

    async def pages(self) -> AsyncIterator[Page]:
        """Return the pages in turn."""
        query: Optional[Dict[str, Any]] = {}
        while query is not None:
            page = await self._load(query)
            yield page
            query = self._next_query(page)

    async def __aiter__(self) -> AsyncIterator[Entry]:
        """Return the entries of all pages in turn."""
        pages: AsyncIterator[Any] = self.pages()
        async for page in pages:
            for entry in page[self._field]:
                yield entry

    async def to_list(self, limit: Optional[int] = None) -> List[Entry]:
        """Return the entries of all pages, at most `limit` of them."""
        entries: List[Entry] = []
        if limit is not None and limit < 1:
            return entries
        async for entry in self:
            entries.append(entry)
            if len(entries) == limit:
                break
        return entries
