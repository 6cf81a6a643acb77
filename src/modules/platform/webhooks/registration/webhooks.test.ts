import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../../../test/support/boot.ts'
import { type NameServer, startNameServer } from '../../../../../test/support/name-server.ts'
import { makeReceivers } from '../../../../../test/support/receiver.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let names: NameServer
beforeAll(async () => {
  receivers = await makeReceivers('hooks.shop.example')
  names = await startNameServer({ 'dead.example': 'silent', 'shop.example': ['127.0.0.1'] })
  parley = await boot({ env: receivers.env, nameServers: [names.address] })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
  names.close()
})

/** Returns an address that the service may call; no server needs to listen there. */
const address = (path: string = randomUUID()) => `https://localhost:9/${path}`

describe('registering (spec 4.8)', () => {
  test('a registration returns the id and, once, the signing secret', async () => {
    const shop = await parley.workspace()
    const { status, body } = await shop.post('/webhooks', { url: address('mine') })
    expect(status).toBe(201)
    expect(body.webhook).toMatchObject({
      url: address('mine'),
      events: null,
      active: true,
      disabledReason: null,
    })
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/)
    const list = await shop.get('/webhooks')
    expect(list.body.webhooks).toEqual([body.webhook])
    expect(list.text).not.toContain(body.secret)
  })

  test('plain http and service addresses are rejected with a reason that names the field', async () => {
    const shop = await parley.workspace()
    for (const url of [
      'http://example.com/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/',
      'ftp://example.com',
    ])
      expect(await shop.post('/webhooks', { url })).toMatchObject({
        status: 400,
        body: { error: 'invalid', issues: [{ path: 'url' }] },
      })
    expect((await shop.get('/webhooks')).body.webhooks).toEqual([])
  })

  test('an address with an unresolvable name is registered, and its attempts report the error', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const created = await shop.post('/webhooks', { url: 'https://hooks.nobody.invalid/in' })
    expect(created.status).toBe(201)
    const { id } = created.body.webhook
    await shop.post(`/webhooks/${id}/test`)
    const attempt = await until(async () => {
      const [latest] = (await shop.get(`/webhooks/${id}/deliveries`)).body.deliveries
      return latest?.status === 'failed' && latest
    }, 'the attempt failed')
    expect(attempt).toMatchObject({ error: "The host name couldn't be resolved.", httpStatus: null })
    expect((await shop.post('/webhooks', { url: 'https://intranet/in' })).body.issues[0].path).toBe('url')
  })

  test('a duplicate address gives 409 naming the existing endpoint id', async () => {
    const shop = await parley.workspace()
    const first = await shop.post('/webhooks', { url: address('same') })
    const repeated = await shop.post('/webhooks', { url: address('same') })
    expect(repeated).toMatchObject({
      status: 409,
      body: { error: 'conflict', webhookId: first.body.webhook.id },
    })
    expect(repeated.body.message).toContain(first.body.webhook.id)
    const other = await parley.workspace()
    expect((await other.post('/webhooks', { url: address('same') })).status, 'another workspace').toBe(201)
  })

  test('at most 25 endpoints per workspace, with any number of parallel requests', async () => {
    const shop = await parley.workspace()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => shop.post('/webhooks', { url: address() })),
    )
    expect(answers.filter((a) => a.status === 201)).toHaveLength(25)
    expect(answers.filter((a) => a.status === 409)).toHaveLength(5)
    expect((await shop.get('/webhooks')).body.webhooks).toHaveLength(25)
  })

  test('an address that webhooks must not reach is 400, even if the workspace already has 25 endpoints', async () => {
    const shop = await parley.workspace()
    await Promise.all(Array.from({ length: 25 }, () => shop.post('/webhooks', { url: address() })))
    for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://metadata.google.internal/'])
      expect(await shop.post('/webhooks', { url })).toMatchObject({
        status: 400,
        body: { error: 'invalid', issues: [{ path: 'url' }] },
      })
    expect((await shop.post('/webhooks', { url: address() })).status).toBe(409)
  })

  test('a refusal by the number of endpoints is remembered for retries like any result', async () => {
    const shop = await parley.workspace()
    const urls = Array.from({ length: 25 }, () => address())
    const created = await Promise.all(urls.map((url) => shop.post('/webhooks', { url })))
    const body = { url: address() }
    const idempotencyKey = randomUUID()
    expect((await shop.post('/webhooks', body, { idempotencyKey })).status).toBe(409)
    await shop.delete(`/webhooks/${created[0]!.body.webhook.id}`)
    expect((await shop.post('/webhooks', body, { idempotencyKey })).status).toBe(409)
    expect((await shop.post('/webhooks', body)).status).toBe(201)
  })

  test('addresses with unreachable name servers delay only one look-up of their workspace, and no other workspace', async () => {
    const [shop, other] = [await parley.workspace(), await parley.workspace()]
    const receiver = await receivers.open()
    const sound = new URL(receiver.url)
    sound.hostname = 'hooks.shop.example'
    const zone = `${randomUUID()}.dead.example`
    const dead = () => ({ url: `https://${randomUUID()}.${zone}/in` })
    const lookedUpNames = () => new Set(names.asked.filter((name) => name.endsWith(zone)))
    const registering = Promise.all(Array.from({ length: 60 }, () => shop.post('/webhooks', dead())))
    await until(() => lookedUpNames().size > 0, 'the first host name is looked up')
    expect((await other.post('/webhooks', { url: sound.href })).status).toBe(201)
    await other.post('/contacts', { phone: '+919812345678' })
    await receiver.wait(1)
    // The first look-up, and on a busy machine the one after it.
    expect(lookedUpNames().size, 'one at a time').toBeLessThanOrEqual(2)
    const answers = await registering
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    // A request that waits too long for its look-up is answered like a temporary failure of the name server.
    expect([count(201), count(409) + count(429)]).toEqual([25, 35])
    expect(count(429), 'not all may wait').toBeGreaterThan(0)
    const busy = answers.find((answer) => answer.status === 429)!
    expect(busy.body.error).toBe('rate_limited')
    expect(busy.headers['retry-after']).toBe('5')
    names.asked.length = 0
    const { url } = answers.find((answer) => answer.status === 201)!.body.webhook
    expect((await shop.post('/webhooks', { url })).status, 'it has an endpoint').toBe(409)
    expect((await shop.post('/webhooks', dead())).status, 'there are 25').toBe(409)
    const { id } = (await other.get('/webhooks')).body.webhooks[0]
    expect((await shop.patch(`/webhooks/${id}`, dead())).status, 'it is not theirs').toBe(404)
    expect(lookedUpNames().size, 'none of them was looked up').toBe(0)
  })

  test('unknown events and unknown fields are rejected by name', async () => {
    const shop = await parley.workspace()
    const typo = await shop.post('/webhooks', { url: address(), events: ['contact.create'] })
    expect(typo).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path: 'events[0]' }] } })
    expect(typo.body.message).toContain('contact.created')
    expect((await shop.post('/webhooks', { url: address(), secret: 'mine' })).status).toBe(400)
    const long = 'contact.'.padEnd(65, 'x')
    for (const [answer, path] of [
      [await shop.post('/webhooks', { url: address(), event: long }), 'event'],
      [await shop.post('/webhooks', { url: address(), events: [long] }), 'events[0]'],
      [await shop.get(`/events?events=${long}`), 'events[0]'],
    ] as const)
      expect(answer.body).toMatchObject({ issues: [{ path, message: 'Must be the name of an event.' }] })
    expect((await shop.post('/webhooks', { url: address(), events: [] })).status).toBe(400)
    expect(
      (
        await shop.post('/webhooks', {
          url: address(),
          events: ['contact.created'],
          event: 'contact.created',
        })
      ).status,
    ).toBe(400)
    expect((await shop.post('/webhooks', {})).body).toMatchObject({ issues: [{ path: 'url' }] })
  })

  test('a retry with the same Idempotency-Key returns the same secret, which is not stored in the clear', async () => {
    const shop = await parley.workspace()
    const idempotencyKey = randomUUID()
    const url = address()
    const first = await shop.post('/webhooks', { url }, { idempotencyKey })
    const retry = await shop.post('/webhooks', { url }, { idempotencyKey })
    expect(retry).toMatchObject({ status: 201, body: first.body })
    const rotation = await shop.post(`/webhooks/${first.body.webhook.id}/rotate`, undefined, {
      idempotencyKey: 'r',
    })
    const repeated = await shop.post(`/webhooks/${first.body.webhook.id}/rotate`, undefined, {
      idempotencyKey: 'r',
    })
    expect(rotation.body.secret).not.toBe(first.body.secret)
    expect(repeated.body.secret).toBe(rotation.body.secret)
    const storedRows = await parley.system((tx) =>
      tx.sql<{ text: string }>(
        `select coalesce(string_agg(concat(k::text, encode(k.answer, 'escape')), ' '), '') || (select string_agg(p::text, ' ') from webhook_endpoints p) as text from idempotency_keys k`,
      ),
    )
    expect(storedRows[0]!.text).not.toContain(first.body.secret)
    expect(storedRows[0]!.text).not.toContain(rotation.body.secret)
  })
})

