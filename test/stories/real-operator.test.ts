/** A number of the real operator: the same HTTP API, here played by the simulator standing alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/workspaces/operations.ts'
import { memoryObjects } from '../../src/operator/simulator/memory-objects.ts'
import { startSimulator } from '../../src/operator/simulator/start.ts'
import { createTimerStore, type TimerStore } from '../../src/operator/simulator/timer-store.ts'
import { inboundValue } from '../../src/operator/simulator/webhook-values.ts'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
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
let store: TimerStore
let simulator: { url: string; close(): Promise<void> }

beforeAll(async () => {
  // The receipts of this operator come at once: what is tested is their way, not their pace.
  const late: { deliver?: TimerStore } = {}
  simulator = await startSimulator({
    store: {
      ...memoryObjects(systemClock),
      findNumber: async (id) => late.deliver?.findNumber(id),
      listNumbers: async (accountId) => late.deliver?.listNumbers(accountId) ?? [],
      findNumberByToken: async (token) => late.deliver?.findNumberByToken(token),
      now: async () => systemClock.now(),
      schedule: async (...args) => late.deliver?.schedule(...args),
    },
    host: '127.0.0.1',
    port: 0,
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
  store = createTimerStore({
    numbers: [number],
    callbackUrl: `${parley.url}/api/operator/${shop.workspaceId}`,
    appSecret,
    after: (_ms, run) => {
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
  })
  late.deliver = store
})
afterAll(async () => {
  store.close()
  await parley.close()
  await simulator.close()
})

test('the handshake answers the challenge to the right token only', async () => {
  const ask = (token: string) =>
    parley.anonymous.get(
      `/api/operator/${shop.workspaceId}?hub.mode=subscribe&hub.challenge=4711&hub.verify_token=${token}`,
    )
  expect(await ask('handshake')).toMatchObject({ status: 200, text: '4711' })
  expect((await ask('guess')).status).toBe(403)
})

test('an update with a wrong signature is refused and stored nowhere', async () => {
  const answer = await parley.anonymous.post(
    `/api/operator/${shop.workspaceId}`,
    { object: 'whatsapp_business_account', entry: [] },
    { headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } },
  )
  expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
})

test('a signed message opens the window, the answer goes out once and its receipts come back', async () => {
  await store.deliver(
    number,
    inboundValue({
      number,
      from: '919812345678',
      profileName: 'Asha',
      text: 'Hello',
      at: new Date(),
      id: 'wamid.first',
    }),
  )
  await until(async () => (await shop.get('/messages')).body.messages.length === 1, 'the message arrived')
  // The same update again changes nothing.
  await store.deliver(
    number,
    inboundValue({
      number,
      from: '919812345678',
      profileName: 'Asha',
      text: 'Hello',
      at: new Date(),
      id: 'wamid.first',
    }),
  )
  const sent = await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Hi Asha' })
  expect(sent.status).toBe(200)
  await until(
    async () => (await shop.get(`/messages/${sent.body.messageId}`)).body.message.status === 'read',
    'the answer was read',
  )
  const messages = (await shop.get('/messages')).body.messages
  expect(messages).toHaveLength(2)
})
