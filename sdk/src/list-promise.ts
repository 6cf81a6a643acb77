/** The promise that lists return: of the first page, and an iteration over the entries of all pages. */
import { ReplyPromise, type WithResponse } from './reply-promise.ts'

/** Loads the page after this one; undefined after the last page. */
export type NextPage<Page> = (page: Page) => Promise<WithResponse<Page>> | undefined

/**
 * A promise of the first page of a list. `for await (const entry of list)` reads the entries of all pages, and
 * `for await (const page of list.pages())` reads the pages.
 */
export class ListPromise<Page, Entry> extends ReplyPromise<Page> implements AsyncIterable<Entry> {
  readonly #next: NextPage<Page>
  readonly #entriesOf: (page: Page) => readonly Entry[]

  constructor(
    first: Promise<WithResponse<Page>>,
    next: NextPage<Page>,
    entriesOf: (page: Page) => readonly Entry[],
  ) {
    super(first)
    this.#next = next
    this.#entriesOf = entriesOf
  }

  /** Returns the pages in turn, each requested when it is needed. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page: Promise<WithResponse<Page>> | undefined = this.withResponse()
    while (page) {
      const { data }: WithResponse<Page> = await page
      yield data
      page = this.#next(data)
    }
  }

  /** Returns the entries of all pages in turn. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const page of this.pages()) yield* this.#entriesOf(page)
  }

  /** Returns the entries of all pages as an array, at most `limit` of them. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): Promise<Entry[]> {
    const entries: Entry[] = []
    if (limit < 1) return entries
    for await (const entry of this) if (entries.push(entry) >= limit) break
    return entries
  }
}
