/**
 * While this process answers slowly, simulated work gives way to requests
 * (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../test/support/boot.ts'
import { connectNumber } from '../../../../test/support/operator-webhooks.ts'
import { eventsOf } from '../../../../test/support/records.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock } from '../../../core/clock.ts'
import { newId } from '../../../core/ids.ts'
import { listDueWorkspaces } from '../../messaging/messages/intake/queries/due-updates.ts'
import { insertUpdates } from '../../messaging/messages/intake/queries/updates.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(async () => {
  await parley.close()
})

const asha = '+919812345678'
const MANY = 32
const textMessage = (body: string) => ({
  from: asha.slice(1),
  id: `wamid.${body}`,
  timestamp: '1',
  type: 'text',
  text: { body },
})
/** Makes parallel requests slow until `work` has ended. */
async function whileAnswersAreSlow<T>(work: () => Promise<T>): Promise<T> {
  // Enough shops that no bucket runs empty, because a refusal is fast.
  const shops = await Promise.all(Array.from({ length: 8 }, () => parley.workspace()))
  await parley.system(async (tx) => {
    await tx.sql(
      `create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(0.1); return null; end'`,
    )
    await tx.sql(
      `create trigger linger after insert on contacts for each row when (new.phone like '+9177%') execute function linger()`,
    )
  })
  let isOver = false
  let contactCount = 0
  const load = async (i: number): Promise<void> => {
    const shop = shops[i % shops.length]!
    while (!isOver) await shop.post('/contacts', { phone: `+9177${String(++contactCount).padStart(8, '0')}` })
  }
  const loads = Promise.all(Array.from({ length: MANY }, (_, i) => load(i)))
  try {
    await until(() => contactCount >= 2 * MANY, 'many have waited long')
    return await work()
  } finally {
    isOver = true
    await loads
    await parley.system((tx) => tx.sql('drop function linger cascade'))
  }
}

test('while answers are slow, the receipts of a sandbox still arrive, and do not delay those of a real number', async () => {
  const [sandbox, shop] = await Promise.all([parley.workspace({ sandbox: true }), parley.workspace()])
  const number = await connectNumber(parley, shop)
  await sandbox.inbound(asha, 'hello')
  await whileAnswersAreSlow(async () => {
    const { messageId } = (await sandbox.post('/send', { to: asha, type: 'text', text: 'Hi' })).body
    const statusOf = async () => (await sandbox.get(`/messages/${messageId}`)).body.message.status
    for (const status of ['sent', 'delivered', 'read']) {
      await until(async () => (await statusOf()) === status, `the message is ${status}`, 30_000)
      await number.report('messages', { messages: [textMessage(status)] })
    }
  })
  const statuses = (await eventsOf(parley, sandbox.workspaceId))
    .filter(({ name }) => name === 'message.status')
    .map(({ data }) => (data as Body).status)
  expect(statuses).toEqual(['sent', 'delivered', 'read'])
  const { messages } = (await shop.get('/messages')).body
  expect(messages.map(({ content }: Body) => content.body)).toEqual(['read', 'delivered', 'sent'])
})

test('only reports for workspaces that have nothing but simulated numbers give way', async () => {
  const [sandbox, simulated, real] = await Promise.all([
    parley.workspace({ sandbox: true }),
    parley.workspace(),
    parley.workspace(),
  ])
  await connectNumber(parley, real)
  const now = systemClock.now()
  const notKept = new Error('nothing of this is kept')
  let listings: string[][] = []
  const tried = parley.system(async (tx) => {
    const updates = [sandbox, simulated, real].map(({ workspaceId }) => ({
      workspaceId,
      id: newId(),
      phoneNumberId: newId(),
      sender: null,
      body: { field: 'messages', value: {} },
      reference: null,
      runAt: now,
      receivedAt: now,
    }))
    await insertUpdates(tx.sql, updates)
    const listDue = (simulated: boolean) => listDueWorkspaces(tx.sql, { now, limit: 200, simulated })
    listings = [await listDue(true), await listDue(false)]
    throw notKept
  })
  await expect(tried).rejects.toBe(notKept)
  const ours = [sandbox, simulated, real].map(({ workspaceId }) => workspaceId)
  const [allDue, realDue] = listings.map((ids) => ours.filter((id) => ids.includes(id)))
  expect(allDue).toEqual(ours)
  expect(realDue).toEqual([real.workspaceId])
})
