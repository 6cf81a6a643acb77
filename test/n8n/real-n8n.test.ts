/**
 * The nodes in a real n8n. `PARLEY_TEST_N8N` names a folder in which n8n is installed (docs/decisions/n8n.md); without it these tests
 * are skipped, because n8n takes gigabytes.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { N8N_FOLDER, packNodes, prepareN8n, type RealN8n } from '../support/n8n/real-n8n.ts'
import { freePort } from '../support/redis-server.ts'
import { until } from '../support/until.ts'

const PHONE = '+919812345901'
// Both tests are steps of one story, so that a second go would start in its middle.
const inN8n = (name: string, run: () => Promise<void>) => test.skipIf(!N8N_FOLDER)(name, { retry: 0 }, run)
if (!N8N_FOLDER) console.warn('SKIPPED: the tests in a real n8n. Set PARLEY_TEST_N8N to a folder with n8n.')

let parley: TestParley
let shop: TestWorkspace
let n8n: RealN8n
beforeAll(async () => {
  if (!N8N_FOLDER) return
  n8n = await prepareN8n(await packNodes())
  const port = String(await freePort())
  parley = await boot({ env: { ...n8n.env, PORT: port, PARLEY_SITE_URL: `http://localhost:${port}` } })
  shop = await parley.workspace({ sandbox: true })
  const data = { baseUrl: parley.url, apiKey: shop.key }
  await n8n.import('credentials', [{ id: 'parley', name: 'Sandbox', type: 'parleyApi', data }])
  await n8n.import('workflow', [ANSWERS])
  await n8n.publish(ANSWERS.id)
  await n8n.start()
  const owner = {
    email: 'owner@example.com',
    firstName: 'Asha',
    lastName: 'Rao',
    password: `Pw1${randomUUID()}`,
  }
  expect((await n8n.call('POST', '/owner/setup', owner)).status).toBe(200)
})
afterAll(async () => {
  await n8n?.stop()
  await parley?.close()
})

const credentials = { parleyApi: { id: 'parley', name: 'Sandbox' } }
const parleyNode = (name: string, parameters: object, more: object = {}) => ({
  id: randomUUID(),
  name,
  type: 'n8n-nodes-parley.parley',
  typeVersion: 1,
  position: [0, 0],
  parameters,
  credentials,
  ...more,
})
const next = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] })

/** Answers each message, notes it at the lead, and reads the leads. */
const ANSWERS = {
  id: 'answers',
  name: 'Answer customers',
  active: true,
  settings: { executionOrder: 'v1' },
  nodes: [
    {
      id: randomUUID(),
      name: 'Parley Trigger',
      type: 'n8n-nodes-parley.parleyTrigger',
      typeVersion: 1,
      position: [0, 0],
      webhookId: randomUUID(),
      parameters: { events: ['message.received'], workspace: 'sandbox' },
      credentials,
    },
    parleyNode(
      'Answer',
      {
        resource: 'message',
        operation: 'send',
        to: '={{ $json.data.contact.phone }}',
        type: 'text',
        text: '=You wrote: {{ $json.data.content.body }}',
        additionalFields: {},
      },
      { retryOnFail: true, maxTries: 3 },
    ),
    parleyNode('Lead', {
      resource: 'lead',
      operation: 'capture',
      phone: "={{ $('Parley Trigger').item.json.data.contact.phone }}",
      additionalFields: { tags: 'from n8n, chat', attributes: '{"source": "n8n"}' },
    }),
    parleyNode('Leads', { resource: 'lead', operation: 'getAll', returnAll: true, filters: {} }),
  ],
  connections: { 'Parley Trigger': next('Answer'), Answer: next('Lead'), Lead: next('Leads') },
}

const answers = async () =>
  (await shop.get('/messages?direction=outbound')).body.messages.map(({ text }: { text: string }) => text)
const webhooks = async () => (await shop.get('/webhooks')).body.webhooks as { id: string; url: string }[]
const executions = async () => {
  const { body } = await n8n.call('GET', '/executions?limit=50')
  return (body as { data: { results: { id: string; status: string }[] } }).data.results
}
/** Waits for the number of finished executions; returns their states. */
const finished = (count: number) =>
  until(async () => {
    const states = (await executions()).map(({ status }) => status)
    return states.length >= count && states.every((status) => !['new', 'running'].includes(status)) && states
  }, `${count} executions are finished`)

inN8n('a message starts the workflow, and its answer is in Parley once', async () => {
  const [webhook] = await until(async () => {
    const found = await webhooks()
    return found.length > 0 && found
  }, 'the trigger is registered')
  expect(webhook!.url).toContain(`${n8n.url}/webhook/`)

  await shop.inbound(PHONE, 'Is the blue one in stock?')
  expect(await finished(1)).toEqual(['success'])
  expect(await answers()).toEqual(['You wrote: Is the blue one in stock?'])
  const { lead } = (await shop.get(`/leads/${encodeURIComponent(PHONE)}`)).body
  expect(lead).toMatchObject({ tags: ['from n8n', 'chat'], attributes: { source: 'n8n' } })

  const { deliveries } = (await shop.get(`/webhooks/${webhook!.id}/deliveries`)).body
  await shop.post(`/webhooks/deliveries/${deliveries[0].id}/redeliver`)
  const again = await until(async () => {
    const deliveryRows = (await shop.get(`/webhooks/${webhook!.id}/deliveries`)).body.deliveries
    return (
      deliveryRows.length === 2 &&
      deliveryRows.every(({ httpStatus }: { httpStatus: number }) => httpStatus === 200) &&
      deliveryRows
    )
  }, 'the event is delivered again')
  expect(again).toHaveLength(2)
  const json = { 'content-type': 'application/json' }
  const forged = {
    ...json,
    'x-webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'x-webhook-signature': `sha256=${'0'.repeat(64)}`,
  }
  for (const headers of [json, forged]) expect(await n8n.post(webhook!.url, headers, '{"id":"1"}')).toBe(401)
  expect(await answers()).toHaveLength(1)
  expect(await executions()).toHaveLength(1)

  await n8n.stop()
  await n8n.start()
  await shop.inbound(PHONE, 'And the red one?')
  expect(await finished(2)).toEqual(['success', 'success'])
  expect(await webhooks()).toHaveLength(1)
  expect((await answers()).sort()).toEqual([
    'You wrote: And the red one?',
    'You wrote: Is the blue one in stock?',
  ])
})

inN8n('a deactivated workflow removes its address at Parley', async () => {
  const answer = await n8n.call('POST', '/workflows/answers/deactivate', {})
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  await until(async () => (await webhooks()).length === 0, 'the address is removed')
})
