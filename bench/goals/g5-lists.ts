/** G5: what a page costs in a workspace of a million rows, against the same page among ten thousand. */
import type { Arena } from '../ground/arena.ts'
import { getRequest } from '../ground/requests.ts'
import { alternate } from '../ground/rounds.ts'
import { type Load, makeLoad, type Service, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import type { Template } from '../processes/load.ts'
import type { Figure, Ledger } from '../report.ts'
import { addManyRows, RARE_NAME } from '../seeds/many-rows.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const SMALL = 10_000
const CURSORS = 300
const TARGET = 1.25
/** RELIABILITY 3, L4. */
const COMMON_SEARCH_P99_MS = 100

type Pages = Record<string, Template[]>
type Side = { service: Service; pages: Pages }

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
  const pages: Pages = {
    'contacts, first page': [get('/contacts')],
    'contacts, random cursor': picked.map(({ id }) => get(`/contacts?cursor=${id}`)),
    'contacts, by phone': picked.map(({ phone }) => get(`/contacts?phone=${encodeURIComponent(phone)}`)),
    'contacts, search a rare name': [get(`/contacts?search=${RARE_NAME}`)],
    [PREFIX_SEARCH]: [get('/contacts?search=%2B9198')],
    'conversations, first page': [get('/conversations')],
    'messages, first page': [get('/messages')],
  }
  // Thousands of reads of one workspace: its bucket is not what is measured here.
  return { service: await startService(arena, database, { roles: 'web', limiter: false }), pages }
}

async function compare(arena: Arena, load: Load, page: string, small: Side, large: Side): Promise<Figure[]> {
  const most = arena.quick ? 60 : CURSORS
  const counts = { issued: 0, accepted: 0 }
  const p99s: number[] = []
  const p50 = async ({ service, pages }: Side) => {
    const plan = { port: service.port, connections: 1, seconds: 60, most, templates: pages[page]! }
    const result = await load.run(plan)
    counts.issued += result.issued
    counts.accepted += result.statuses[200] ?? 0
    if (result.oddAnswer) arena.say(`  ${page}: ${result.oddAnswer}`)
    if (service === large.service) p99s.push(result.latency.p99Ms)
    return result.latency.p50Ms
  }
  await p50(small)
  await p50(large)
  p99s.length = 0
  const rounds = await alternate(
    arena.quick ? 2 : 5,
    () => p50(small),
    () => p50(large),
  )
  const ledgers: Ledger[] = [{ what: page, whole: counts.issued, parts: { 'answered 200': counts.accepted } }]
  const p99Ms = median(p99s)
  const figure: Figure = {
    goal: 'G5',
    what: `p50, ${page}`,
    denominator: `the same among ${SMALL}`,
    bare: rounds.bare,
    ours: rounds.ours,
    unit: 'ms',
    ratio: rounds.ratio,
    target: `<= ${TARGET}`,
    met: rounds.ratio <= TARGET,
    rounds: rounds.ratios,
    ledgers,
  }
  if (page !== PREFIX_SEARCH) return [figure]
  const absolute: Figure = {
    goal: 'G5',
    what: `p99, ${page}`,
    ours: p99Ms,
    unit: 'ms',
    target: `<= ${COMMON_SEARCH_P99_MS} ms`,
    met: p99Ms <= COMMON_SEARCH_P99_MS,
    ledgers,
  }
  return [figure, absolute]
}

export const measureLists: Goal = async (arena) => {
  const large = await openSide(arena, arena.quick ? 100_000 : 1_000_000)
  const small = await openSide(arena, SMALL)
  const load = makeLoad(arena)
  const figures: Figure[] = []
  for (const page of Object.keys(small.pages))
    figures.push(...(await compare(arena, load, page, small, large)))
  for (const { service } of [small, large]) await service.stop()
  await load.stop()
  return { figures }
}
