// Tests every operator adapter against the simulator over HTTP. To test a second adapter, add it to the list
// below.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCloudOperator } from './cloud/operator.ts'
import { readWebhook } from './cloud/reports.ts'
import type { Operator, OperatorNumber, OutboundMessage, Report } from './port.ts'
import { startSimulator } from './simulator/start.ts'
import { type After, createTimerStore, type TimerStore } from './simulator/timer-store.ts'
import { inboundValue, newChannelMessageId } from './simulator/webhook-values.ts'
import { verifyWebhookSignature } from './webhook-signature.ts'

const adapters: [string, () => Operator][] = [['cloud', createCloudOperator]]

const simulated = {
  operatorId: '106000000000001',
  accountId: '102000000000001',
  token: 'token-1',
  displayNumber: '15550100',
}
const appSecret = 'app-secret'
const start = new Date('2026-06-01T09:30:00.000Z')

const text = (changes: Partial<OutboundMessage> = {}): OutboundMessage => ({
  callbackData: 'our-id-1',
  to: '+919812345678',
  recipient: null,
  type: 'text',
  content: { body: 'Namaste 🙏 / hi' },
  replyTo: null,
  ...changes,
})

/** Timers that fire on demand: `pass(ms)` runs the timers due in that time, in order. */
function manualTimers() {
  let now = 0
  let waiting: { at: number; run: () => void }[] = []
  const after: After = (ms, run) => {
    const timer = { at: now + ms, run }
    waiting.push(timer)
    return () => {
      waiting = waiting.filter((other) => other !== timer)
    }
  }
  function pass(ms: number) {
    now += ms
    const due = waiting.filter((timer) => timer.at <= now).sort((a, b) => a.at - b.at)
    waiting = waiting.filter((timer) => timer.at > now)
    for (const timer of due) timer.run()
  }
  return { after, pass, waiting: () => waiting.length }
}

