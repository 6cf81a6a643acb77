/** kill -9 while the phone app's history arrives: each message is stored once, and nothing follows from it. */
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SCREEN_CHANGED } from '../../src/core/event.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { asciiJson, signWebhook } from '../../src/operator/webhook-signature.ts'
import { clientOf, SECRET_KEY } from '../support/boot.ts'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const CHUNKS = thorough ? 12 : 4
const LINES = 600
const KILLS = thorough ? 8 : 2
// A retry of the test connects another number.
const newNumber = () => ({
  number: `+1415${randomInt(2_000_000, 9_999_999)}`,
  operatorId: `91${randomInt(1e9, 1e10)}`,
  accountId: '910000000000002',
})
let number = newNumber()
const APP_SECRET = 'history-secret'
const DAY_SECONDS = 86_400

/** Returns a chunk of chats with three customers; each chunk repeats the last line of the one before. */
function chunkOf(place: number): string {
  const start = Math.floor(Date.now() / 1000) - 100 * DAY_SECONDS
  const lines = Array.from({ length: LINES + 1 }, (_, i) => place * LINES + i)
  const customers = ['919820000001', '919820000002', '919820000003']
  const threads = customers.map((id, own) => ({
    id,
    messages: lines
      .filter((line) => line % customers.length === own)
      .map((line) => ({
        from: line % 2 === 0 ? id : number.number.slice(1),
        id: `wamid.history${line}`,
        timestamp: String(start + line),
        type: 'text',
        text: { body: `Line ${line}` },
        history_context: { status: 'READ' },
      })),
  }))
  const progress = Math.round(((place + 1) / CHUNKS) * 100)
  const value = {
    metadata: { display_phone_number: number.number.slice(1), phone_number_id: number.operatorId },
    history: [{ metadata: { phase: 1, chunk_order: place, progress }, threads }],
  }
  const changes = [{ field: 'history', value }]
  return asciiJson({ object: 'whatsapp_business_account', entry: [{ id: number.accountId, changes }] })
}

test(
  'kill -9 while the history arrives: each message is stored once, without an event',
  async () => {
    const random = randomFrom(seedOf('killed history'))
    number = newNumber()
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(admin)
    await admin.system((tx) =>
      addPhoneNumber(
        tx,
        { workspaceId, operator: 'cloud', token: 'token', appSecret: APP_SECRET, ...number },
        new Date(),
        createSealer(SECRET_KEY),
      ),
    )
    const post = (text: string) =>
      clientOf(server.url, apiKey)
        .post(`/api/operator/${workspaceId}`, text, {
          headers: { 'x-hub-signature-256': signWebhook(text, APP_SECRET) },
        })
        .catch(() => undefined)
    const chunks = Array.from({ length: CHUNKS }, (_, place) => chunkOf(place)).toSorted(() => random() - 0.5)
    // The operator repeats a chunk that got no answer.
    const delivering = (async () => {
      for (const chunk of [...chunks, chunks[0]!])
        await until(async () => (await post(chunk))?.status === 200, 'the callback takes a chunk', 60_000)
    })()
    for (let kill = 0; kill < KILLS; kill++) {
      await wait(200 + random() * 600)
      await server.kill()
      await server.restart()
    }
    await delivering
    const count = async (text: string) =>
      (await admin.query<{ count: number }>(`select count(*)::int as count from ${text}`, [workspaceId]))[0]!
        .count
    await until(
      async () => (await count('operator_updates where workspace_id = $1 and failed_at is null')) === 0,
      'the history is applied',
      120_000,
    )
    const total = CHUNKS * LINES + 1
    const stored = await count('messages where workspace_id = $1')
    const distinct = await count('(select distinct chanmid from messages where workspace_id = $1) m')
    expect({ stored, distinct }).toEqual({ stored: total, distinct: total })
    expect(await count('conversations where workspace_id = $1')).toBe(3)
    expect(await count(`events where workspace_id = $1 and name <> '${SCREEN_CHANGED}'`)).toBe(0)
    const [shown] = await admin.query<{ state: string; stored: number }>(
      'select history_state as state, history_stored as stored from phone_numbers where workspace_id = $1',
      [workspaceId],
    )
    expect(shown).toEqual({ state: 'complete', stored: total })
    recordFigures({
      rows: '1, 2, 4',
      fault: "kill -9 while the phone app's history arrives",
      rounds: 1,
      kills: KILLS,
      accepted: total,
      lost: total - distinct,
      doubled: stored - distinct,
    })
  },
  timeFor(240_000),
)
