/** The SDK against a real installation. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newPhone } from '../../test/contract/arrange.ts'
import { boot, type TestParley, type TestWorkspace } from '../../test/support/boot.ts'
import { makeReceivers } from '../../test/support/receiver.ts'
import { madeInvoice } from '../../test/support/sales.ts'
import { NoResponseError, NotFoundError, ParleyError, ValidationError, WebhookError } from './errors.ts'
import type { ParleyOptions } from './options.ts'
import { Parley } from './parley.ts'
import { VERSION } from './version.ts'
import { verifyWebhook } from './webhook.ts'

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

type Sent = { address: string; headers: Record<string, string> }
type Meddle = (attempt: number, forward: () => Promise<Response>) => Promise<Response>

/**
 * Creates a client whose requests are observed; `meddle` may answer a request itself, or throw, before or
 * after it has arrived.
 */
function connect(meddle?: Meddle, options: ParleyOptions = {}) {
  const sent: Sent[] = []
  const client = new Parley({
    baseUrl: `${parley.url}/`,
    apiKey: shop.key,
    fetch: (address, request) => {
      sent.push({ address, headers: (request.headers ?? {}) as Record<string, string> })
      // Signed links name the public address of the installation.
      const forward = () => fetch(address.replace(parley.config.siteUrl, parley.url), request)
      return meddle ? meddle(sent.length, forward) : forward()
    },
    ...options,
  })
  return { client, sent, keys: () => sent.map(({ headers }) => headers['idempotency-key']) }
}
const faultOf = (work: PromiseLike<unknown>): PromiseLike<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  )
const respond = (status: number, headers: Record<string, string> = {}, text = '') =>
  new Response(text, { status, headers })
const unreachable: Meddle = async () => {
  throw new TypeError('unreachable')
}

