/**
 * The load under which the primary of the database changes: sends, new contacts, a campaign, and webhooks. The stand-in
 * operator and the receivers of the webhooks are witnesses outside the database.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { readHosts } from '../../src/core/values/database-hosts.ts'
import { openEventLedger } from './event-ledger.ts'
import type { FaultFigures } from './fault-run.ts'
import {
  type Admin,
  changeUnderLoad,
  countUnreported,
  expectLedgerBalances,
  expectOnlyUnavailable,
  type LoadShop,
  newLoad,
  openAdmin,
  retryUnanswered,
} from './load.ts'
import { prepareCampaign, type RunningCampaign } from './running-campaign.ts'
import { newInstallation, type ServerProcess } from './server-process.ts'
import { standInOperator } from './stand-in-operator.ts'
import { until } from './until.ts'

/** More than a number submits while sends and contacts start. */
const PEOPLE = 600
/** Below the bucket of contacts. */
const CONTACT_PACE_MS = 110
const CONTINUES_WITHIN_MS = 60_000

const SHOP_EVENTS = ['contact.created', 'message.status', 'message.failed'] as const
const CAMPAIGN_EVENTS = ['broadcast.completed'] as const

export type FailoverLoad = {
  server: ServerProcess
  admin: Admin
  /** The number of sends that were acknowledged. */
  countAcknowledged(): number
  /** Runs `change` under the load, and returns the milliseconds until sends continue. */
  run(change: () => Promise<unknown>): Promise<number>
  /** Expects that everything acknowledged took effect once, and that every event was delivered. Returns the figures. */
  expectNothingLost(): Promise<Partial<FaultFigures>>
  /**
   * Expects that the rest is whole after a loss of acknowledged writes: all that is stored took effect once, and a lost send
   * takes effect when it is repeated with its key. Returns the figures, with the losses.
   */
  expectConsistent(): Promise<Partial<FaultFigures>>
}

