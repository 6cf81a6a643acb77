import type { SimulatedCall } from './call.ts'
import { type GraphAnswer, graphError } from './graph-errors.ts'
import { type NodeType, readFields } from './graph-fields.ts'

const defaultLimit = 25
const maxLimit = 1000

type Item = Record<string, unknown>

/** A page of a list with the operator's cursors: opaque to the caller, internally the key of an item. */
type GraphPage = {
  data: Item[]
  paging?: { cursors: { before: string; after: string }; next?: string; previous?: string }
}

/**
 * Returns the answer to a call about a list of nodes, with the requested fields; `more` is added next to the
 * page.
 */
export function listAnswer(
  call: SimulatedCall,
  type: NodeType,
  nodes: Item[],
  more: Record<string, unknown> = {},
): GraphAnswer {
  const read = readFields(type, call.values.fields, { listed: true })
  if (!read.ok) return read.answer
  const paged = pageOf(call, nodes, (node) => String(node.id))
  if (!paged.ok) return paged.answer
  const { data, paging } = paged.page
  return { status: 200, body: { data: data.map(read.show), paging, ...more } }
}

/** The parts of a call that form the addresses of other pages. */
type PagedCall = Pick<SimulatedCall, 'url' | 'version' | 'path' | 'token' | 'values'>

/**
 * Returns the page of `items` that `limit`, `after`, and `before` select. `keyOf` returns an item's key for
 * the cursor; the cursor of a deleted item starts at the beginning.
 */
export function pageOf(
  call: PagedCall,
  items: Item[],
  keyOf: (item: Item) => string,
): { ok: true; page: GraphPage } | { ok: false; answer: GraphAnswer } {
  const { values } = call
  const limit = values.limit === undefined ? defaultLimit : Number(values.limit)
  if (!Number.isInteger(limit) || limit < 0)
    return { ok: false, answer: graphError(100, '(#100) Param limit must be a positive integer') }
  const size = Math.min(limit, maxLimit)
  const indexOf = (cursor: unknown): number =>
    typeof cursor === 'string' ? items.findIndex((item) => keyOf(item) === readCursor(cursor)) : -1
  const before = indexOf(values.before)
  const start = before >= 0 ? Math.max(0, before - size) : indexOf(values.after) + 1
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
        ...(more ? { next: addressOf(call, { limit: size, after: cursors.after }) } : {}),
        ...(start > 0 ? { previous: addressOf(call, { limit: size, before: cursors.before }) } : {}),
      },
    },
  }
}

/** Returns the same request for another page; following it needs neither headers nor further parameters. */
function addressOf(
  { url, version, path, token, values }: PagedCall,
  place: { limit: number; after?: string; before?: string },
): string {
  const { after: _after, before: _before, ...others } = values
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...others, ...place, access_token: token }))
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return `${url}/${version}${path}?${query}`
}

const cursorOf = (key: string): string => Buffer.from(key, 'utf8').toString('base64url')
const readCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8')