describe('a method', () => {
  test("sends an endpoint's input, and returns its reply", async () => {
    const { client, sent, keys } = connect()
    const phone = newPhone()
    const { contact } = await client.contacts.create({ phone, displayName: 'Asha Rao' })
    expect(contact).toMatchObject({ e164: phone, displayName: 'Asha Rao' })
    const read = await client.contacts.get(phone)
    expect(read.contact.id).toBe(contact.id)
    expect(sent[1]!.address).toBe(`${parley.url}/api/v1/contacts/${encodeURIComponent(phone)}`)
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), undefined])
  })

  test('that gets an error throws it as its class, and is not tried again', async () => {
    const { client, sent } = connect()
    const invalid = await faultOf(client.contacts.create({ phone: 'nobody' }))
    expect(invalid).toBeInstanceOf(ValidationError)
    expect(invalid).toMatchObject({
      name: 'ValidationError',
      status: 400,
      code: 'invalid',
      issues: [{ path: 'phone' }],
      requestId: expect.any(String),
    })
    const missing = await faultOf(client.contacts.get(newPhone()))
    expect(missing).toBeInstanceOf(NotFoundError)
    expect(missing).toMatchObject({ status: 404, code: 'not_found', message: expect.any(String) })
    expect(sent).toHaveLength(2)
  })

  test.each([
    [401, 'api_key_invalid', 'AuthenticationError'],
    [402, 'quota_exceeded', 'PlanError'],
    [403, 'insufficient_scope', 'PermissionError'],
    [409, 'conflict', 'ConflictError'],
    [422, 'outside_24h_window', 'ValidationError'],
    [429, 'rate_limited', 'RateLimitError'],
    [500, 'internal_error', 'ServerError'],
    [502, 'send_unconfirmed', 'UnconfirmedError'],
    [418, 'a_new_code', 'ApiError'],
  ])('that gets %i %s throws a %s', async (status, code, name) => {
    const body = JSON.stringify({ error: code, message: 'Why', docUrl: 'https://parley.example/docs' })
    const { client } = connect(async () => respond(status, {}, body), { maxAttempts: 1 })
    const fault = await faultOf(client.me())
    expect(fault).toMatchObject({ name, status, code, message: 'Why', docUrl: 'https://parley.example/docs' })
    expect(fault).toBeInstanceOf(ParleyError)
  })

  test('whose answer was lost is tried again with its key: it is done once', async () => {
    const { client, keys } = connect(async (attempt, forward) => {
      const answer = await forward()
      if (attempt > 2) return answer
      await answer.arrayBuffer()
      throw new TypeError('the connection was cut')
    })
    const { data, replayed } = await client.leads.capture({ phone: newPhone() }).withResponse()
    expect(data.lead.captureCount).toBe(1)
    expect(replayed).toBe(true)
    expect(new Set(keys()).size).toBe(1)
    expect(keys()).toHaveLength(3)
  })

  test('that never gets an answer throws an error with its idempotency key', async () => {
    const { client, keys } = connect(unreachable)
    const create = client.contacts.create({ phone: newPhone() }, { idempotencyKey: 'of ours' })
    const fault = await faultOf(create)
    expect(fault).toBeInstanceOf(NoResponseError)
    expect(fault).toMatchObject({
      name: 'NoResponseError',
      idempotencyKey: 'of ours',
      cause: { message: 'unreachable' },
    })
    expect(keys()).toEqual(Array(4).fill('of ours'))
  })

  test('makes at most as many attempts as its options or the client allow', async () => {
    const { client, sent } = connect(unreachable, { maxAttempts: 2 })
    await faultOf(client.me())
    expect(sent).toHaveLength(2)
    await faultOf(client.me({ maxAttempts: 1 }))
    expect(sent).toHaveLength(3)
  })

  test('that takes longer than its timeout ends without a response', async () => {
    const { client } = connect(undefined, {
      maxAttempts: 1,
      fetch: (_, { signal }) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason as Error))
        }),
    })
    const fault = await faultOf(client.me({ timeoutMs: 1 }))
    expect(fault).toBeInstanceOf(NoResponseError)
    expect(fault).toMatchObject({ cause: { name: 'TimeoutError' } })
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
    const { client, sent } = connect(async (attempt, forward) => (attempt === 1 ? first() : forward()))
    expect(await client.me()).toMatchObject({ workspace: { id: shop.workspaceId } })
    expect(sent).toHaveLength(2)
  })

  test.each([
    ['that may have been sent', 502, {}, 'send_unconfirmed'],
    ['that has to wait for an hour', 429, { 'retry-after': '3600' }, 'rate_limited'],
  ])('%s is not retried', async (_, status, headers, code) => {
    const { client, sent } = connect(async () => respond(status, headers, JSON.stringify({ error: code })))
    expect(await faultOf(client.me())).toMatchObject({ status, code })
    expect(sent).toHaveLength(1)
  })

  test('that is aborted ends with the reason', async () => {
    const giveUp = new AbortController()
    const { client, sent } = connect(async () => {
      giveUp.abort(new Error('no longer wanted'))
      throw new TypeError('unreachable')
    })
    expect(await faultOf(client.me({ signal: giveUp.signal }))).toMatchObject({ message: 'no longer wanted' })
    expect(sent).toHaveLength(1)
  })

  test('that is aborted while it waits for its next attempt ends with the reason', async () => {
    const giveUp = new AbortController()
    const { client, sent } = connect(async () => {
      setTimeout(() => giveUp.abort(new Error('no longer wanted')))
      return respond(503, { 'retry-after': '60' })
    })
    expect(await faultOf(client.me({ signal: giveUp.signal }))).toMatchObject({ message: 'no longer wanted' })
    expect(sent).toHaveLength(1)
  })

  test.each(['', '.', '..'])('refuses the id "%s", which is another path', async (id) => {
    const { client, sent } = connect()
    expect(() => client.contacts.get(id)).toThrow(ParleyError)
    expect(sent).toHaveLength(0)
  })

  test('returns the response with its reply on request', async () => {
    const { client } = connect()
    const { data, response, requestId, replayed } = await client.me().withResponse()
    expect(data.workspace.id).toBe(shop.workspaceId)
    expect(response.headers.get('ratelimit-limit')).toMatch(/^\d+/)
    expect(requestId).toBe(response.headers.get('x-request-id'))
    expect(replayed).toBe(false)
  })

  test('has a promise that works as any other', async () => {
    const { client } = connect()
    const ended: string[] = []
    const me = client.me().finally(() => ended.push('finally'))
    expect((await me).workspace.id).toBe(shop.workspaceId)
    expect(await client.contacts.get(newPhone()).catch(({ code }) => code)).toBe('not_found')
    expect(ended).toEqual(['finally'])
  })

  test('names the SDK and the program that uses it', async () => {
    const { client, sent } = connect(undefined, { userAgent: 'my-shop/1.2' })
    await client.me()
    expect(sent[0]!.headers['user-agent']).toBe(`my-shop/1.2 parley-sdk-js/${VERSION}`)
  })
})

