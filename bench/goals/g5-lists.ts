/**
 * G5: compares the cost of a page in a workspace of a million rows (or `--rows`) with the same page among ten
 * thousand.
 */
import type { Arena } from '../ground/arena.ts'
import { compareSides, type Side } from '../ground/compared-pages.ts'
import { getRequest } from '../ground/requests.ts'
import { startService } from '../ground/service.ts'
import { addManyRows, RARE_NAME } from '../seeds/many-rows.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const CURSORS = 300
const TARGET = 1.25
/** docs/reliability.md 3, L4. */
const COMMON_SEARCH_P99_MS = 100

const PREFIX_SEARCH = 'contacts, search +9198 (all of them)'

async function openSide(arena: Arena, rows: number): Promise<Side> {
  const database = await arena.database(`g5_${rows}`)
  const [shop] = await makeShops(database, 1, 'unlimited')
  arena.say(`  ${rows} contacts, conversations and messages …`)
  await addManyRows(database, shop!, rows)
  const picked = await database.sql<{ id: string; phone: string }>(
    'select id, phone from contacts order by random() limit $1',
    [CURSORS],
  )
  const get = (path: string) => getRequest(path, shop!.apiKey)
  const pages: Side['pages'] = {
    'contacts, first page': [get('/contacts')],
    'contacts, random cursor': picked.map(({ id }) => get(`/contacts?cursor=${id}`)),
    'contacts, by phone': picked.map(({ phone }) => get(`/contacts?phone=${encodeURIComponent(phone)}`)),
    'contacts, search a rare name': [get(`/contacts?search=${RARE_NAME}`)],
    [PREFIX_SEARCH]: [get('/contacts?search=%2B9198')],
    'conversations, first page': [get('/conversations')],
    'messages, first page': [get('/messages')],
  }
  // Thousands of reads of one workspace: its bucket is not measured here.
  return { service: await startService(arena, database, { roles: 'web', limiter: false }), pages }
}

export const measureLists: Goal = async (arena, { rows }) => {
  const comparison = { goal: 'G5', max: arena.quick ? 60 : CURSORS, target: TARGET, rows }
  const figures = await compareSides(
    arena,
    comparison,
    (rowCount) => openSide(arena, rowCount),
    (page) => (page === PREFIX_SEARCH ? { p99Ms: COMMON_SEARCH_P99_MS } : {}),
  )
  return { figures }
}
