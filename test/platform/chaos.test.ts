/** `parley chaos` finds what a receiver of webhooks does well, and what it does not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { commandEnv } from '../support/payments.ts'
import { type Answering, makeReceivers, type Received, signatureBy } from '../support/receiver.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

const env = () => ({ ...commandEnv(parley), ...receivers.env })

type Row = { result: string; rule: string; need: string; answer: string; repair: string | null }

/** Runs the command about a new endpoint of a sandbox. */
async function chaos(answering: (secret: () => string) => Answering) {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open()
  const { body } = await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
  const secret: string = body.webhook?.secret ?? body.secret
  receiver.answer(answering(() => secret))
  const run = await runParley(['chaos', '--endpoint', body.webhook.id, '--json'], env())
  const report: { ok: boolean; checks: Row[] } = JSON.parse(run.stdout || '{}')
  const failed = report.checks?.filter(({ result }) => result !== 'passed').map(({ rule }) => rule)
  return { shop, receiver, run, report, failed }
}

const TOLERANCE_SECONDS = 300

/** A receiver that follows the documentation. */
const good = (secret: () => string): Answering => {
  const known = new Set<string>()
  return (response, request: Received) => {
    const sent = String(request.headers['x-webhook-signature'] ?? '').split(',')
    const ageSeconds = systemClock.now().getTime() / 1_000 - Number(request.headers['x-webhook-timestamp'])
    const isValid = sent.includes(signatureBy(secret(), request)) && Math.abs(ageSeconds) < TOLERANCE_SECONDS
    if (isValid) known.add(request.body.id)
    response.writeHead(isValid ? 204 : 400).end()
  }
}

test('a receiver that follows the documentation passes every check', async () => {
  const { run, report, failed } = await chaos(good)
  expect(failed, run.stdout + run.stderr).toEqual([])
  expect([run.code, report.ok]).toEqual([0, true])
  expect(report.checks.map(({ rule }) => rule)).toContain('accepts concurrent copies')
})

test('a receiver that checks no signature fails, with the way to repair it', async () => {
  const { run, report, failed } = await chaos(() => 200)
  expect(run.code).toBe(1)
  expect(failed).toEqual([
    'rejects a timestamp that is too old',
    'rejects a timestamp in the future',
    'rejects a wrong signature',
    'rejects a body that was changed',
    'rejects a delivery without a signature',
    'rejects a secret that was replaced',
  ])
  expect(report.checks.find(({ rule }) => rule === 'rejects a wrong signature')).toMatchObject({
    result: 'failed',
    need: 'must',
    answer: expect.stringMatching(/^200 after \d+ ms$/),
    repair: expect.stringContaining('4xx'),
  })
})

test('a slow receiver is told apart from a wrong one, within a minute', { timeout: 90_000 }, async () => {
  const startedMs = systemClock.monotonicMs()
  const { run, failed } = await chaos((secret) => {
    const answer = good(secret)
    return (response, request) => {
      setTimeout(() => (typeof answer === 'function' ? answer(response, request) : undefined), 5_500)
    }
  })
  expect(systemClock.monotonicMs() - startedMs).toBeLessThan(60_000)
  expect(failed).toEqual(['answers within 5 seconds'])
  expect(run.code, 'only a must counts').toBe(0)
})

test('without a valid answer to a signed delivery, nothing else is sent', async () => {
  const { run, report, receiver } = await chaos(() => 500)
  expect(run.code).toBe(1)
  expect(receiver.received).toHaveLength(1)
  expect(report.checks[0]).toMatchObject({ result: 'failed', rule: 'accepts a signed delivery' })
  expect(report.checks[1]).toMatchObject({ result: 'not run' })
})

test('a live workspace and an unknown endpoint get nothing', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const { body } = await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
  const live = await runParley(['chaos', '--endpoint', body.webhook.id], env())
  expect([live.code, live.stderr]).toEqual([1, expect.stringContaining('Chaos runs only in a sandbox')])
  expect(receiver.received).toEqual([])
  const unknown = await runParley(['chaos', '--endpoint', '0197a1b2-0000-7000-8000-000000000001'], env())
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('not found')])
})