describe('a file', () => {
  test('is downloaded as a Blob', async () => {
    await shop.set({ modules: ['invoicing'] })
    const { id } = await madeInvoice(shop, { issue: true })
    const { client } = connect()
    const pdf = await client.salesInvoices.download(id, { format: 'pdf' })
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
    expect((await client.salesInvoices.get(id)).invoice.id).toBe(id)
  })

  const PDF = '%PDF-1.4\n%%EOF\n'
  test.each([
    ['a Blob', () => new Blob([PDF], { type: 'application/pdf' })],
    ['a File', () => new File([PDF], 'menu.pdf', { type: 'application/pdf' })],
    ['bytes', () => new TextEncoder().encode(PDF)],
    ['a stream', () => new Blob([PDF]).stream()],
  ])('is uploaded from %s, and downloaded from the message', async (_, file) => {
    const { client, sent } = connect()
    await shop.inbound('+919812345678', 'Hello')
    const { id } = await client.media.upload({
      file: file(),
      mimeType: 'application/pdf',
      filename: 'price list.pdf',
    })
    const { messageId } = await client.messages.send({
      to: '+919812345678',
      type: 'document',
      payload: { type: 'document', document: { id, filename: 'menu.pdf' } },
    })
    await shop.advance(5)
    expect(await (await client.messages.downloadMedia(messageId)).text()).toBe(PDF)
    expect(sent.at(-1)!.headers).toEqual({})
  })

  test('whose answer was lost is uploaded again under its key', async () => {
    const { client, keys } = connect(async (attempt, forward) => {
      const answer = await forward()
      if (attempt > 1) return answer
      await answer.arrayBuffer()
      throw new TypeError('the connection was cut')
    })
    const file = new Blob([PDF], { type: 'application/pdf' })
    const { replayed } = await client.media.upload({ file }).withResponse()
    expect(replayed).toBe(true)
    expect(new Set(keys()).size).toBe(1)
  })
})

describe('a list', () => {
  test('returns its entries in turn, each once, the newest first', async () => {
    const phones = Array.from({ length: 7 }, newPhone)
    for (const phone of phones) await shop.post('/contacts', { phone })
    const { client, sent } = connect()
    const listed: string[] = []
    for await (const contact of client.contacts.list({ limit: 3 })) listed.push(contact.e164)
    expect(listed).toEqual(phones.toReversed())
    expect(sent).toHaveLength(3)
  })

  test('is a promise of its first page, and has all pages', async () => {
    for (let i = 0; i < 3; i++) await shop.post('/contacts', { phone: newPhone() })
    const { client, sent } = connect()
    const { contacts, nextCursor } = await client.contacts.list({ limit: 2 })
    expect(contacts).toHaveLength(2)
    expect(nextCursor).toEqual(expect.any(String))
    expect(sent).toHaveLength(1)
    const lengths: number[] = []
    for await (const page of client.contacts.list({ limit: 2 }).pages()) lengths.push(page.contacts.length)
    expect(lengths).toEqual([2, 1])
    expect(await client.contacts.list({ limit: 2 }).toArray({ limit: 2 })).toEqual(contacts)
    expect(sent).toHaveLength(4)
  })

  test('with numbered pages is read the same way', async () => {
    for (let i = 0; i < 5; i++) await shop.post('/leads', { phone: newPhone() })
    const { client, sent } = connect()
    const leads = await client.leads.list({ pageSize: 2 }).toArray()
    expect(new Set(leads.map(({ id }) => id)).size).toBe(5)
    expect(sent).toHaveLength(3)
    expect((await client.leads.list({ pageSize: 2, page: 2 })).total).toBe(5)
    expect(await client.leads.list({ pageSize: 2, page: 3 }).toArray()).toHaveLength(1)
  })

  test('without a cursor ends with an error, even if a program without types pages it', async () => {
    const { client } = connect(async () => respond(200, {}, '{"contacts":[]}'))
    expect(await faultOf(client.contacts.list().toArray())).toMatchObject({
      message: expect.stringContaining('nextCursor'),
    })
  })
})

