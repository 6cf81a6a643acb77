// Tests every call of an operator adapter except sending, against the simulator over HTTP, including
// failures. To test a second adapter, add it to the list below.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCloudOperator } from './cloud/operator.ts'
import type { Answered, Operator, OperatorNumber } from './port.ts'
import { type StandaloneSimulator, startStandaloneSimulator } from './simulator/standalone/start.ts'

const adapters: [string, () => Operator][] = [['cloud', () => createCloudOperator({ timeoutMs: 1000 })]]
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const asha = { phone: '+919812345678', userId: null }

const file = (bytes: Buffer, mimeType = 'image/jpeg') => ({
  filename: 'a.jpg',
  mimeType,
  sizeBytes: bytes.byteLength,
  stream: () => Readable.from([bytes]),
})

/** Every call, named by the method and edge that a fault uses. */
const calls: [string, (operator: Operator, number: OperatorNumber) => Promise<Answered<unknown>>][] = [
  ['GET', (operator, number) => operator.findNumber(number)],
  [
    'POST messages read',
    (operator, number) => operator.markRead(number, { chanmid: 'wamid.IN', typing: true }),
  ],
  ['POST block_users', (operator, number) => operator.block(number, asha)],
  ['DELETE block_users', (operator, number) => operator.unblock(number, asha)],
  ['GET flows', (operator, number) => operator.listFlows(number, null)],
  ['POST media', (operator, number) => operator.uploadMedia(number, file(jpeg))],
  [
    'GET message_templates',
    (operator, number) => operator.listTemplates(number, { after: null, name: null }),
  ],
  ['GET payment_configurations', (operator, number) => operator.listPaymentConfigurations(number)],
]

describe.each(adapters)('the calls of the %s adapter', (_name, createOperator) => {
  let simulator: StandaloneSimulator
  let operator: Operator
  let number: OperatorNumber

  beforeEach(async () => {
    simulator = await startStandaloneSimulator({
      port: 0,
      host: '127.0.0.1',
      numbers: [{ operatorId: '106', accountId: '102', token: 'token-1', displayNumber: '15550100' }],
      appSecret: 'app-secret',
    })
    // Only customers who wrote can be blocked.
    simulator.customers.findOrCreate('919812345678').wroteAt = simulator.clock.now()
    operator = createOperator()
    number = {
      id: 'number-1',
      operator: 'cloud',
      operatorId: '106',
      accountId: '102',
      token: 'token-1',
      baseUrl: simulator.url,
    }
  })
  afterEach(async () => {
    await operator.close()
    await simulator.close()
  })

  test.each(calls)('%s succeeds', async (_call, callOperator) => {
    expect(await callOperator(operator, number)).toMatchObject({ kind: 'done' })
  })

  test.each(calls)('%s with a wrong token returns error 190', async (_call, callOperator) => {
    const answered = await callOperator(operator, { ...number, token: 'other' })
    expect(answered).toMatchObject({ kind: 'refused', error: { code: 190, category: 'auth' } })
  })

  test.each(calls)('%s is throttled with a retry time', async (call, callOperator) => {
    simulator.faults.arm({ call, does: { error: 80007, regainMinutes: 2 }, times: 1 })
    const refused = { kind: 'refused', error: { code: 80007, retryable: true }, retryAfterSeconds: 120 }
    expect(await callOperator(operator, number)).toMatchObject(refused)
    expect(await callOperator(operator, number)).toMatchObject({ kind: 'done' })
  })

  test.each(calls)(
    '%s without an answer, or answered by something else, is unknown',
    async (call, callOperator) => {
      // A file may take minutes, so the timeout would too.
      if (call !== 'POST media') {
        simulator.faults.arm({ call, does: { hang: 'before' }, times: 1 })
        expect(await callOperator(operator, number)).toMatchObject({ kind: 'unknown' })
      }
      simulator.faults.arm({ call, does: { close: 'after' }, times: 1 })
      expect(await callOperator(operator, number)).toMatchObject({ kind: 'unknown' })
      const page = { answer: { status: 502, text: '<html>', when: 'before' as const } }
      simulator.faults.arm({ call, does: page, times: 1 })
      expect(await callOperator(operator, number)).toMatchObject({ kind: 'unknown' })
    },
  )

  test.each(calls)('%s is unknown when something else answers with 200', async (call, callOperator) => {
    for (const text of ['<html>', '', '[]', '{"success":false}']) {
      simulator.faults.arm({ call, does: { answer: { status: 200, text, when: 'before' } }, times: 1 })
      expect(await callOperator(operator, number), text).toMatchObject({ kind: 'unknown' })
    }
  })

  test.each(calls.filter(([call]) => /flows|templates|configurations/.test(call)))(
    '%s without a list in the answer is not an empty list',
    async (call, callOperator) => {
      simulator.faults.arm({ call, does: { answer: { status: 200, text: '{}', when: 'before' } }, times: 1 })
      expect(await callOperator(operator, number)).toMatchObject({ kind: 'unknown' })
    },
  )

  test('a number without data in the answer is not found', async () => {
    for (const text of ['{}', '{"login":"https://wifi.example"}']) {
      const answer = { status: 200, text, when: 'before' as const }
      simulator.faults.arm({ call: 'GET', does: { answer }, times: 1 })
      expect(await operator.findNumber(number), text).toMatchObject({ kind: 'unknown' })
    }
  })

  test.each(calls)('%s to an address where no server listens was not sent', async (_call, callOperator) => {
    const unreachable = { ...number, baseUrl: 'http://127.0.0.1:9' }
    expect(await callOperator(operator, unreachable)).toMatchObject({ kind: 'not_sent' })
  })

  test("a number is reported with the operator's values", async () => {
    await simulator.store.setNumberState?.(simulator.store.numbers[0]!, { quality: 'RED', status: 'FLAGGED' })
    expect(await operator.findNumber(number)).toEqual({
      kind: 'done',
      value: expect.objectContaining({
        operatorId: '106',
        displayNumber: '+15550100',
        quality: 'RED',
        status: 'FLAGGED',
        throughput: 'STANDARD',
        messagingLimit: 'TIER_250',
      }),
    })
  })

  test('a file is uploaded, found, downloaded and deleted', async () => {
    const uploaded = await operator.uploadMedia(number, file(jpeg))
    const id = uploaded.kind === 'done' ? uploaded.value.id : ''
    const found = await operator.findMedia(number, id)
    expect(found).toMatchObject({
      kind: 'done',
      value: { mimeType: 'image/jpeg', sizeBytes: jpeg.byteLength },
    })
    const url = found.kind === 'done' ? found.value.url : ''
    const download = await operator.downloadMedia(number, url)
    expect(download.kind === 'done' && (await buffer(download.value.stream))).toEqual(jpeg)
    expect(await operator.deleteMedia(number, id)).toMatchObject({ kind: 'done' })
    expect(await operator.findMedia(number, id)).toMatchObject({ kind: 'refused', error: { code: 100 } })
    expect(await operator.downloadMedia(number, url)).toMatchObject({ kind: 'refused' })
  })

  test("a file of a type that the network doesn't carry is rejected", async () => {
    const answered = await operator.uploadMedia(number, file(Buffer.from('{}'), 'application/json'))
    expect(answered).toMatchObject({ kind: 'refused', error: { code: 100 } })
  })
})