/** Starts a receiver of signed webhooks. `next(n)` resolves with the next n reports. */
async function startReceiver() {
  const inbox: Report[] = []
  let statusToAnswer = 200
  let wake: () => void = () => {}
  const server = createServer((req, res) => void receive(req, res))
  async function receive(req: IncomingMessage, res: ServerResponse) {
    const raw = await readAll(req)
    expect(verifyWebhookSignature(raw, req.headers['x-hub-signature-256'], appSecret)).toBe(true)
    expect(/^[\x20-\x7e]*$/.test(raw.toString('latin1'))).toBe(true)
    res.writeHead(statusToAnswer).end()
    if (statusToAnswer === 200) {
      for (const { operatorId, reports } of readWebhook(JSON.parse(raw.toString('utf8')))) {
        expect(operatorId).toBe(simulated.operatorId)
        inbox.push(...reports)
      }
    } else statusToAnswer = 200
    wake()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  async function next(count: number): Promise<Report[]> {
    while (inbox.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return inbox.splice(0, count)
  }
  /** Answers the next webhook with `status`; resolves after the answer. */
  const refuseNext = (status: number) => {
    statusToAnswer = status
    return new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hook`, next, refuseNext, close }
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each(adapters)('the %s adapter against the simulator', (_name, createOperator) => {
  const timers = manualTimers()
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let simulator: Awaited<ReturnType<typeof startSimulator>>
  let store: TimerStore
  let operator: Operator
  let number: OperatorNumber

  beforeEach(async () => {
    receiver = await startReceiver()
    store = createTimerStore({
      numbers: [simulated],
      callbackUrl: receiver.url,
      appSecret,
      clock: { now: () => start, monotonicMs: () => 0 },
      after: timers.after,
    })
    simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
    operator = createOperator()
    number = { id: 'number-1', operator: 'simulator', baseUrl: simulator.url, ...simulated }
  })

  afterEach(async () => {
    store.close()
    await operator.close()
    await simulator.close()
    receiver.close()
  })

  test('an accepted text is reported sent at 1 second, delivered at 2, read at 5 (spec 4.9)', async () => {
    const handover = await operator.send(number, text())
    expect(handover).toEqual({
      kind: 'accepted',
      status: 200,
      chanmid: expect.stringMatching(/^wamid\.[A-Za-z0-9=]+$/),
      phone: text().to,
    })
    const chanmid = handover.kind === 'accepted' ? handover.chanmid : ''
    const receipt = { kind: 'receipt', chanmid, callbackData: 'our-id-1', errors: [] }
    const receipts = (status: string, seconds: number) => [
      expect.objectContaining({ ...receipt, status, at: timeAt(seconds) }),
    ]
    timers.pass(999)
    timers.pass(1)
    expect(await receiver.next(1)).toEqual(receipts('sent', 1))
    timers.pass(1000)
    expect(await receiver.next(1)).toEqual(receipts('delivered', 2))
    timers.pass(3000)
    expect(await receiver.next(1)).toEqual(receipts('read', 5))
    expect(timers.waiting()).toBe(0)
  })

  test.each([
    ['+12125550126', 131026, true],
    ['+19075550149', 131049, false],
  ])('a text to %s is sent, then fails at 2 seconds with code %i (spec 4.9)', async (to, code, permanent) => {
    expect(await operator.send(number, text({ to }))).toMatchObject({ kind: 'accepted' })
    timers.pass(1000)
    expect(await receiver.next(1)).toMatchObject([{ status: 'sent' }])
    timers.pass(1000)
    expect(await receiver.next(1)).toMatchObject([
      {
        status: 'failed',
        callbackData: 'our-id-1',
        at: timeAt(2),
        errors: [{ code, permanent, retryable: !permanent, details: expect.any(String) }],
      },
    ])
    expect(timers.waiting()).toBe(0)
  })

  test('the reserved endings have no effect in another country', async () => {
    await operator.send(number, text({ to: '+442125550126' }))
    timers.pass(1000)
    timers.pass(1000)
    expect(await receiver.next(2)).toMatchObject([{ status: 'sent' }, { status: 'delivered' }])
  })

  test('a customer without a number is reached by user id', async () => {
    const message = text({ to: null, recipient: 'IN.13491208655302741918', replyTo: 'wamid.X' })
    expect(await operator.send(number, message)).toMatchObject({ kind: 'accepted' })
    timers.pass(1000)
    expect(await receiver.next(1)).toMatchObject([{ status: 'sent', callbackData: 'our-id-1' }])
  })

  test.each([
    ['a wrong token', { number: { token: 'other' } }, 190],
    ['an unknown number', { number: { operatorId: '999' } }, 100],
    ['an empty text', { message: { content: { body: '' } } }, 100],
    ['a text of 4097 characters', { message: { content: { body: 'x'.repeat(4097) } } }, 100],
    ['a payload that is none', { message: { content: [] } }, 100],
    ['an unknown type', { message: { type: 'telegram', content: {} } }, 100],
    ['a number that is none', { message: { to: 'abc' } }, 131009],
    ['itself', { message: { to: '+15550100' } }, 131021],
  ] as const)('%s is rejected, and no report is scheduled', async (_what, changes, code) => {
    const from = { ...number, ...('number' in changes ? changes.number : {}) }
    const message = text('message' in changes ? (changes.message as Partial<OutboundMessage>) : {})
    expect(await operator.send(from, message)).toMatchObject({
      kind: 'refused',
      error: { code },
      retryAfterSeconds: null,
    })
    expect(timers.waiting()).toBe(0)
  })

  test('a text may have 4096 characters, including characters of two UTF-16 units', async () => {
    const content = { body: '🙏'.repeat(4096) }
    expect(await operator.send(number, text({ content }))).toMatchObject({ kind: 'accepted' })
  })

  test("a webhook that wasn't accepted is sent again", async () => {
    await operator.send(number, text())
    const refused = receiver.refuseNext(503)
    timers.pass(1000)
    await refused
    // The failed answer is still being stored: its retry appears next to delivered and read.
    await until(() => timers.waiting() === 3)
    timers.pass(1000)
    const statuses = (await receiver.next(2)).map((report) => report.kind === 'receipt' && report.status)
    expect(new Set(statuses)).toEqual(new Set(['delivered', 'sent']))
  })

  test.each([
    ['text', { text: 'Hi' }, { type: 'text', content: { body: 'Hi' } }],
    [
      'a tapped button',
      { button: { id: 'a', title: 'Yes' } },
      { type: 'interactive', content: { type: 'button_reply', button_reply: { id: 'a', title: 'Yes' } } },
    ],
    [
      'a picked row',
      { list: { id: 'r', title: 'Row' } },
      { type: 'interactive', content: { type: 'list_reply', list_reply: { id: 'r', title: 'Row' } } },
    ],
  ])('a customer sends %s', async (_what, content, expected) => {
    const id = newChannelMessageId()
    const sender = { from: '+919812345678', profileName: 'आशा' }
    await store.deliver(simulated, inboundValue({ number: simulated, at: start, id, ...sender, ...content }))
    expect(await receiver.next(1)).toEqual([
      expect.objectContaining({
        kind: 'inbound',
        chanmid: id,
        phone: '+919812345678',
        userId: null,
        username: null,
        profileName: 'आशा',
        at: start,
        replyTo: null,
        ...expected,
      }),
    ])
  })

  test('a customer who shares no number writes', async () => {
    const sender = { userId: 'IN.1349', username: 'asha_r' }
    const value = inboundValue({ number: simulated, at: start, id: 'wamid.1', ...sender, text: 'Hi' })
    await store.deliver(simulated, value)
    expect(await receiver.next(1)).toMatchObject([{ phone: null, userId: 'IN.1349', username: 'asha_r' }])
  })

  test('hundreds of concurrent messages are accepted, each with its own id', async () => {
    const sent = await Promise.all(
      Array.from({ length: 300 }, (_, index) => operator.send(number, text({ callbackData: `id-${index}` }))),
    )
    expect(new Set(sent.map((handover) => handover.kind === 'accepted' && handover.chanmid)).size).toBe(300)
  })
})

const timeAt = (seconds: number) => new Date(start.getTime() + seconds * 1000)

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
