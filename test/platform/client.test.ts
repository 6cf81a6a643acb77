/** The client of sdk/ against a real installation. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../sdk/client.ts'
import { ApiError, NoResponseError } from '../../sdk/errors.ts'
import { verifyWebhook, WebhookError } from '../../sdk/webhook.ts'
import { newPhone } from '../contract/arrange.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { makeReceivers } from '../support/receiver.ts'
import { madeInvoice } from '../support/sales.ts'

const ROOT = join(import.meta.dirname, '../..')

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

/** The compiler options that a user's project may apply to every file in it. */
const STRICT = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--noImplicitOverride',
  '--noPropertyAccessFromIndexSignature',
  '--verbatimModuleSyntax',
]
const RUNTIMES = [
  ['of a browser', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'],
  ['of Node', '--module', 'nodenext', '--lib', 'es2022', '--types', 'node'],
] as const

test.each(RUNTIMES)('compiles under strict options with the types %s', async (_, ...runtime) => {
  const files = ['client.ts', 'errors.ts', 'webhook.ts'].map((name) => join(ROOT, 'sdk', name))
  const options = ['--ignoreConfig', '--noEmit', '--allowImportingTsExtensions', '--target', 'es2022']
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = await promisify(execFile)(tsc, [...options, ...STRICT, ...runtime, ...files], {
    cwd: ROOT,
  }).catch((failed: { stdout: string }) => failed)
  expect(stdout).toBe('')
})

type Sent = { address: string; headers: Record<string, string> }
/**
 * Creates a client whose requests are observed; `meddle` may answer a request itself, or throw, before or
 * after it has arrived.
 */
function client(meddle?: (attempt: number, forward: () => Promise<Response>) => Promise<Response>) {
  const sent: Sent[] = []
  const created = createClient({
    baseUrl: `${parley.url}/`,
    key: shop.key,
    fetch: (address, request) => {
      sent.push({ address, headers: request.headers as Record<string, string> })
      const forward = () => fetch(address, request)
      return meddle ? meddle(sent.length, forward) : forward()
    },
  })
  return { ...created, sent, keys: () => sent.map(({ headers }) => headers['idempotency-key']) }
}
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  )
const respond = (status: number, headers: Record<string, string> = {}, text = '') =>
  new Response(text, { status, headers })

describe('a call', () => {
  test("sends an endpoint's input, and returns its reply", async () => {
    const { call, sent, keys } = client()
    const phone = newPhone()
    const { contact } = await call('POST /contacts', { body: { phone, displayName: 'Asha Rao' } })
    expect(contact).toMatchObject({ e164: phone, displayName: 'Asha Rao' })
    const read = await call('GET /contacts/{id}', { params: { id: phone } })
    expect(read.contact.id).toBe(contact.id)
    expect(sent[1]!.address).toBe(`${parley.url}/api/v1/contacts/${encodeURIComponent(phone)}`)
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), undefined])
  })

  test('that gets an error throws it, and is not tried again', async () => {
    const { call, sent } = client()
    const invalid = await faultOf(call('POST /contacts', { body: { phone: 'nobody' } }))
    expect(invalid).toBeInstanceOf(ApiError)
    expect(invalid).toMatchObject({
      status: 400,
      code: 'invalid',
      issues: [{ path: 'phone' }],
      requestId: expect.any(String),
    })
    const missing = await faultOf(call('GET /contacts/{id}', { params: { id: newPhone() } }))
    expect(missing).toMatchObject({ status: 404, code: 'not_found', message: expect.any(String) })
    expect(sent).toHaveLength(2)
  })

  test('whose answer was lost is tried again with its key: it is done once', async () => {
    const { call, keys } = client(async (attempt, forward) => {
      const answer = await forward()
      if (attempt > 2) return answer
      await answer.arrayBuffer()
      throw new TypeError('the connection was cut')
    })
    const { lead } = await call('POST /leads', { body: { phone: newPhone() } })
    expect(lead.captureCount).toBe(1)
    expect(new Set(keys()).size).toBe(1)
    expect(keys()).toHaveLength(3)
  })

  test('that never gets an answer throws an error with its idempotency key', async () => {
    const { call, keys } = client(async () => {
      throw new TypeError('unreachable')
    })
    const body = { phone: newPhone() }
    const fault = await faultOf(call('POST /contacts', { body, idempotencyKey: 'of ours' }))
    expect(fault).toBeInstanceOf(NoResponseError)
    expect(fault).toMatchObject({ idempotencyKey: 'of ours', cause: { message: 'unreachable' } })
    expect(keys()).toEqual(Array(4).fill('of ours'))
  })

  test.each([
    ['429 with Retry-After', () => respond(429, { 'retry-after': '0' }, '{"error":"rate_limited"}')],
    ['503', () => respond(503, { 'retry-after': '0' }, '{"error":"service_unavailable"}')],
    [
      '409 while the first attempt still runs',
      () => respond(409, {}, '{"error":"idempotency_key_in_progress"}'),
    ],
    ['502 of a proxy', () => respond(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>')],
  ])('that has to wait is retried: %s', async (_, first) => {
    const { call, sent } = client(async (attempt, forward) => (attempt === 1 ? first() : forward()))
    expect(await call('GET /me')).toMatchObject({ workspace: { id: shop.workspaceId } })
    expect(sent).toHaveLength(2)
  })

  test.each([
    ['that may have been sent', 502, {}, 'send_unconfirmed'],
    ['that has to wait for an hour', 429, { 'retry-after': '3600' }, 'rate_limited'],
  ])('%s is not retried', async (_, status, headers, code) => {
    const { call, sent } = client(async () => respond(status, headers, JSON.stringify({ error: code })))
    expect(await faultOf(call('GET /me'))).toMatchObject({ status, code })
    expect(sent).toHaveLength(1)
  })

  test('that is aborted ends with the reason', async () => {
    const giveUp = new AbortController()
    const { call, sent } = client(async () => {
      giveUp.abort(new Error('no longer wanted'))
      throw new TypeError('unreachable')
    })
    expect(await faultOf(call('GET /me', { signal: giveUp.signal }))).toMatchObject({
      message: 'no longer wanted',
    })
    expect(sent).toHaveLength(1)
  })

  test('may return a file', async () => {
    await shop.set({ modules: ['invoicing'] })
    const { id } = await madeInvoice(shop, { issue: true })
    const pdf = await client().file('GET /sales-invoices/{id}', { params: { id }, query: { format: 'pdf' } })
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
  })
})

