import { type GraphAnswer, graphError } from './graph-errors.ts'

const defaultLimit = 25
const maxLimit = 1000

/** A page of a list, with the operator's cursors: opaque to the caller, here the key of an item. */
export type GraphPage = {
  data: Record<string, unknown>[]
  paging?: { cursors: { before: string; after: string }; next?: string; previous?: string }
}

/**
 * The page of `items` that `limit`, `after` and `before` ask for. `keyOf` is what a cursor remembers of an item; one
 * whose item is gone starts at the beginning. `url` is the address of this list, for `next`.
 */
export function pageOf(
  items: Record<string, unknown>[],
  values: Record<string, unknown>,
  { keyOf, url }: { keyOf: (item: Record<string, unknown>) => string; url: string },
): { ok: true; page: GraphPage } | { ok: false; answer: GraphAnswer } {
  const limit = values.limit === undefined ? defaultLimit : Number(values.limit)
  if (!Number.isInteger(limit) || limit < 0)
    return { ok: false, answer: graphError(100, '(#100) Param limit must be a positive integer') }
  const size = Math.min(limit, maxLimit)
  const at = (cursor: unknown): number =>
    typeof cursor === 'string' ? items.findIndex((item) => keyOf(item) === readCursor(cursor)) : -1
  const before = at(values.before)
  const start = before >= 0 ? Math.max(0, before - size) : at(values.after) + 1
  const data = items.slice(start, before >= 0 ? before : start + size)
  const [first, last] = [data[0], data.at(-1)]
  if (first === undefined || last === undefined) return { ok: true, page: { data } }
  const cursors = { before: cursorOf(keyOf(first)), after: cursorOf(keyOf(last)) }
  const more = start + data.length < items.length
  return {
    ok: true,
    page: {
      data,
      paging: {
        cursors,
        ...(more ? { next: `${url}?limit=${size}&after=${cursors.after}` } : {}),
        ...(start > 0 ? { previous: `${url}?limit=${size}&before=${cursors.before}` } : {}),
      },
    },
  }
}

const cursorOf = (key: string): string => Buffer.from(key, 'utf8').toString('base64url')
const readCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8')