/** Starts the service with this database. Everything ends with the test. */
export async function openFailoverLoad(databaseUrl: string, random: () => number): Promise<FailoverLoad> {
  const operator = await standInOperator()
  onTestFinished(operator.close)
  const events = await openEventLedger()
  onTestFinished(events.close)
  const installation = await newInstallation({
    DATABASE_URL: databaseUrl,
    ...operator.env,
    ...events.env,
  })
  onTestFinished(installation.remove)
  const server = await installation.start()
  const admin = openAdmin(readHosts(databaseUrl)!)
  onTestFinished(() => admin.close())
  const shops: LoadShop[] = []
  const load = newLoad()
  const campaigns: RunningCampaign[] = []
  const created = new Set<string>()

  const startBeside = async (fresh: LoadShop[]) => {
    for (const shop of fresh) await events.follow(admin, shop, SHOP_EVENTS)
    const place = { admin, url: server.url, operator }
    const campaign = await prepareCampaign(place, { people: PEOPLE, series: campaigns.length })
    campaigns.push(campaign)
    await events.follow(admin, campaign.shop, CAMPAIGN_EVENTS)
    await campaign.start()
    return fresh.map((shop) => startContacts(shop, created))
  }

  const listContacts = async (): Promise<Set<string>> => {
    const rows = await admin.query<{ id: string }>(
      'select id from contacts where workspace_id = any($1::uuid[])',
      [shops.map(({ workspaceId }) => workspaceId)],
    )
    return new Set(rows.map(({ id }) => id))
  }
  const expectAlive = () => {
    expectOnlyUnavailable(load)
    expect(server.output()).not.toContain('unhandled promise rejection')
  }

  return {
    server,
    admin,
    countAcknowledged: () => load.acknowledged.size,
    run: async (change) => {
      let contacts: ReturnType<typeof startContacts>[] = []
      const prepare = async (fresh: LoadShop[]) => {
        contacts = await startBeside(fresh)
      }
      const loading = { load, shops, admin, url: server.url, random, prepare, withinMs: CONTINUES_WITHIN_MS }
      const recoveredMs = await changeUnderLoad(loading, async () => {
        expect(campaigns.at(-1)!.countSubmitted(), 'the campaign is under way').toBeLessThan(PEOPLE)
        await change()
      })
      await Promise.all(contacts.map(({ stop }) => stop()))
      return recoveredMs
    },
    expectNothingLost: async () => {
      expectAlive()
      const reached = await Promise.all(campaigns.map((campaign) => campaign.settle()))
      expect(reached).toEqual(campaigns.map(() => ({ missing: 0, doubled: 0 })))
      const ledger = await expectLedgerBalances(admin, shops, load)
      const { events: count, repeated, unknown } = await events.settle(admin)
      expect(unknown, 'delivered, and missing in the log').toBe(0)
      expect(events.dataOf('broadcast.completed').length).toBeGreaterThanOrEqual(campaigns.length)
      const announced = new Set(events.dataOf('contact.created').map(({ contactId }) => contactId))
      const stored = await listContacts()
      expect([...created].filter((id) => !announced.has(id) || !stored.has(id))).toEqual([])
      return {
        ...ledger,
        note: `${created.size} contacts; campaigns: ${campaigns.length * PEOPLE} recipients, one message each; webhooks: ${count} events, ${repeated} repeated`,
      }
    },
    expectConsistent: async () => {
      expectAlive()
      const reached = await Promise.all(campaigns.map((campaign) => campaign.settle()))
      const ledger = await expectLedgerBalances(admin, shops, load, { mayLose: true })
      const unreported = await countUnreported(admin, shops)
      const stored = await listContacts()
      const lostContacts = [...created].filter((id) => !stored.has(id)).length
      const lost = await repeatLost(admin, load)
      expect(lost).toBe(ledger.lost)
      const repaired = await expectLedgerBalances(admin, shops, load, { mayLose: true })
      expect(repaired.lost).toBe(0)
      const { events: count, repeated, unknown } = await events.settle(admin)
      const doubled = reached.reduce((total, campaign) => total + campaign.doubled, 0)
      return {
        ...ledger,
        note: `lost: ${ledger.lost} sends, ${lostContacts} of ${created.size} contacts, the receipts of ${unreported} messages; campaign: ${doubled} of ${campaigns.length * PEOPLE} messages submitted again; webhooks: ${count} events, ${repeated} repeated, ${unknown} of lost writes`,
      }
    },
  }
}

/** Repeats the acknowledged sends that the database does not have, with their keys. Returns how many there were. */
async function repeatLost(admin: Admin, load: ReturnType<typeof newLoad>): Promise<number> {
  const rows = await admin.query<{ id: string }>('select id from messages where id = any($1::uuid[])', [
    [...load.acknowledged.values()],
  ])
  const stored = new Set(rows.map(({ id }) => id))
  const lost = [...load.acknowledged].filter(([, id]) => !stored.has(id))
  for (const [key] of lost) {
    load.acknowledged.delete(key)
    load.unanswered.set(key, load.requests.get(key)!)
  }
  await retryUnanswered(load)
  return lost.length
}

/** Creates contacts until stopped, and repeats a request with its key until it is answered. */
function startContacts(shop: LoadShop, created: Set<string>) {
  let stopping = false
  const createNext = (phone: string) => {
    const idempotencyKey = randomUUID()
    return until(async () => {
      const answer = await shop.post('/contacts', { phone }, { idempotencyKey })
      if (answer.status !== 201) throw new Error(answer.text)
      created.add(answer.body.contact.id)
      return true
    }, 'the contact is created')
  }
  const running = (async () => {
    for (let n = 0; !stopping; n++) {
      await createNext(`+9170${String(n).padStart(8, '0')}`)
      await wait(CONTACT_PACE_MS)
    }
  })()
  running.catch(() => {})
  onTestFinished(() => {
    stopping = true
  })
  return {
    stop: () => {
      stopping = true
      return running
    },
  }
}