test('the pages of a list contain each entry once, the newest first', async () => {
  const phones = Array.from({ length: 7 }, newPhone)
  for (const phone of phones) await shop.post('/contacts', { phone })
  const listed: string[] = []
  const { pages, sent } = client()
  for await (const { contacts } of pages('GET /contacts', { query: { limit: 3 } }))
    listed.push(...contacts.map((contact) => contact.e164))
  expect(listed).toEqual(phones.reverse())
  expect(sent).toHaveLength(3)
})

test("a list without a cursor can't be paged, even if a program without types tries", async () => {
  await shop.post('/leads', { phone: newPhone() })
  const { pages, sent } = client()
  const leads = pages('GET /leads' as 'GET /contacts')
  expect(await faultOf(leads.next())).toMatchObject({ message: expect.stringContaining('nextCursor') })
  expect(sent).toHaveLength(1)
})

test.each(['', '/', '/api/v1', '/api/v1/'])('the base address may end in "%s"', async (end) => {
  const { call } = createClient({ baseUrl: `${parley.url}${end}`, key: shop.key })
  expect((await call('GET /me')).workspace.id).toBe(shop.workspaceId)
})

describe('a delivery', () => {
  const receiveDelivery = async () => {
    const receiver = await receivers.open()
    const { webhook, secret } = await client().call('POST /webhooks', {
      body: { url: receiver.url, events: ['contact.created'] },
    })
    return { receiver, webhook, secret }
  }

  test('is the event in its body if its signature matches the secret', async () => {
    const { receiver, webhook, secret } = await receiveDelivery()
    const phone = newPhone()
    await shop.post('/contacts', { phone })
    const [first] = await receiver.wait(1)
    const { headers, raw: body } = first!
    const event = await verifyWebhook({ headers, body, secret })
    if (event.event !== 'contact.created') throw new Error(event.event)
    expect(event.data.phone).toBe(phone)
    const asFetchHasIt = { headers: new Headers(headers as Record<string, string>), body: Buffer.from(body) }
    expect(await verifyWebhook({ ...asFetchHasIt, secret: ['another', secret] })).toEqual(event)

    // After a rotation both secrets sign, and either is enough.
    const rotated = await client().call('POST /webhooks/{id}/rotate', { params: { id: webhook.id } })
    await shop.post('/contacts', { phone: newPhone() })
    const [, second] = await receiver.wait(2)
    for (const key of [secret, rotated.secret])
      expect((await verifyWebhook({ headers: second!.headers, body: second!.raw, secret: key })).id).toBe(
        second!.body.id,
      )
  })

  test('that was changed, is old, or has another signature is rejected', async () => {
    const { receiver, secret } = await receiveDelivery()
    await shop.post('/contacts', { phone: newPhone() })
    const [{ headers, raw: body }] = (await receiver.wait(1)) as [
      Awaited<ReturnType<typeof receiver.wait>>[0],
    ]
    const now = Number(headers['x-webhook-timestamp']) * 1_000
    expect(await verifyWebhook({ headers, body, secret, now: now + 300_000 })).toMatchObject({
      event: 'contact.created',
    })
    for (const changed of [
      { body: body.replace('contact.created', 'contact.deleted') },
      { secret: `${secret}x` },
      { now: now + 301_000 },
      { now: now - 301_000 },
      { headers: {} },
      { headers: { ...headers, 'x-webhook-signature': '' } },
      { headers: { ...headers, 'x-webhook-signature': 'sha256=00' } },
    ])
      expect(await faultOf(verifyWebhook({ headers, body, secret, now, ...changed }))).toBeInstanceOf(
        WebhookError,
      )
  })
})
