/**
 * G4: compares the recipients per second of a campaign's fan-out with one statement that inserts the same
 * rows.
 */
import { request } from 'undici'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { databaseCpuMs, statementsDuring } from '../ground/database-use.ts'
import { boundOf, withAim } from '../ground/rounds.ts'
import type { Profile } from '../ground/self-time.ts'
import { profileDuring, startService } from '../ground/service.ts'
import { watchWaiting } from '../ground/waiting.ts'
import type { FannedOut } from '../processes/fan-out-engine.ts'
import type { Figure, Ledger } from '../report.ts'
import { type CampaignShop, insertBareCampaign, makeCampaignShop } from '../seeds/campaigns.ts'
import type { Goal } from './goal.ts'

const RATE_AIM = { reach: 1, dream: 1.3 }
const LONGEST_AIM = { reach: 100 }
const CREATED_AIM = { reach: 1_000 }
const PEOPLE_BEHIND = 2_000

/** Creates the campaign for all customers through the API and returns how long the answer took. */
export async function createCampaign(port: number, shop: CampaignShop): Promise<{ id: string; ms: number }> {
  const startedMs = performance.now()
  const answer = await request(`http://127.0.0.1:${port}/api/v1/broadcasts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Lights',
      templateId: shop.templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      sendNow: true,
    }),
  })
  const body = (await answer.body.json()) as { id: string }
  if (answer.statusCode !== 201) throw new Error(`the campaign was refused: ${JSON.stringify(body)}`)
  return { id: body.id, ms: performance.now() - startedMs }
}

/** Every customer of the campaign is one recipient with one message. */
export async function campaignLedger(
  database: BenchDatabase,
  shop: CampaignShop,
  people: number,
): Promise<Ledger[]> {
  const [row] = await database.sql<Record<string, string>>(
    `select (select count(*) from broadcast_recipients where workspace_id = $1 and state = 'queued') as listed,
            (select count(distinct contact_id) from messages where workspace_id = $1) as written,
            (select count(*) from messages where workspace_id = $1) as messages,
            (select queued from broadcasts where workspace_id = $1 and status = 'completed') as counted`,
    [shop.workspaceId],
  )
  const ledgers = {
    listed: 'recipients',
    written: 'people with messages',
    messages: 'messages',
    counted: 'counted',
  }
  return Object.entries(ledgers).map(([name, part]) => ({
    what: 'people of the campaign',
    whole: people,
    parts: { [part]: Number(row![name] ?? 0) },
  }))
}

export const peopleOf = (arena: Arena): number => (arena.quick ? 100_000 : 1_000_000)

export const measureCampaigns: Goal = async (arena, options) => {
  const people = peopleOf(arena)
  const database = await arena.database('g4')
  arena.say(`  twice ${people} people …`)
  const [ours, bare] = [await makeCampaignShop(database, people), await makeCampaignShop(database, people)]
  // The highest ids append to the right edge of every index, at half the cost: neither side should have them.
  await insertBareCampaign(database, await makeCampaignShop(database, PEOPLE_BEHIND))
  await database.admin('vacuum (analyze)')
  await database.admin('checkpoint')
  const web = await startService(arena, database, { roles: 'web' })
  const created = await createCampaign(web.port, ours)
  await web.stop()

  const cpu = () => databaseCpuMs(arena.folder) ?? Number.NaN
  const beforeBare = cpu()
  const startedMs = performance.now()
  await insertBareCampaign(database, bare)
  const bareSeconds = (performance.now() - startedMs) / 1000
  const bareCpuMs = cpu() - beforeBare

  const engine = arena.child('fan-out-engine')
  await engine.ask('open', { databaseUrl: database.url })
  const watch = watchWaiting(arena, { engine })
  let fanned: FannedOut | undefined
  const fanOut = async () => {
    fanned = await watch.during(() => engine.ask<FannedOut>('fanOut'))
  }
  const beforeOurs = cpu()
  const profiles: Profile[] = []
  if (options.profile) {
    const profileFanOut = async () => {
      profiles.push(await profileDuring(engine, arena, 'g4-campaign', fanOut))
    }
    profiles.push(await statementsDuring(database, 'g4-campaign', profileFanOut))
  } else await fanOut()
  // Before its connections close, with their usage counters.
  const oursCpuMs = cpu() - beforeOurs
  const waiting = watch.read()
  await engine.stop()
  if (fanned!.errors.length > 0) throw new Error(fanned!.errors[0])

  const ledgers = await campaignLedger(database, ours, people)
  const rate = people / fanned!.seconds
  const ratio = rate / (people / bareSeconds)
  const us = (ms: number) => Math.round((ms * 1000) / people)
  const { steps } = fanned!
  const figures: Figure[] = [
    {
      goal: 'G4',
      what: `recipients/s of a campaign to ${people}`,
      denominator: 'one INSERT ... SELECT of the same rows',
      bare: people / bareSeconds,
      ours: rate,
      unit: '/s',
      ratio,
      ...withAim(ratio, RATE_AIM, '>='),
      waiting,
      ledgers,
      notes: [
        `processor time a recipient: ${us(fanned!.cpuMs)} us in the engine + ${us(oursCpuMs)} us in the database (bare: ${us(bareCpuMs)} us); each a conversation with its activity, a message, a recipient and a mark`,
      ],
    },
    {
      goal: 'G4',
      what: 'longest transaction of its fan-out',
      ...boundOf(steps.maxMs, 'ms', LONGEST_AIM),
      waiting,
      notes: [`${steps.count} steps: p50 ${steps.p50Ms.toFixed(1)} ms, p99 ${steps.p99Ms.toFixed(1)} ms`],
    },
    {
      goal: 'G4',
      what: `answer to its creation, ${people} contacts`,
      ...boundOf(created.ms, 'ms', CREATED_AIM),
    },
  ]
  return { figures, profiles }
}
