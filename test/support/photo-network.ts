/**
 * An account of the photo network, which posts signed reports to the callback from outside.
 *
 *   const network = await startPhotoNetwork()
 *   const parley = await boot({ env: network.env })
 *   const account = await network.connect(parley, shop)
 *   await account.report(fixture('webhook_dm_text'))
 */
import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSealer } from '../../src/core/sealing.ts'
import { setWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { connectAccount, type NewAccount } from '../../src/modules/selling/social/operations/accounts.ts'
import { asciiJson, signWebhook } from '../../src/operator/webhook-signature.ts'
import { createMemoryStore, type MemoryStore } from '../../src/social-network/simulator/memory-store.ts'
import { startSocialSimulator } from '../../src/social-network/simulator/start.ts'
import {
  type NetworkEvent,
  type SimulatedAccount,
  webhookBody,
} from '../../src/social-network/simulator/store.ts'
import { type Answered, clientOf, SECRET_KEY, type TestParley } from './boot.ts'
import { type Between, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'
import { until } from './until.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/photo-network')

/** Returns a body that the network posts, by its name. */
export const fixture = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))

/** The service in this process, or another service on its database. */
export type Service = Pick<TestParley, 'system' | 'url'>

export type OutsideAccount = {
  accountId: string
  simulated: SimulatedAccount
  input: NewAccount
  /** Signs and posts a body (or a text) unchanged; resolves before the body is applied. */
  post(body: unknown): Promise<Answered>
  /** Signs and posts a body, and waits until the service has applied it. */
  report(...bodies: unknown[]): Promise<void>
  /** Waits until every report so far is applied or set aside. */
  applied(): Promise<void>
}

export type PhotoNetwork = {
  store: MemoryStore
  /** All calls so far. */
  calls: RecordingProxy
  env: Record<string, string>
  /** The reports of the network, in order. It doesn't post them itself. */
  events: { account: SimulatedAccount; event: NetworkEvent }[]
  connect(
    parley: Service,
    shop: { workspaceId: string },
    input?: Partial<SimulatedAccount>,
  ): Promise<OutsideAccount>
  close(): Promise<void>
}

/** Starts a new network without accounts. */
export async function startPhotoNetwork(): Promise<PhotoNetwork> {
  const events: PhotoNetwork['events'] = []
  const store = createMemoryStore({
    accounts: [],
    report: async (account, event) => void events.push({ account, event }),
  })
  const simulator = await startSocialSimulator({ store, host: '127.0.0.1', port: 0 })
  const calls = await startRecordingProxy(simulator.url)
  return {
    store,
    calls,
    events,
    env: { PARLEY_SOCIAL_URL: calls.url },
    connect: async (parley, shop, input = {}) => {
      const networkId = input.networkId ?? `17841${randomInt(1e11, 1e12)}`
      const simulated = {
        networkId,
        username: input.username ?? 'our_shop',
        token: input.token ?? `${networkId}.token`,
      }
      store.accounts.push(simulated)
      return connectOutside(parley, shop.workspaceId, simulated)
    },
    close: async () => {
      await calls.close()
      await simulator.close()
    },
  }
}

async function connectOutside(
  parley: Service,
  workspaceId: string,
  simulated: SimulatedAccount,
): Promise<OutsideAccount> {
  const input: NewAccount = {
    workspaceId,
    network: 'graph',
    profile: { networkId: simulated.networkId, scopedId: null, username: simulated.username, name: null },
    token: simulated.token,
    appSecret: randomUUID(),
    verifyToken: randomUUID(),
  }
  const { accountId } = await parley.system(async (tx) => {
    await setWorkspace(tx, workspaceId, { socialAddon: true })
    return connectAccount(tx, input, new Date(), createSealer(SECRET_KEY))
  })
  const post = (body: unknown) => {
    const text = typeof body === 'string' ? body : asciiJson(body)
    return clientOf(parley.url, '').post(`/api/social/${workspaceId}`, text, {
      headers: { 'x-hub-signature-256': signWebhook(text, input.appSecret) },
    })
  }
  const waitUntilApplied = async (): Promise<void> => {
    await until(async () => {
      const [row] = await parley.system((tx) =>
        tx.sql<{ waiting: number }>(
          'select count(*)::int as waiting from social_updates where workspace_id = $1 and failed_at is null',
          [workspaceId],
        ),
      )
      return row?.waiting === 0
    }, 'the reports were applied')
  }
  const report = async (...bodies: unknown[]): Promise<void> => {
    for (const body of bodies) {
      const answer = await post(body)
      if (answer.status !== 200) throw new Error(`the callback answered ${answer.status}: ${answer.text}`)
    }
    await waitUntilApplied()
  }
  return { accountId, simulated, input, post, report, applied: waitUntilApplied }
}

/** Returns the body in which the network reports an event. */
export const bodyOf = (account: { networkId: string }, event: NetworkEvent, time = new Date()): unknown =>
  webhookBody(account, event, time)

/** For `calls.between`: answers every POST with this and carries out nothing; reads still work. */
export const answerPosts =
  (status: number, body: object): Between =>
  async ({ method }, forward) =>
    method === 'POST'
      ? { status, type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) }
      : forward()