describe('rights (spec 4.8, 5)', () => {
  test('addresses show only scheme and host unless the key is an unscoped admin or registered the endpoint', async () => {
    const shop = await parley.workspace()
    const url = address('secret-path')
    await shop.post('/webhooks', { url })
    const viewer = await shop.as('viewer')
    const narrowedKey = await shop.as('admin', {
      scopes: ['webhooks:read', 'webhooks:manage', 'contacts:read'],
    })
    const own = address('own-path')
    expect((await narrowedKey.post('/webhooks', { url: own, event: 'contact.created' })).status).toBe(201)
    const urlsShownTo = async (client: typeof viewer) =>
      (await client.get('/webhooks')).body.webhooks.map((w: { url: string }) => w.url)
    expect(await urlsShownTo(viewer)).toEqual(['https://localhost:9', 'https://localhost:9'])
    expect(await urlsShownTo(narrowedKey)).toEqual([own, 'https://localhost:9'])
    expect((await shop.get('/webhooks')).body.webhooks.map((w: { url: string }) => w.url)).toEqual([own, url])
  })

  test('a key below admin manages only endpoints that it registered; others are answered like missing ones', async () => {
    const shop = await parley.workspace()
    const otherId = (await shop.post('/webhooks', { url: address() })).body.webhook.id
    const agent = await shop.as('agent', { scopes: ['webhooks:manage', 'webhooks:read', 'contacts:read'] })
    const missing = await agent.patch(`/webhooks/${randomUUID()}`, { active: false })
    for (const answer of [
      await agent.patch(`/webhooks/${otherId}`, { active: false }),
      await agent.post(`/webhooks/${otherId}/rotate`),
      await agent.post(`/webhooks/${otherId}/test`),
      await agent.get(`/webhooks/${otherId}/deliveries`),
      await agent.delete(`/webhooks/${otherId}`),
    ])
      expect(answer).toMatchObject({ status: 404, body: missing.body })
    expect((await agent.post('/webhooks', { url: address() })).status, 'every event').toBe(403)
    const own = await agent.post('/webhooks', { url: address(), event: 'contact.created' })
    expect(own.status).toBe(201)
    expect(
      (await agent.patch(`/webhooks/${own.body.webhook.id}`, { active: false })).body.webhook,
    ).toMatchObject({
      active: false,
      state: 'paused',
    })
  })

  test('an endpoint that an admin subscribed to more events is not moved, nor its secret rotated, by a key that may not read them', async () => {
    const shop = await parley.workspace()
    const agent = await shop.as('agent', { scopes: ['webhooks:manage', 'webhooks:read', 'contacts:read'] })
    const { id } = (await agent.post('/webhooks', { url: address(), event: 'contact.created' })).body.webhook
    expect((await agent.patch(`/webhooks/${id}`, { url: address() })).status).toBe(200)
    await shop.patch(`/webhooks/${id}`, { events: ['contact.created', 'message.received'] })
    for (const answer of [
      await agent.patch(`/webhooks/${id}`, { url: address() }),
      await agent.post(`/webhooks/${id}/rotate`),
    ])
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'insufficient_scope', required: 'messages:read' },
      })
    expect((await agent.patch(`/webhooks/${id}`, { event: 'contact.created', active: false })).status).toBe(
      200,
    )
    expect((await agent.post(`/webhooks/${id}/rotate`)).status).toBe(200)
  })

  test('roles and scopes: agents need the scope in their list, a narrowed key needs the scope', async () => {
    const shop = await parley.workspace()
    const agent = await shop.as('agent')
    expect(await agent.post('/webhooks', { url: address() })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    const narrow = await shop.as('admin', { scopes: ['contacts:read'] })
    expect(await narrow.get('/webhooks')).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', required: 'webhooks:read' },
    })
    const reader = await shop.as('admin', { scopes: ['webhooks:manage'] })
    expect(await reader.post('/webhooks', { url: address(), event: 'contact.created' })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', required: 'contacts:read' },
    })
  })

  test("another workspace's endpoints are answered like missing ones", async () => {
    const [shop, other] = [await parley.workspace(), await parley.workspace()]
    const { id } = (await shop.post('/webhooks', { url: address() })).body.webhook
    for (const answer of [
      await other.patch(`/webhooks/${id}`, { active: false }),
      await other.delete(`/webhooks/${id}`),
      await other.post(`/webhooks/${id}/rotate`),
      await other.get(`/webhooks/${id}/deliveries`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })
})

describe('changing and removing', () => {
  test('PATCH pauses and resumes, changes events, and moves to an address that is checked as in a registration', async () => {
    const shop = await parley.workspace()
    const { id } = (await shop.post('/webhooks', { url: address('a') })).body.webhook
    await shop.post('/webhooks', { url: address('taken') })
    const patch = (body: object) => shop.patch(`/webhooks/${id}`, body)
    expect((await patch({ active: false })).body.webhook).toMatchObject({ active: false, state: 'paused' })
    expect((await patch({ active: true })).body.webhook).toMatchObject({ active: true, state: 'active' })
    expect((await patch({ event: 'contact.deleted' })).body.webhook.events).toEqual(['contact.deleted'])
    expect((await patch({ events: null })).body.webhook.events).toBeNull()
    expect((await patch({ url: address('b') })).body.webhook.url).toBe(address('b'))
    expect((await patch({ url: 'http://example.com' })).status).toBe(400)
    expect((await patch({ url: 'https://192.168.1.1/' })).status).toBe(400)
    expect((await patch({ url: address('taken') })).status).toBe(409)
    expect((await patch({ events: ['no.such'] })).status).toBe(400)
    expect((await shop.patch('/webhooks/not-an-id', { active: true })).status).toBe(404)
  })

  test('repeating a DELETE returns ok with deleted false; an unknown id is 404', async () => {
    const shop = await parley.workspace()
    const { id } = (await shop.post('/webhooks', { url: address() })).body.webhook
    expect(await shop.delete(`/webhooks/${id}`)).toMatchObject({
      status: 200,
      body: { ok: true, deleted: true },
    })
    expect(await shop.delete(`/webhooks/${id}`)).toMatchObject({
      status: 200,
      body: { ok: true, deleted: false },
    })
    expect((await shop.delete(`/webhooks/${randomUUID()}`)).status).toBe(404)
    expect((await shop.delete('/webhooks/nonsense')).status).toBe(404)
    expect((await shop.get(`/webhooks/${id}/deliveries`)).status).toBe(404)
  })
})

describe('events and samples', () => {
  test('GET /webhooks/events lists every subscribable event with its meaning and payload fields', async () => {
    const shop = await parley.workspace()
    const { body } = await (await shop.as('viewer')).get('/webhooks/events')
    const created = body.events.find((e: { event: string }) => e.event === 'contact.created')
    expect(created.payload).toEqual(
      expect.arrayContaining(['contactId', 'phone', 'name', 'source', 'createdAt']),
    )
    expect(created.description.length).toBeGreaterThan(10)
    expect(body.events.map((e: { event: string }) => e.event)).not.toContain('webhook.test')
  })

  test('samples are the latest real events if the key may read them, otherwise the documented example', async () => {
    const shop = await parley.workspace()
    const sample = '/webhooks/samples/contact.created'
    expect((await shop.get(sample)).body).toMatchObject({ event: 'contact.created', real: false })
    await shop.post('/contacts', { phone: '+919800000001' })
    const real = (await shop.get(sample)).body
    expect(real).toMatchObject({
      real: true,
      samples: [{ event: 'contact.created', data: { phone: '+919800000001' } }],
    })
    const viewer = await shop.as('viewer')
    expect((await viewer.get(sample)).body.real).toBe(false)
    const reader = await shop.as('agent', { scopes: ['webhooks:read', 'webhooks:manage', 'contacts:read'] })
    expect((await reader.get(sample)).body.real).toBe(true)
    const blind = await shop.as('admin', { scopes: ['webhooks:read', 'webhooks:manage'] })
    expect((await blind.get(sample)).body.real).toBe(false)
    expect((await shop.get('/webhooks/samples/contact.made')).status).toBe(404)
  })
})
