/**
 * Size: compares lists, sends, a campaign, and the retention of messages in a database with 10,000 workspaces and 50 million
 * messages (or `--messages`) with the same in a database without them.
 */
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { compareSides, type Side } from '../ground/compared-pages.ts'
import { databaseCpuMs } from '../ground/database-use.ts'
import { getRequest } from '../ground/requests.ts'
import { alternate, type Rounds } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { openTarget, requestLedger } from '../ground/writes.ts'
import type { FannedOut } from '../processes/fan-out-engine.ts'
import type { Template } from '../processes/load.ts'
import type { Removed } from '../processes/retention-engine.ts'
import type { Figure, Ledger } from '../report.ts'
import { makeCampaignShop } from '../seeds/campaigns.ts'
import { addManyRows } from '../seeds/many-rows.ts'
import { addManyWorkspaces } from '../seeds/many-workspaces.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import { seedSends } from './g1-sends.ts'
import { campaignLedger, createCampaign } from './g4-campaigns.ts'
import type { Goal } from './goal.ts'

const TARGET = 1.25
/** Each of the other workspaces has so many messages. */
const MESSAGES_EACH = 5_000
const OWN_ROWS = 10_000
const CURSORS = 300
const CONNECTIONS = 64
const PEOPLE = 50_000
/** A message is kept for so many days: each day's sweep deletes a day's messages of the whole installation. */
const KEPT_DAYS = 365
const LEAST_OLD_MESSAGES = 20_000
const ROUNDS = 5
const WITHOUT_OTHERS = 'the same without the other workspaces'

/** A database with the measured workspace, and the sends to chats of further ones. */
type Place = { database: BenchDatabase; shop: Shop; sends: Template[] }

async function makePlace(arena: Arena, messages: number): Promise<Place> {
  const database = await arena.database(messages === 0 ? 'size_alone' : 'size_full')
  // First, because it opens chats in every workspace.
  const sends = await seedSends(database)
  if (messages > 0) {
    const workspaces = Math.max(1, Math.round(messages / MESSAGES_EACH))
    await addManyWorkspaces(database, { workspaces, messages, say: arena.say })
  }
  const [shop] = await makeShops(database, 1, 'unlimited')
  await addManyRows(database, shop!, OWN_ROWS)
  return { database, shop: shop!, sends }
}

async function openSide(arena: Arena, { database, shop }: Place): Promise<Side> {
  const get = (path: string) => getRequest(path, shop.apiKey)
  const picked = await database.sql<{ id: string; conversationId: string }>(
    `select id, conversation_id as "conversationId" from messages where workspace_id = $1 order by random() limit $2`,
    [shop.workspaceId, CURSORS],
  )
  return {
    service: await startService(arena, database, { roles: 'web', limiter: false }),
    pages: {
      'messages, first page': [get('/messages')],
      'messages, random cursor': picked.map(({ id }) => get(`/messages?cursor=${id}`)),
      'messages of a chat': picked.map(({ conversationId }) =>
        get(`/messages?conversationId=${conversationId}`),
      ),
      'conversations, first page': [get('/conversations')],
      'contacts, first page': [get('/contacts')],
    },
  }
}

const cpuOf = (arena: Arena): number => databaseCpuMs(arena.folder) ?? Number.NaN

/** Measures the processor time of a send, in the server and the database, with one service at a time. */
async function measureSends(arena: Arena, [alone, full]: [Place, Place]): Promise<Figure> {
  const load = makeLoad(arena)
  const ledgers: Ledger[] = []
  const open = async ({ database, sends: templates }: Place) => {
    const service = await startService(arena, database, { roles: 'web' })
    const target = openTarget(service, load, { templates, success: 200 })
    const run = async () => {
      const before = (await service.cpuMs()) + cpuOf(arena)
      const { accepted } = await target.run({ connections: CONNECTIONS, seconds: arena.quick ? 1 : 4 })
      return (((await service.cpuMs()) + cpuOf(arena) - before) * 1000) / accepted
    }
    await run()
    return { run, service, target }
  }
  const [small, large] = [await open(alone), await open(full)]
  const rounds = await alternate(ROUNDS, small.run, large.run)
  for (const { service, target } of [small, large]) {
    ledgers.push(requestLedger(target.counts))
    await service.stop()
  }
  await load.stop()
  return figureOf('processor time of a send', rounds, ledgers)
}

