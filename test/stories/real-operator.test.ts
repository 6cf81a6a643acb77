/** A number of the real operator: the same HTTP API, played here by the separate simulator. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import {
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../src/operator/simulator/standalone/start.ts'
import { type Body, boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { until } from '../support/until.ts'

const number = {
  operatorId: '106540352242922',
  accountId: '102290129340398',
  token: 'operator-token',
  displayNumber: '919000000001',
}
const appSecret = 'app-secret-of-the-business'
let parley: TestParley
let shop: TestWorkspace
let simulator: StandaloneSimulator

beforeAll(async () => {
  simulator = await startStandaloneSimulator({
    host: '127.0.0.1',
    port: 0,
    numbers: [{ ...number }],
    appSecret,
    // Receipts arrive immediately: the subject of the test is their path, not their timing.
    settings: { receipts: { sentMs: 0, deliveredMs: 0, readMs: 0 } },
  })
  parley = await boot({ env: { PARLEY_OPERATOR_URL: simulator.url } })
  shop = await parley.workspace()
  await parley.system((tx) =>
    addPhoneNumber(
      tx,
      {
        workspaceId: shop.workspaceId,
        number: `+${number.displayNumber}`,
        operator: 'cloud',
        accountId: number.accountId,
        operatorId: number.operatorId,
        token: number.token,
        appSecret,
        verifyToken: 'handshake',
      },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
})
afterAll(async () => {
  await parley.close()
  await simulator.close()
})
afterEach(() => simulator.faults.clear())

/** Calls the simulator: as the operator (`/…`), or to configure it (`/_simulator/…`). */
async function postToSimulator(path: string, body: object): Promise<{ status: number; body: Body }> {
  const answer = await fetch(`${simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${number.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

const statusOf = async (messageId: string) =>
  (await shop.get(`/messages/${messageId}`)).body.message.status as string

/** Sends a message of a customer; resolves once the message has arrived. */
async function messageFrom(from: string, more: object = { text: 'Hello' }): Promise<Body> {
  const { body } = await postToSimulator('/_simulator/inbound', { from, name: 'Asha', ...more })
  await until(
    async () =>
      (await shop.get('/messages?direction=inbound&limit=100')).body.messages.some(
        (message: Body) => message.chanmid === body.id,
      ),
    'the message arrived',
  )
  return body
}

test('the handshake answers the challenge only for the right token', async () => {
  const callback = `${parley.url}/api/operator/${shop.workspaceId}`
  const subscribe = (token: string) =>
    postToSimulator(`/v24.0/${number.accountId}/subscribed_apps`, {
      override_callback_uri: callback,
      verify_token: token,
    })
  expect((await subscribe('guess')).status).toBe(400)
  expect(await subscribe('handshake')).toEqual({ status: 200, body: { success: true } })
})

test('an update with a wrong signature is rejected and stored nowhere', async () => {
  const answer = await parley.anonymous.post(
    `/api/operator/${shop.workspaceId}`,
    { object: 'whatsapp_business_account', entry: [] },
    { headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } },
  )
  expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
})

test('a signed message opens the window, the answer is sent once and its receipts arrive', async () => {
  const first = await messageFrom('919812345678', { text: 'Hello', id: 'wamid.first' })
  expect(first).toEqual({ id: 'wamid.first', delivered: true })
  // The same update again changes nothing.
  await postToSimulator('/_simulator/inbound', {
    from: '919812345678',
    name: 'Asha',
    text: 'Hello',
    id: 'wamid.first',
  })
  const sent = await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Hi Asha' })
  expect(sent.status).toBe(200)
  await until(async () => (await statusOf(sent.body.messageId)) === 'read', 'the answer was read')
  expect((await shop.get('/messages')).body.messages).toHaveLength(2)
  expect(simulator.tally.of(sent.body.messageId).accepted).toBe(1)
})

test('a connection that breaks after the operator accepted a message sends nothing twice', async () => {
  simulator.faults.arm({ call: 'POST messages', does: { close: 'after' }, times: 1 })
  const sent = await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Once' })
  await until(
    async () => (await statusOf(sent.body.messageId)) === 'read',
    'the receipts confirmed the message',
  )
  expect(simulator.tally.of(sent.body.messageId)).toMatchObject({ accepted: 1, refused: 0 })
})

test('the service waits out a throttle and a temporary error, and sends the message once', async () => {
  simulator.faults.arm({ call: 'POST messages', does: { error: 131000 }, times: 1 })
  const sent = await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Later' })
  await until(async () => (await statusOf(sent.body.messageId)) === 'read', 'the message was sent in the end')
  expect(simulator.tally.of(sent.body.messageId)).toMatchObject({ accepted: 1, refused: 1 })
})

test('receipts that arrive shuffled, repeated, many at the same time, and incomplete, end in the same state', async () => {
  const customers = Array.from({ length: 20 }, (_, index) => `9198000001${10 + index}`)
  for (const from of customers) await messageFrom(from)
  simulator.set({
    webhooks: { shuffle: true, duplicate: 0.5, batch: 50, gatherMs: 200, drop: ['delivered'] },
  })
  const ids: string[] = []
  for (const to of customers)
    ids.push((await shop.post('/send', { to: `+${to}`, type: 'text', text: 'Hi' })).body.messageId)
  await until(
    async () => (await Promise.all(ids.map(statusOf))).every((status) => status === 'read'),
    'all messages were read',
  )
  simulator.set({ webhooks: { shuffle: false, duplicate: 0, batch: 1, drop: [] } })
  const { events } = (await shop.get('/events?limit=100')).body
  const reported = events
    .filter((event: Body) => event.event === 'message.status' && ids.includes(event.data.messageId))
    .map(({ data }: Body) => `${data.messageId} ${data.status}`)
  expect(new Set(reported).size).toBe(reported.length)
  expect(reported.filter((line: string) => line.endsWith(' read'))).toHaveLength(ids.length)
  expect(simulator.tally.summary().repeated).toEqual([])
})