describe('the client', () => {
  test.each(['', '/', '/api/v1', '/api/v1/'])('accepts a base address that ends in "%s"', async (end) => {
    const client = new Parley({ baseUrl: `${parley.url}${end}`, apiKey: shop.key })
    expect((await client.me()).workspace.id).toBe(shop.workspaceId)
  })

  test('reads its address and its key from the environment', async () => {
    const before = { ...process.env }
    onTestFinished(() => {
      process.env = before
    })
    expect(() => new Parley({ baseUrl: parley.url })).toThrow('PARLEY_API_KEY')
    process.env.PARLEY_URL = parley.url
    process.env.PARLEY_API_KEY = shop.key
    expect((await new Parley().me()).workspace.id).toBe(shop.workspaceId)
  })
})

describe('a delivery', () => {
  const receiveDelivery = async () => {
    const receiver = await receivers.open()
    const { webhook, secret } = await connect().client.webhooks.create({
      url: receiver.url,
      events: ['contact.created'],
    })
    return { receiver, webhook, secret }
  }

  test('is the event in its body if its signature matches the secret', async () => {
    const { receiver, webhook, secret } = await receiveDelivery()
    const phone = newPhone()
    await shop.post('/contacts', { phone })
    const [first] = await receiver.wait(1)
    const { headers, raw: body } = first!
    const event = await verifyWebhook(body, headers, secret)
    if (event.event !== 'contact.created') throw new Error(event.event)
    expect(event.data.phone).toBe(phone)
    const asFetchHasThem = new Headers(headers as Record<string, string>)
    const { client } = connect()
    expect(await client.webhooks.verify(Buffer.from(body), asFetchHasThem, ['another', secret])).toEqual(
      event,
    )

    // After a rotation both secrets sign, and either is enough.
    const rotated = await client.webhooks.rotateSecret(webhook.id)
    await shop.post('/contacts', { phone: newPhone() })
    const [, second] = await receiver.wait(2)
    for (const key of [secret, rotated.secret])
      expect((await verifyWebhook(second!.raw, second!.headers, key)).id).toBe(second!.body.id)
  })

  test('that was changed, is old, or has another signature is rejected', async () => {
    const { receiver, secret } = await receiveDelivery()
    await shop.post('/contacts', { phone: newPhone() })
    const [{ headers, raw: body }] = (await receiver.wait(1)) as [
      Awaited<ReturnType<typeof receiver.wait>>[0],
    ]
    const now = Number(headers['x-webhook-timestamp']) * 1_000
    const delivery = { body, headers, secret, now, toleranceSeconds: 300 }
    const verify = (changed: Partial<typeof delivery>) => {
      const { body, headers, secret, ...options } = { ...delivery, ...changed }
      return verifyWebhook(body, headers, secret, options)
    }
    expect(await verify({ now: now + 300_000 })).toMatchObject({ event: 'contact.created' })
    for (const changed of [
      { body: body.replace('contact.created', 'contact.deleted') },
      { secret: `${secret}x` },
      { now: now + 301_000 },
      { now: now - 301_000 },
      { now: now + 11_000, toleranceSeconds: 10 },
      { headers: {} },
      { headers: { ...headers, 'x-webhook-signature': '' } },
      { headers: { ...headers, 'x-webhook-signature': 'sha256=00' } },
    ])
      expect(await faultOf(verify(changed))).toBeInstanceOf(WebhookError)
  })
})
