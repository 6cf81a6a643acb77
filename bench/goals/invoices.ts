/** Measures invoices issued one after the other in a single series, and their PDF files. */
import { request } from 'undici'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { postRequest } from '../ground/requests.ts'
import { makeLoad, type Service, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import type { Figure, Ledger } from '../report.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const CONNECTIONS = 16
const LINES = 10
const SELLER = {
  legalName: 'Asha Traders',
  address: {
    line1: '12 Linking Road',
    city: 'Mumbai',
    state: 'Maharashtra',
    postalCode: '400050',
    country: 'IN',
  },
  gstin: '27AAPFU0939F1ZV',
  upiId: 'asha@upi',
}
const invoice = {
  customer: { name: 'Asha Rao' },
  issue: true,
  lines: Array.from({ length: LINES }, (_, i) => ({
    description: `Kurta ${i}`,
    hsn: '6211',
    quantity: 2,
    unitMinor: 10_000,
    taxRate: 5,
  })),
}

/** Opens one shop that sells, so that all invoices wait for the same series. */
async function openShop(database: BenchDatabase): Promise<Shop> {
  const [shop] = await makeShops(database, 1, 'unlimited')
  await database.sql(`update workspaces set modules = '{invoicing}' where id = $1`, [shop!.workspaceId])
  await database.sql(
    'insert into sales_settings (workspace_id, settings, updated_at) values ($1, $2::jsonb, now())',
    [shop!.workspaceId, JSON.stringify({ seller: SELLER, taxScheme: 'regular' })],
  )
  return shop!
}

async function measureIssues(
  arena: Arena,
  service: Service,
  database: BenchDatabase,
  shop: Shop,
): Promise<Figure> {
  const load = makeLoad(arena)
  const plan = {
    port: service.port,
    connections: CONNECTIONS,
    seconds: arena.quick ? 2 : 8,
    templates: [postRequest('/sales-invoices', shop.apiKey, invoice)],
  }
  const rounds = []
  for (let i = 0; i < (arena.quick ? 2 : 5); i++) rounds.push(await load.run(plan))
  await load.stop()
  const perSecond = rounds.map(({ statuses, seconds }) => (statuses[201] ?? 0) / seconds)
  const issued = rounds.reduce((sum, { statuses }) => sum + (statuses[201] ?? 0), 0)
  const [stored] = await database.sql<{ last: number; numbers: number }>(
    `select (select last_number from number_series where series = 'invoice') as last,
            (select count(distinct number)::int from sales_documents) as numbers`,
  )
  const ledgers: Ledger[] = [
    { what: 'numbers of the series', whole: issued, parts: { last: stored!.last } },
    { what: 'invoices with a number of their own', whole: issued, parts: { stored: stored!.numbers } },
  ]
  return {
    goal: 'INV',
    what: `invoices of ${LINES} lines issued/s in one series`,
    ours: median(perSecond),
    unit: '/s',
    target: 'none',
    rounds: perSecond,
    ledgers,
    notes: [
      `c=${CONNECTIONS}, p99 ${median(rounds.map(({ latency }) => latency.p99Ms)).toFixed(1)} ms; ${rounds.find((round) => round.oddAnswer)?.oddAnswer ?? 'no refusals'}`,
    ],
  }
}

const PDFS_AT_ONCE = 4

async function measurePdfs(
  arena: Arena,
  service: Service,
  database: BenchDatabase,
  shop: Shop,
): Promise<Figure> {
  const ids = await database.sql<{ id: string }>('select id from sales_documents order by id limit $1', [
    arena.quick ? 16 : 100,
  ])
  const left = ids.map(({ id }) => id)
  const durationsMs: number[] = []
  let bytes = 0
  const lane = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const requestedMs = performance.now()
      const answer = await request(
        `http://127.0.0.1:${service.port}/api/v1/sales-invoices/${id}?format=pdf`,
        { headers: { authorization: `Bearer ${shop.apiKey}` } },
      )
      const file = await answer.body.bytes()
      if (answer.statusCode !== 200) throw new Error(`a PDF was answered ${answer.statusCode}`)
      bytes += file.length
      durationsMs.push(performance.now() - requestedMs)
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: PDFS_AT_ONCE }, lane))
  const seconds = (performance.now() - startedMs) / 1_000
  return {
    goal: 'INV',
    what: `PDF files of ${LINES} lines/s, laid out anew`,
    ours: durationsMs.length / seconds,
    unit: '/s',
    target: 'none',
    ledgers: [{ what: 'files', whole: ids.length, parts: { answered: durationsMs.length } }],
    notes: [
      `c=${PDFS_AT_ONCE}, median ${median(durationsMs).toFixed(0)} ms, ${(bytes / durationsMs.length / 1024).toFixed(0)} KB each; two threads, their start included`,
    ],
  }
}

export const measureInvoices: Goal = async (arena) => {
  const database = await arena.database('invoices')
  const shop = await openShop(database)
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web', limiter: false })
  const issues = await measureIssues(arena, service, database, shop)
  const pdfs = await measurePdfs(arena, service, database, shop)
  await service.stop()
  return { figures: [issues, pdfs] }
}