/** Measures the processor time of a recipient in the fan-out of a campaign. */
async function measureCampaign(
  arena: Arena,
  { database }: Place,
): Promise<{ us: number; ledgers: Ledger[] }> {
  const shop = await makeCampaignShop(database, PEOPLE)
  await database.admin('analyze contacts')
  const web = await startService(arena, database, { roles: 'web' })
  await createCampaign(web.port, shop)
  await web.stop()
  const engine = arena.child('fan-out-engine')
  await engine.ask('open', { databaseUrl: database.url })
  const before = cpuOf(arena)
  const { cpuMs, errors } = await engine.ask<FannedOut>('fanOut')
  const us = ((cpuMs + cpuOf(arena) - before) * 1000) / PEOPLE
  await engine.stop()
  if (errors.length > 0) throw new Error(errors[0])
  return { us, ledgers: await campaignLedger(database, shop, PEOPLE) }
}

/** Measures the processor time of a message that the retention deletes, in a sweep of a day's messages. */
async function measureRetention(
  arena: Arena,
  { database }: Place,
  oldMessages: number,
): Promise<{ us: number; ledgers: Ledger[] }> {
  const [shop] = await makeShops(database, 1, 'pro')
  await addManyRows(database, shop!, oldMessages)
  await database.sql(
    `with old as (
       delete from messages where workspace_id = $1 returning *
     )
     insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
     select workspace_id, (left(id_bound(now() - interval '400 days')::text, 13) || substr(id::text, 14))::uuid, conversation_id,
            contact_id, phone_number_id, direction, type, content, status, now() - interval '400 days' from old`,
    [shop!.workspaceId],
  )
  await database.sql(
    "update workspaces set message_days = $2, created_at = now() - interval '400 days' where id = $1",
    [shop!.workspaceId, KEPT_DAYS],
  )
  await database.admin('vacuum (analyze) messages')
  const engine = arena.child('retention-engine')
  await engine.ask('open', { databaseUrl: database.url })
  const before = cpuOf(arena)
  const { cpuMs } = await engine.ask<Removed>('remove')
  const us = ((cpuMs + cpuOf(arena) - before) * 1000) / oldMessages
  await engine.stop()
  const [row] = await database.sql<{ left: number }>(
    'select count(*)::int4 as left from messages where workspace_id = $1',
    [shop!.workspaceId],
  )
  return {
    us,
    ledgers: [{ what: 'old messages', whole: oldMessages, parts: { deleted: oldMessages - row!.left } }],
  }
}

function figureOf(label: string, rounds: Rounds, ledgers: Ledger[]): Figure {
  return {
    goal: 'size',
    what: label,
    denominator: WITHOUT_OTHERS,
    bare: rounds.bare,
    ours: rounds.ours,
    unit: 'us',
    ratio: rounds.ratio,
    target: `<= ${TARGET}`,
    met: rounds.ratio <= TARGET,
    rounds: rounds.ratios,
    ledgers,
  }
}

/** Runs work that changes its database on both sides in turn. */
async function compareWork(
  label: string,
  [alone, full]: [Place, Place],
  work: (place: Place) => Promise<{ us: number; ledgers: Ledger[] }>,
  rounds: number,
): Promise<Figure> {
  const ledgers: Ledger[] = []
  const run = (place: Place) => async () => {
    const done = await work(place)
    ledgers.push(...done.ledgers)
    return done.us
  }
  return figureOf(label, await alternate(rounds, run(alone), run(full)), ledgers)
}

export const measureSize: Goal = async (arena, options) => {
  const messages = options.messages
  const places: [Place, Place] = [await makePlace(arena, 0), await makePlace(arena, messages)]
  const [alone, full] = places
  const [row] = await full.database.sql<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  arena.say(`  the full database has ${row!.size}`)
  const lists = await compareSides(
    arena,
    { goal: 'size', max: arena.quick ? 60 : CURSORS, target: TARGET, rows: messages },
    (rows) => openSide(arena, rows === messages ? full : alone),
    () => ({}),
  )
  const rounds = arena.quick ? 1 : 3
  const figures: Figure[] = lists.map((figure) => ({ ...figure, denominator: WITHOUT_OTHERS }))
  // The full database takes long to fill, so a figure is shown as soon as it is measured.
  const add = async (figure: Figure | Promise<Figure>): Promise<void> => {
    const { what, bare, ours, unit, ratio } = await figure
    arena.say(`  ${what}: ${bare?.toFixed(2)} -> ${ours.toFixed(2)} ${unit}, ratio ${ratio?.toFixed(2)}`)
    figures.push(await figure)
  }
  for (const figure of figures.splice(0)) await add(figure)
  await add(measureSends(arena, places))
  const oldMessages = Math.max(LEAST_OLD_MESSAGES, Math.round(messages / KEPT_DAYS))
  const work = {
    'processor time of a recipient of a campaign': (place: Place) => measureCampaign(arena, place),
    'processor time of a message that the retention deletes': (place: Place) =>
      measureRetention(arena, place, oldMessages),
  }
  for (const [label, measure] of Object.entries(work)) await add(compareWork(label, places, measure, rounds))
  return { figures }
}
