// What an operator adapter asks besides sending, against the simulator over HTTP, and what it makes of trouble. One
// adapter exists; a second joins the list below.
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

/** Every call, by the method and edge that a fault names. */
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
    // Who wrote may be blocked.
    simulator.customers.meet('919812345678').wroteAt = simulator.clock.now()
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

  test.each(calls)('%s is done', async (_call, ask) => {
    expect(await ask(operator, number)).toMatchObject({ kind: 'done' })
  })

  test.each(calls)('%s with a wrong token is refused with 190', async (_call, ask) => {
    const answered = await ask(operator, { ...number, token: 'other' })
    expect(answered).toMatchObject({ kind: 'refused', error: { code: 190, category: 'auth' } })
  })

  test.each(calls)('%s is refused with a throttle that says how long to wait', async (call, ask) => {
    simulator.faults.arm({ call, does: { error: 80007, regainMinutes: 2 }, times: 1 })
    const refused = { kind: 'refused', error: { code: 80007, retryable: true }, retryAfterSeconds: 120 }
    expect(await ask(operator, number)).toMatchObject(refused)
    expect(await ask(operator, number)).toMatchObject({ kind: 'done' })
  })

  test.each(calls)('%s that is never answered, or by something else, is unknown', async (call, ask) => {
    // A file may take minutes, and so does waiting for one.
    if (call !== 'POST media') {
      simulator.faults.arm({ call, does: { hang: 'before' }, times: 1 })
      expect(await ask(operator, number)).toMatchObject({ kind: 'unknown' })
    }
    simulator.faults.arm({ call, does: { close: 'after' }, times: 1 })
    expect(await ask(operator, number)).toMatchObject({ kind: 'unknown' })
    const page = { answer: { status: 502, text: '<html>', when: 'before' as const } }
    simulator.faults.arm({ call, does: page, times: 1 })
    expect(await ask(operator, number)).toMatchObject({ kind: 'unknown' })
  })

  test.each(calls)('%s that something else answers with 200 is unknown', async (call, ask) => {
    for (const text of ['<html>', '', '[]', '{"success":false}']) {
      simulator.faults.arm({ call, does: { answer: { status: 200, text, when: 'before' } }, times: 1 })
      expect(await ask(operator, number), text).toMatchObject({ kind: 'unknown' })
    }
  })

  test.each(calls.filter(([call]) => /flows|templates|configurations/.test(call)))(
    '%s that lists nothing at all is no empty list',
    async (call, ask) => {
      simulator.faults.arm({ call, does: { answer: { status: 200, text: '{}', when: 'before' } }, times: 1 })
      expect(await ask(operator, number)).toMatchObject({ kind: 'unknown' })
    },
  )

  test('a number of which nothing is said is not found', async () => {
    for (const text of ['{}', '{"login":"https://wifi.example"}']) {
      const answer = { status: 200, text, when: 'before' as const }
      simulator.faults.arm({ call: 'GET', does: { answer }, times: 1 })
      expect(await operator.findNumber(number), text).toMatchObject({ kind: 'unknown' })
    }
  })

  test.each(calls)('%s to an address where nobody is was not sent', async (_call, ask) => {
    const nobody = { ...number, baseUrl: 'http://127.0.0.1:9' }
    expect(await ask(operator, nobody)).toMatchObject({ kind: 'not_sent' })
  })

  test('a number is reported as the operator sees it', async () => {
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

  test('a file of a kind that nobody carries is refused', async () => {
    const answered = await operator.uploadMedia(number, file(Buffer.from('{}'), 'application/json'))
    expect(answered).toMatchObject({ kind: 'refused', error: { code: 100 } })
  })
})
