/**
 * G6: compares the first page of common lists of leads, with its exact total, in a workspace of a million (or
 * `--rows`) with one of ten thousand.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { compareSides, type Side } from '../ground/compared-pages.ts'
import { getRequest } from '../ground/requests.ts'
import { startService } from '../ground/service.ts'
import type { Ledger } from '../report.ts'
import { addManyLeads, RARE_LEAD } from '../seeds/many-leads.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const REQUESTS = 100
const TARGET = 2
/** docs/reliability.md 3, L4. */
const PREFIX_P99_MS = 100

const filterOf = (...conditions: { field: string; op: string; value: unknown }[]): string =>
  encodeURIComponent(JSON.stringify({ match: 'all', conditions }))

/** Each list with the SQL that counts its rows exactly. */
const LISTS: Record<string, { path: string; counted: string }> = {
  'open leads, newest first': {
    path: '/leads?view=sys:open',
    counted: "stage_id in (select id from pipeline_stages where kind in ('initial', 'active'))",
  },
  'unassigned leads': { path: '/leads?view=sys:unassigned', counted: 'owner_id is null' },
  'stage and rating, by deal value': {
    path: `/leads?sort=dealValue&dir=desc&filter=${filterOf(
      { field: 'stage', op: 'in', value: ['Contacted', 'Qualified'] },
      { field: 'rating', op: 'gte', value: 3 },
    )}`,
    counted:
      "rating >= 3 and stage_id in (select id from pipeline_stages where name in ('Contacted', 'Qualified'))",
  },
  'leads of a source': {
    path: `/leads?filter=${filterOf({ field: 'source', op: 'eq', value: 'website' })}`,
    counted: "source = 'website'",
  },
  'leads with a tag': {
    path: `/leads?filter=${filterOf({ field: 'tags', op: 'eq', value: 'vip' })}`,
    counted: "tags @> '{vip}'",
  },
  'search a rare name': { path: `/leads?q=${RARE_LEAD}`, counted: `name like '%${RARE_LEAD}%'` },
  'search a common phone prefix': { path: '/leads?q=9198', counted: "phone like '9198%'" },
}
const PREFIX = 'search a common phone prefix'

const LOOK_MS = 250
const GIVE_UP_MS = 600_000

/**
 * Waits until the worker has updated the counters: a list with a million uncounted changes belongs to another
 * goal.
 */
async function waitUntilCounted(database: BenchDatabase): Promise<void> {
  const deadlineMs = performance.now() + GIVE_UP_MS
  while ((await database.sql('select from lead_changes limit 1')).length > 0) {
    if (performance.now() > deadlineMs) throw new Error('the counters of leads were not added up')
    await wait(LOOK_MS)
  }
}

/** `totals`: each list's reported total, compared with an exact count. */
type LeadSide = Side & { totals: Map<string, Ledger> }

async function openSide(arena: Arena, rows: number): Promise<LeadSide> {
  const database = await arena.database(`g6_${rows}`)
  const [shop] = await makeShops(database, 1, 'unlimited')
  arena.say(`  ${rows} leads …`)
  await addManyLeads(database, shop!, rows)
  const service = await startService(arena, database, { roles: 'web,worker', limiter: false })
  await waitUntilCounted(database)
  const totals = new Map<string, Ledger>()
  for (const [list, { path, counted }] of Object.entries(LISTS)) {
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
      headers: { authorization: `Bearer ${shop!.apiKey}` },
    })
    const { total } = (await answer.json()) as { total: number }
    const [row] = await database.sql<{ count: string }>(
      `select count(*) as count from leads where workspace_id = $1 and ${counted}`,
      [shop!.workspaceId],
    )
    totals.set(list, { what: `${list}, total`, whole: total, parts: { 'count(*)': Number(row!.count) } })
  }
  const pages = Object.fromEntries(
    Object.entries(LISTS).map(([list, { path }]) => [list, [getRequest(path, shop!.apiKey)]]),
  )
  return { service, pages, totals }
}

export const measureLeadLists: Goal = async (arena, { rows }) => {
  const comparison = { goal: 'G6', max: arena.quick ? 40 : REQUESTS, target: TARGET, rows }
  const figures = await compareSides(
    arena,
    comparison,
    (rowCount) => openSide(arena, rowCount),
    (page, sides) => ({
      ...(page === PREFIX ? { p99Ms: PREFIX_P99_MS } : {}),
      ledgers: sides.map(({ totals }) => totals.get(page)!),
    }),
  )
  return { figures }
}
