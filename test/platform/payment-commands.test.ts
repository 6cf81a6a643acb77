/** `parley gateway`, `parley simulate`, and the doctor's report on gateways (docs/running.md). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { commandEnv, order, pay, payingShop, reportCustomer, requestWhen } from '../support/payments.ts'
import { type StandInGateway, startGateway } from '../support/stand-in-gateway.ts'
import { until } from '../support/until.ts'

let parley: TestParley
let gateway: StandInGateway
beforeAll(async () => {
  gateway = await startGateway()
  parley = await boot({ env: { PARLEY_RAZORPAY_URL: gateway.apiUrl } })
})
afterAll(async () => {
  await parley.close()
  await gateway.stop()
})

const commandEnvironment = () => ({
  ...commandEnv(parley),
  PARLEY_RAZORPAY_URL: gateway.apiUrl,
})
const run = (...words: string[]) => runParley([...words, '--json'], commandEnvironment())
const answerOf = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
const RAZORPAY = ['--provider', 'razorpay', '--key-id', 'rzp_test_shop', '--key-secret', 'key secret']
const workspaceFlag = (shop: { workspaceId: string }) => ['--workspace', shop.workspaceId]

test('gateway set connects a gateway in a running server immediately, and shows where it must report', async () => {
  const shop = await parley.workspace({ sandbox: true })
  expect(await answerOf('gateway', 'set', ...workspaceFlag(shop), '--provider', 'simulator')).toEqual({
    provider: 'simulator',
    callbackUrl: `${parley.config.siteUrl}/api/gateway/${shop.workspaceId}`,
  })
  await shop.inbound('+919812345678', 'I take two.')
  expect((await shop.post('/payment-requests', order({ to: '+919812345678' }))).status).toBe(201)
})

test('gateway set accepts a real gateway, with the importer of the goods; its secrets are stored sealed', async () => {
  const shop = await parley.workspace()
  const secrets = ['--webhook-secret', 'webhook secret', '--configuration', 'shop-rzp']
  const street = ['--importer-name', 'Asha Traders', '--importer-line', '12 MG Road']
  const city = ['--importer-city', 'Bengaluru', '--importer-zone', 'KA', '--importer-postal-code', '560001']
  await answerOf('gateway', 'set', ...workspaceFlag(shop), ...RAZORPAY, ...secrets, ...street, ...city)
  const [row] = await parley.system((tx) =>
    tx.sql<{ keySecretSealed: Buffer; importer: object }>(
      'select * from payment_gateways where workspace_id = $1',
      [shop.workspaceId],
    ),
  )
  expect(row).toMatchObject({
    provider: 'razorpay',
    keyId: 'rzp_test_shop',
    configuration: 'shop-rzp',
    importer: {
      name: 'Asha Traders',
      address: { line: '12 MG Road', city: 'Bengaluru', zone: 'KA', postalCode: '560001' },
    },
  })
  expect(row!.keySecretSealed.includes('key secret')).toBe(false)
})

test('gateway remove disconnects it: no more payments can be requested', async () => {
  const shop = await parley.workspace()
  await shop.connectGateway()
  await reportCustomer(await connectNumber(parley, shop), '+919812345678')
  await until(
    async () => (await shop.get('/conversations')).body.conversations.length > 0,
    'the chat is there',
  )
  const requestPayment = () => shop.post('/payment-requests', order({ to: '+919812345678' }))
  expect((await requestPayment()).status).toBe(201)
  expect(await answerOf('gateway', 'remove', ...workspaceFlag(shop))).toMatchObject({ provider: 'simulator' })
  expect(await requestPayment()).toMatchObject({ status: 409, body: { error: 'conflict' } })
  expect(await run('gateway', 'remove', ...workspaceFlag(shop))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No payment gateway is connected'),
  })
})

test('gateway remove leaves a sandbox its simulated gateway, also for earlier requests', async () => {
  const { shop, phone } = await payingShop(parley)
  await answerOf('gateway', 'set', ...workspaceFlag(shop), '--provider', 'simulator')
  const { referenceId } = (await shop.post('/payment-requests', order({ to: phone }))).body.paymentRequest
  expect(await answerOf('gateway', 'remove', ...workspaceFlag(shop))).toMatchObject({ provider: 'simulator' })
  await pay(parley, shop, referenceId)
  expect((await shop.post('/payment-requests', order({ to: phone }))).status).toBe(201)
  expect(await run('gateway', 'remove', ...workspaceFlag(shop))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('always has the simulated gateway'),
  })
})

test('a sandbox accepts only the simulator; an unknown workspace is an error', async () => {
  const shop = await parley.workspace({ sandbox: true })
  expect(
    await run('gateway', 'set', ...workspaceFlag(shop), ...RAZORPAY, '--webhook-secret', 'w'),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sandbox'),
  })
  const unknownShop = { workspaceId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f' }
  expect(await run('gateway', 'set', ...workspaceFlag(unknownShop), '--provider', 'simulator')).toMatchObject(
    {
      code: 1,
    },
  )
})

test.each([
  [['gateway', 'set', '--provider', 'paypal'], /paypal/],
  [['gateway', 'set', ...RAZORPAY], /--webhook-secret/],
  [['gateway', 'set', '--provider', 'simulator', '--importer-city', 'Pune'], /--importer-name/],
  [['simulate', 'payment'], /--request/],
  [['simulate', 'payment', '--request', 'x', '--paise', '0'], /--paise/],
  [['simulate', 'payment', '--request', 'x', '--method', 'cash'], /--method/],
  [['simulate', 'fault', '--of', 'gateway', '--kind', 'late'], /--kind/],
  [['simulate', 'fault', '--of', 'weather', '--kind', 'refuse'], /--of/],
])('wrong usage exits with 2: %j', async (words, reason) => {
  const shop = await parley.workspace({ sandbox: true })
  const { code, stdout, stderr } = await run(...words, ...workspaceFlag(shop))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(reason)
})

const requestPayment = async (shop: TestWorkspace, phone: string) =>
  (await shop.post('/payment-requests', order({ to: phone }))).body.paymentRequest.id as string

test('simulate payment pays by id or referenceId, with an amount and a method; --fail fails', async () => {
  const { shop, phone } = await payingShop(parley)
  const [first, other, third] = [
    await requestPayment(shop, phone),
    await requestPayment(shop, phone),
    await requestPayment(shop, phone),
  ]
  const { referenceId } = (await shop.get(`/payment-requests/${other}`)).body.paymentRequest
  const simulate = (request: string, ...more: string[]) =>
    answerOf('simulate', 'payment', ...workspaceFlag(shop), '--request', request, ...more)
  expect(await simulate(first, '--paise', '100', '--method', 'card')).toEqual({
    paymentRequestId: first,
    status: 'paid',
  })
  expect((await shop.get(`/payment-requests/${first}`)).body.paymentRequest).toMatchObject({
    paidPaise: 100,
    paymentMethod: 'card',
  })
  expect(await simulate(referenceId)).toEqual({ paymentRequestId: other, status: 'paid' })
  expect(await simulate(third, '--fail')).toEqual({ paymentRequestId: third, status: 'failed' })
  expect(await simulate(third)).toEqual({ paymentRequestId: third, status: 'paid' })
  expect(await run('simulate', 'payment', ...workspaceFlag(shop), '--request', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Payment request not found'),
  })
})

test('simulate payment through a payment configuration is reported by the operator and by the gateway', async () => {
  const { shop, phone } = await payingShop(parley)
  await shop.connectGateway({ configuration: 'simulated' })
  await shop.post('/leads', { phone })
  const id = await requestPayment(shop, phone)
  await requestWhen(shop, id, ({ status }) => status === 'sent', 'it is sent')
  const { messageId } = (await shop.get(`/payment-requests/${id}`)).body.paymentRequest
  const { message } = (await shop.get(`/messages/${messageId}`)).body
  expect(message.content.action.parameters.payment_settings).toMatchObject([
    { type: 'payment_gateway', payment_gateway: { configuration_name: 'simulated' } },
  ])
  expect(await answerOf('simulate', 'payment', ...workspaceFlag(shop), '--request', id)).toMatchObject({
    status: 'paid',
  })
  await shop.advance(60)
  expect((await shop.get(`/leads/${phone}`)).body.lead.paidTotal).toBe(480)
})

test('simulate fault makes the next calls to the gateway fail', async () => {
  const { shop, phone } = await payingShop(parley)
  expect(
    await answerOf(
      'simulate',
      'fault',
      ...workspaceFlag(shop),
      '--of',
      'gateway',
      '--kind',
      'refuse',
      '--times',
      '2',
    ),
  ).toEqual({ of: 'gateway', kind: 'refuse', times: 2 })
  const id = await requestPayment(shop, phone)
  await requestWhen(shop, id, ({ status }) => status === 'failed', 'it has failed')
  const next = await requestPayment(shop, phone)
  await requestWhen(shop, next, ({ status }) => status === 'sent', 'the next is sent')
})

test('the doctor reports the state of gateways', async () => {
  const findings = async (env: Record<string, string> = {}) => {
    const { stdout } = await runParley(['doctor', '--json'], { ...commandEnvironment(), ...env })
    const checks = JSON.parse(stdout).checks as { name: string; status: string; detail: string }[]
    return checks.filter(({ name }) => name === 'payment gateways')
  }
  const shop = await parley.workspace()
  const findingsOfShop = (list: { detail: string }[]) =>
    list.filter(({ detail }) => detail.includes(shop.workspaceId))
  await answerOf('gateway', 'set', ...workspaceFlag(shop), ...RAZORPAY, '--webhook-secret', 'w')
  expect(findingsOfShop(await findings())).toMatchObject([
    { status: 'ok', detail: expect.stringContaining('accepts the key') },
  ])
  const credentials = ['--key-id', 'rzp_test_shop', '--key-secret', 'wrong', '--webhook-secret', 'w']
  await answerOf('gateway', 'set', ...workspaceFlag(shop), '--provider', 'razorpay', ...credentials)
  expect(findingsOfShop(await findings())).toMatchObject([
    { status: 'failed', detail: expect.stringContaining('Authentication failed') },
  ])
  const unreachable = { PARLEY_RAZORPAY_URL: 'http://127.0.0.1:9/v1' }
  expect(findingsOfShop(await findings(unreachable))).toMatchObject([{ status: 'warning' }])
  const unknownOnes = { PARLEY_SECRET_KEY: 'another key, also long enough to be one' }
  expect(findingsOfShop(await findings(unknownOnes))).toMatchObject([
    { status: 'failed', detail: expect.stringContaining('another key') },
  ])
})
