import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Body, boot, type Client, type TestParley } from '../../../../../test/support/boot.ts'
import { whileReadsAreFull } from '../../../../../test/support/costly-reads.ts'
import { makeReceivers, type Receiver, signatureBy } from '../../../../../test/support/receiver.ts'
import { until } from '../../../../../test/support/until.ts'
import { DAY_MS, later } from '../../../../core/clock.ts'
import { newId } from '../../../../core/ids.ts'
import { onDatabase } from '../../../../database/on-database.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'
import { addMember, setMember } from '../../workspaces/operations/workspace-members.ts'
import { RETRY_WAITS_SECONDS } from './retry-schedule.ts'
import { standardSignatureOf } from './signing.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

let people = 0
/** Creates a contact, which emits `contact.created`. */
async function happen(shop: Client): Promise<string> {
  const { body } = await shop.post('/contacts', { phone: `+9198${String(10_000_000 + people++)}` })
  return body.contact.id
}

async function register(shop: Client, receiver: Receiver, more: object = { event: 'contact.created' }) {
  const { body } = await shop.post('/webhooks', { url: receiver.url, ...more })
  return { id: body.webhook.id as string, secret: body.secret as string }
}

type Attempt = Record<string, never> & { id: string; attempt: number; status: string }
/** Returns the endpoint's attempts, oldest first, once `done` returns true. */
const attempts = (
  shop: Client,
  id: string,
  done: (rows: Attempt[]) => boolean = (rows) =>
    rows.length > 0 && rows.every((attempt) => attempt.status !== 'pending'),
) =>
  vi.waitFor(
    async () => {
      const rows: Attempt[] = (await shop.get(`/webhooks/${id}/deliveries`)).body.deliveries.reverse()
      if (!done(rows)) throw new Error(`still ${JSON.stringify(rows)}`)
      return rows
    },
    { timeout: 60_000, interval: 25 },
  )

test('the service POSTs {id, event, createdAt, data}, signed over the raw body (spec 6.1, 6.2)', async () => {
  const [shop, receiver] = [await parley.workspace(), await receivers.open()]
  const { id, secret } = await register(shop, receiver)
  const contactId = await happen(shop)
  const [request] = await receiver.wait(1)
  const { headers, body } = request!
  expect(Object.keys(body)).toEqual(['id', 'event', 'createdAt', 'data'])
  expect(body).toMatchObject({ event: 'contact.created', data: { contactId, source: 'api' } })
  expect(body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(headers).toMatchObject({
    'x-webhook-id': body.id,
    'x-webhook-event': 'contact.created',
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
  })
  expect(Math.abs(Number(headers['x-webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(5)
  expect(headers['x-webhook-signature']).toBe(signatureBy(secret, request!))
  const standard = standardSignatureOf([secret], body.id, Number(headers['webhook-timestamp']), request!.raw)
  expect(headers, 'Standard Webhooks beside it').toMatchObject({
    'webhook-id': body.id,
    'webhook-timestamp': headers['x-webhook-timestamp'],
    'webhook-signature': standard,
  })
  const [delivery] = await attempts(shop, id)
  expect(delivery).toMatchObject({
    eventId: body.id,
    event: 'contact.created',
    attempt: 1,
    status: 'succeeded',
    httpStatus: 200,
    error: null,
    request: { url: receiver.url, headers: { 'x-webhook-id': body.id } },
    response: { status: 200 },
    data: body.data,
    nextAttemptAt: null,
  })
  expect(JSON.stringify(delivery)).not.toContain(secret)
})

test('an event is sent to each endpoint that subscribes to it, and to no other', async () => {
  const shop = await parley.workspace()
  const [allEvents, contactsOnly, other] = [
    await receivers.open(),
    await receivers.open(),
    await receivers.open(),
  ]
  await register(shop, allEvents, {})
  await register(shop, contactsOnly, { events: ['contact.created'] })
  const silent = await register(shop, other, { events: ['contact.deleted'] })
  await happen(shop)
  const [[first], [second]] = await Promise.all([allEvents.wait(1), contactsOnly.wait(1)])
  expect(first!.raw).toBe(second!.raw)
  expect((await shop.get(`/webhooks/${silent.id}/deliveries`)).body.deliveries).toEqual([])
})

test('12 attempts over about 17 hours, the same bytes each time, then no more (spec 6.1, 8.2)', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id, secret } = await register(shop, receiver)
  await happen(shop)
  await receiver.wait(1)
  await attempts(shop, id, (rows) => rows.length === 2)
  await shop.advance(24 * 3600)
  expect(receiver.received).toHaveLength(12)
  expect(new Set(receiver.received.map((request) => request.raw)).size, 'identical on every retry').toBe(1)
  for (const request of receiver.received) {
    expect(request.headers['x-webhook-signature']).toBe(signatureBy(secret, request))
    expect(
      Math.abs(Number(request.headers['x-webhook-timestamp']) - Date.now() / 1000),
      'real time, also where the clock was moved',
    ).toBeLessThan(60)
  }
  const rows = await attempts(shop, id)
  expect(rows.map((attempt) => attempt.attempt)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  expect(rows.every((attempt) => attempt.status === 'failed')).toBe(true)
  expect(rows[11]!.nextAttemptAt).toBeNull()
  for (const [i, seconds] of RETRY_WAITS_SECONDS.entries()) {
    const waitedSeconds = (Date.parse(rows[i + 1]!.attemptedAt!) - Date.parse(rows[i]!.attemptedAt!)) / 1000
    expect(waitedSeconds).toBeGreaterThan(seconds * 0.9 - 1)
    expect(waitedSeconds).toBeLessThan(seconds * 1.1 + 2)
    const promised = Date.parse(rows[i]!.nextAttemptAt!)
    expect(Math.abs(Date.parse(rows[i + 1]!.attemptedAt!) - promised)).toBeLessThan(2_000)
  }
})

test('a retry that succeeds is the last attempt', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(503)
  const { id } = await register(shop, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  receiver.answer(204)
  await shop.advance(6)
  expect((await attempts(shop, id)).map((attempt) => attempt.status)).toEqual(['failed', 'succeeded'])
  await shop.advance(3600)
  expect(receiver.received).toHaveLength(2)
})

test.each([
  [200, 'succeeded'],
  [299, 'succeeded'],
  [301, 'failed'],
  [302, 'failed'],
  [307, 'failed'],
  [308, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('an answer of %i makes the attempt %s', async (status, verdict) => {
  const shop = await parley.workspace()
  const redirectTarget = await receivers.open()
  const receiver = await receivers.open((response) =>
    response.writeHead(status, { location: redirectTarget.url, 'retry-after': '1' }).end('said the receiver'),
  )
  const { id } = await register(shop, receiver)
  await happen(shop)
  await receiver.wait(1)
  const [first, next] = await attempts(shop, id, (rows) => rows[0]?.status !== 'pending' && rows.length > 0)
  expect(first).toMatchObject({
    status: verdict,
    httpStatus: status,
    response: { status, body: 'said the receiver' },
  })
  if (verdict === 'failed') {
    expect(first!.error).toContain(String(status))
    expect(next).toMatchObject({ attempt: 2, status: 'pending', eventId: first!.eventId })
    expect(first!.nextAttemptAt).toBe(next!.nextAttemptAt)
  }
  expect(redirectTarget.received, 'a redirect is never followed').toEqual([])
})

test('a receiver that sends an unsolicited 100 Continue before its 2xx has received the delivery', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open((response) => {
    response.writeContinue()
    response.writeContinue()
    response.end('taken')
  })
  const { id } = await register(shop, receiver)
  await happen(shop)
  await attempts(shop, id)
  await happen(shop)
  const ended = await attempts(
    shop,
    id,
    (rows) => rows.filter((attempt) => attempt.status !== 'pending').length === 2,
  )
  for (const attempt of ended)
    expect(attempt).toMatchObject({ status: 'succeeded', httpStatus: 200, response: { body: 'taken' } })
})

test('a closed connection, a refused connection and a bad certificate are failures that give the reason', async () => {
  const shop = await parley.workspace()
  const outsiders = await makeReceivers()
  const [cut, untrusted] = [
    await receivers.open((response) => response.socket?.destroy()),
    await outsiders.open(),
  ]
  const closedReceiver = { ...cut, url: 'https://localhost:1/' }
  const registrations = await Promise.all(
    [cut, untrusted, closedReceiver].map((receiver) => register(shop, receiver)),
  )
  await happen(shop)
  for (const { id } of registrations) {
    const [first, next] = await attempts(shop, id, (rows) => rows.length === 2)
    expect(first).toMatchObject({ status: 'failed', httpStatus: null, response: null })
    expect(first!.error!).toMatch(/^[A-Z].*\.$/)
    expect(next).toMatchObject({ attempt: 2, status: 'pending' })
  }
  expect(untrusted.received).toEqual([])
  await outsiders.close()
})

test('410 disables the endpoint immediately; resuming it sends the waiting deliveries', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open(410)
  const { id } = await register(shop, receiver)
  await happen(shop)
  const [onlyAttempt, ...more] = await attempts(shop, id)
  expect(more).toEqual([])
  expect(onlyAttempt).toMatchObject({ status: 'failed', httpStatus: 410, nextAttemptAt: null })
  const [webhook] = (await shop.get('/webhooks')).body.webhooks
  expect(webhook).toMatchObject({ active: false, state: 'disabled' })
  expect(webhook.disabledReason).toContain('410')
  expect((await shop.get('/activity?kind=webhook.disabled')).body.activity).toMatchObject([
    { actor: { kind: 'platform' }, data: { webhookId: webhook.id, reason: webhook.disabledReason } },
  ])
  await happen(shop)
  receiver.answer(200)
  const resumed = await shop.patch(`/webhooks/${id}`, { active: true })
  expect(resumed.body.webhook).toMatchObject({ active: true, state: 'active', disabledReason: null })
  await happen(shop)
  await receiver.wait(2)
  expect(await attempts(shop, id), 'nothing was recorded while it was off').toHaveLength(2)
})

test('an endpoint whose deliveries all failed for 3 days, at least 20 of them, is disabled', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id } = await register(shop, receiver)
  for (let day = 0; day < 3; day++) {
    await happen(shop)
    await shop.advance(24 * 3600)
    expect((await shop.get('/webhooks')).body.webhooks[0].active, `after day ${day + 1}`).toBe(true)
  }
  await happen(shop)
  await attempts(shop, id, (rows) => rows.filter((attempt) => attempt.status === 'failed').length >= 37)
  const [webhook] = (await shop.get('/webhooks')).body.webhooks
  expect(webhook).toMatchObject({ id, active: false, state: 'disabled' })
  expect(webhook.disabledReason).toContain('3 days')
})

test('a success resets the count of failures', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id } = await register(shop, receiver)
  for (let day = 0; day < 5; day++) {
    receiver.answer(day === 2 ? 200 : 500)
    await happen(shop)
    await shop.advance(24 * 3600)
  }
  expect((await shop.get('/webhooks')).body.webhooks[0]).toMatchObject({ id, active: true })
})

test('for 24 hours after a rotation the header carries new and old, then the new alone (spec 6.2)', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id, secret: old } = await register(shop, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  const rotation = (await shop.post(`/webhooks/${id}/rotate`)).body
  expect(rotation.webhook.oldSecretExpiresAt).not.toBeNull()
  receiver.answer(200)
  await shop.advance(10)
  const retry = receiver.received[1]!
  expect(retry.headers['x-webhook-signature'], 'a retry of an older event').toBe(
    `${signatureBy(rotation.secret, retry)},${signatureBy(old, retry)}`,
  )
  await shop.advance(24 * 3600)
  await happen(shop)
  const after = (await receiver.wait(3))[2]!
  expect(after.headers['x-webhook-signature']).toBe(signatureBy(rotation.secret, after))
  expect((await shop.get('/webhooks')).body.webhooks[0].oldSecretExpiresAt).toBeNull()
  const [first, second] = await attempts(shop, id)
  // Much later it is still known which secret made each value, and from which bytes; the secrets are not
  // shown.
  const checks = await Promise.all(
    [first, second].map((delivery) => shop.get(`/webhooks/deliveries/${delivery!.id}/signature`)),
  )
  expect(
    checks.map(({ body }) =>
      body.signature.signatures.map((signature: Body) => [signature.header, signature.secret]),
    ),
  ).toEqual([
    [
      ['x-webhook-signature', 'previous'],
      ['webhook-signature', 'previous'],
    ],
    [
      ['x-webhook-signature', 'current'],
      ['x-webhook-signature', 'previous'],
      ['webhook-signature', 'current'],
      ['webhook-signature', 'previous'],
    ],
  ])
  expect(checks[1]!.body.signature).toMatchObject({
    deliveryId: second!.id,
    timestamp: Number(retry.headers['x-webhook-timestamp']),
    signedContent: `${retry.headers['x-webhook-timestamp']}.${retry.raw}`,
    toleranceSeconds: 300,
  })
  for (const { text } of checks)
    for (const validSecret of [old, rotation.secret]) expect(text).not.toContain(validSecret)
  await shop.post(`/webhooks/deliveries/${first!.id}/redeliver`)
  const redelivered = (await receiver.wait(4))[3]!
  expect(redelivered.raw, "the event's original id and time").toBe(receiver.received[0]!.raw)
  expect(redelivered.headers['x-webhook-signature'], 'signed with the current secret').toBe(
    signatureBy(rotation.secret, redelivered),
  )
})

test('a logged delivery is resent once by hand; older than the log it is 409 no_payload', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open()
  const { id } = await register(shop, receiver)
  await happen(shop)
  const [first] = await attempts(shop, id)
  receiver.answer(500)
  const sent = await shop.post(`/webhooks/deliveries/${first!.id}/redeliver`)
  expect(sent).toMatchObject({
    status: 202,
    body: { ok: true, delivery: { eventId: first!.eventId, manual: true, status: 'pending' } },
  })
  const [, second, ...more] = await attempts(shop, id)
  expect(second).toMatchObject({ status: 'failed', nextAttemptAt: null })
  expect(more, 'not retried').toEqual([])
  await shop.advance(7 * 24 * 3600 + 7200)
  const late = await shop.post(`/webhooks/deliveries/${first!.id}/redeliver`)
  expect(late).toMatchObject({ status: 409, body: { error: 'no_payload' } })
  expect((await shop.get(`/webhooks/${id}/deliveries`)).body.deliveries, 'kept 7 days').toEqual([])
  expect((await shop.post(`/webhooks/deliveries/${randomUUID()}/redeliver`)).status).toBe(404)
})

test('within the 24 hours after a rotation a manual redelivery is signed only with the current secret (spec 4.8)', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const { id } = await register(shop, receiver)
  await happen(shop)
  await receiver.wait(1)
  const [first] = await attempts(shop, id, (rows) => rows[0]?.status === 'succeeded')
  const rotation = (await shop.post(`/webhooks/${id}/rotate`)).body
  await shop.post(`/webhooks/deliveries/${first!.id}/redeliver`)
  const [, redelivered] = await receiver.wait(2)
  expect(redelivered!.headers['x-webhook-signature']).toBe(signatureBy(rotation.secret, redelivered!))
  await shop.post(`/webhooks/${id}/test`)
  const [, , trial] = await receiver.wait(3)
  expect(trial!.headers['x-webhook-signature'], 'any other delivery').toContain(',sha256=')
})

test('a test event is signed, appears in deliveries and goes only to that endpoint', async () => {
  const shop = await parley.workspace()
  const [receiver, other] = [await receivers.open(500), await receivers.open()]
  const { id, secret } = await register(shop, receiver)
  await register(shop, other, {})
  const { status, body } = await shop.post(`/webhooks/${id}/test`)
  expect(status).toBe(202)
  expect(body.delivery).toMatchObject({ event: 'webhook.test', manual: true })
  const [request] = await receiver.wait(1)
  expect(request!.body).toMatchObject({ event: 'webhook.test', data: { webhookId: id } })
  expect(request!.headers['x-webhook-signature']).toBe(signatureBy(secret, request!))
  expect(await attempts(shop, id)).toMatchObject([{ status: 'failed', httpStatus: 500, nextAttemptAt: null }])
  expect(other.received).toEqual([])
})

test('deliveries are cursor-paginated, newest first; a narrowed key sees only data of events that it may read', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const { id } = await register(shop, receiver)
  for (let i = 0; i < 5; i++) await happen(shop)
  await receiver.wait(5)
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await shop.get(`/webhooks/${id}/deliveries?limit=2${cursor && `&cursor=${cursor}`}`)
    expect(body.deliveries.length).toBeLessThanOrEqual(2)
    ids.push(...body.deliveries.map((delivery: Attempt) => delivery.id))
    cursor = body.nextCursor
  }
  expect(ids).toHaveLength(5)
  expect(ids).toEqual([...ids].sort().reverse())
  expect((await shop.get(`/webhooks/${id}/deliveries?cursor=${randomUUID()}`)).status).toBe(400)
  const blind = await shop.as('admin', { scopes: ['webhooks:manage'] })
  const shownDelivery = (await blind.get(`/webhooks/${id}/deliveries`)).body.deliveries[0]
  expect(shownDelivery).toMatchObject({
    data: null,
    status: 'succeeded',
    request: { url: new URL(receiver.url).origin },
  })
  expect(await blind.get(`/webhooks/deliveries/${ids[0]}/signature`)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope', required: 'contacts:read' },
  })
  expect((await shop.get(`/webhooks/deliveries/${randomUUID()}/signature`)).status).toBe(404)
})

test("the receiver's answer to an event, and its signature, are shown to keys that may read the event", async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open((response, { raw }) => {
    response.writeHead(200, { 'content-type': 'application/json', server: 'echo' }).end(raw)
  })
  const { id } = await register(shop, receiver)
  await happen(shop)
  const [sent] = await receiver.wait(1)
  await attempts(shop, id)
  const deliveryShownTo = async (key: Client) =>
    (await key.get(`/webhooks/${id}/deliveries`)).body.deliveries[0]
  const whole = await deliveryShownTo(
    await shop.as('admin', { scopes: ['webhooks:manage', 'contacts:read'] }),
  )
  expect(whole.response).toMatchObject({ status: 200, headers: { server: 'echo' }, body: sent!.raw })
  expect(whole.request.headers['x-webhook-signature']).toBe(sent!.headers['x-webhook-signature'])
  const blind = await deliveryShownTo(await shop.as('admin', { scopes: ['webhooks:manage'] }))
  expect(blind).toMatchObject({ status: 'succeeded', httpStatus: 200, data: null, response: null })
  expect(blind.request.headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'webhook-id': sent!.body.id,
    'x-webhook-event': 'contact.created',
    'x-webhook-id': sent!.body.id,
  })
})

test('while an endpoint is paused no new deliveries are recorded for it, and waiting ones are sent after the resume', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id } = await register(shop, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  receiver.answer(200)
  await shop.patch(`/webhooks/${id}`, { active: false })
  await happen(shop)
  await shop.advance(3600)
  expect(receiver.received).toHaveLength(1)
  await shop.patch(`/webhooks/${id}`, { active: true })
  const [first, second] = await receiver.wait(2)
  expect(second!.raw).toBe(first!.raw)
  expect(await attempts(shop, id)).toHaveLength(2)
})

test('an address of the service itself is rejected, when an endpoint is registered and when its address changes', async () => {
  const shop = await parley.workspace()
  const { host } = new URL(parley.config.siteUrl)
  const { id } = await register(shop, await receivers.open())
  for (const url of [`https://${host}/hook`, `https://${host.replace(':', '.:').toUpperCase()}/`]) {
    const expectedRefusal = { status: 400, body: { error: 'invalid', issues: [{ path: 'url' }] } }
    expect(await shop.post('/webhooks', { url })).toMatchObject(expectedRefusal)
    expect(await shop.patch(`/webhooks/${id}`, { url })).toMatchObject(expectedRefusal)
  }
})

test('a key narrowed to scopes cannot move events that it may not read to its address: neither waiting nor logged ones (spec 5.5)', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const [before, after] = [await receivers.open(500), await receivers.open()]
  const { id } = await register(shop, before, {})
  await happen(shop)
  const [first] = await attempts(shop, id, (rows) => rows.length === 2)
  const narrowedKey = await shop.as('admin', { scopes: ['webhooks:manage', 'crm:read'] })
  expect((await narrowedKey.patch(`/webhooks/${id}`, { event: 'lead.created' })).status).toBe(200)
  const refusal = { status: 403, body: { error: 'insufficient_scope', required: 'contacts:read' } }
  expect(await narrowedKey.patch(`/webhooks/${id}`, { url: after.url }), 'a retry waits').toMatchObject(
    refusal,
  )
  await shop.advance(24 * 3600)
  expect((await narrowedKey.patch(`/webhooks/${id}`, { url: after.url })).status).toBe(200)
  expect(await narrowedKey.post(`/webhooks/deliveries/${first!.id}/redeliver`)).toMatchObject(refusal)
  expect((await shop.post(`/webhooks/deliveries/${first!.id}/redeliver`)).status).toBe(202)
  expect((await after.wait(1))[0]!.body.id).toBe(first!.eventId)
  const test = await narrowedKey.post(`/webhooks/${id}/test`)
  await attempts(shop, id)
  expect((await narrowedKey.post(`/webhooks/deliveries/${test.body.delivery.id}/redeliver`)).status).toBe(202)
})

test('a moved endpoint gets its retries at the new address', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const [before, after] = [await receivers.open(500), await receivers.open()]
  const { id } = await register(shop, before)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  await shop.patch(`/webhooks/${id}`, { url: after.url })
  await shop.advance(10)
  expect((await after.wait(1))[0]!.raw).toBe(before.received[0]!.raw)
})

test("answers of the old address after a move don't count for the new one, not even a 410", async () => {
  const shop = await parley.workspace({ sandbox: true })
  const [before, after] = [await receivers.open(), await receivers.open()]
  const late: (() => void)[] = []
  before.answer((response) => late.push(() => response.writeHead(410).end()))
  const { id } = await register(shop, before)
  await happen(shop)
  await before.wait(1)
  await shop.patch(`/webhooks/${id}`, { url: after.url })
  for (const answer of late) answer()
  const [failed, next] = await attempts(shop, id, (rows) => rows.length === 2)
  expect(failed).toMatchObject({ attempt: 1, status: 'failed', httpStatus: 410 })
  expect(next).toMatchObject({ attempt: 2, status: 'pending', nextAttemptAt: failed!.nextAttemptAt })
  expect((await shop.get('/webhooks')).body.webhooks[0]).toMatchObject({ active: true, state: 'active' })
  await shop.advance(10)
  expect((await after.wait(1))[0]!.raw).toBe(before.received[0]!.raw)
})

test('a removed endpoint gets nothing more', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id } = await register(shop, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  await shop.delete(`/webhooks/${id}`)
  await happen(shop)
  await shop.advance(24 * 3600)
  expect(receiver.received).toHaveLength(1)
})

test("a revoked key's webhooks stop with it (spec 5.5)", async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const key = await shop.as('admin')
  const { id } = await register(key, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  await parley.system((tx) => tx.sql('update api_keys set revoked_at = now() where id = $1', [key.keyId]))
  await happen(shop)
  await shop.advance(3600)
  expect(receiver.received, 'neither the retry nor the new event').toHaveLength(1)
  expect((await shop.get('/webhooks')).body.webhooks[0]).toMatchObject({ active: false, state: 'stopped' })
  expect((await shop.patch(`/webhooks/${id}`, { active: true })).status).toBe(409)
  await shop.patch(`/webhooks/${id}`, { active: false })
  expect((await shop.post(`/webhooks/${id}/test`)).body.message, 'no resume brings it back').toContain(
    'no longer valid',
  )
})

test("an expired key's webhooks stop with it, also while their retries wait", async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const key = await shop.as('admin', { expiresAt: new Date(Date.now() + 600_000) })
  const { id } = await register(key, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  await shop.advance(24 * 3600)
  expect(receiver.received, 'attempts of the first ten minutes').toHaveLength(5)
  await happen(shop)
  await shop.advance(3600)
  expect(receiver.received).toHaveLength(5)
  expect((await shop.get('/webhooks')).body.webhooks[0]).toMatchObject({ active: false, state: 'stopped' })
})

test('a teammate who gets a lower role loses the webhooks of their keys (spec 5.5)', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const [receiver, other] = [await receivers.open(), await receivers.open()]
  const { memberId } = await parley.system((tx) =>
    addMember(
      tx,
      { workspaceId: shop.workspaceId, email: 'a@example.com', name: 'A', role: 'admin' },
      new Date(),
    ),
  )
  const key = await shop.as('admin', { memberId })
  await register(key, receiver)
  await register(shop, other)
  await happen(shop)
  await receiver.wait(1)
  await parley.system((tx) => setMember(tx, memberId, { role: 'viewer' }, new Date()))
  await happen(shop)
  await other.wait(2)
  expect(receiver.received).toHaveLength(1)
  const states = (await shop.get('/webhooks')).body.webhooks.map(
    (webhook: { state: string }) => webhook.state,
  )
  expect(states).toEqual(['active', 'stopped'])
})

test('events of an erased contact keep only ids, and its queued deliveries lose their personal data', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const { id } = await register(shop, receiver, { events: ['contact.created'] })
  const contactId = await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  expect((await shop.delete(`/contacts/${contactId}`)).status).toBe(200)
  receiver.answer(200)
  await shop.advance(10)
  expect(receiver.received[1]!.body).toMatchObject({ event: 'contact.created', data: { contactId } })
  expect(Object.keys(receiver.received[1]!.body.data)).toEqual(['contactId'])
  const [before, after] = await attempts(shop, id)
  const secretsOf = async (attempt: Attempt) =>
    (await shop.get(`/webhooks/deliveries/${attempt.id}/signature`)).body.signature.signatures.map(
      ({ secret }: Body) => secret,
    )
  expect(await secretsOf(before!), 'what was signed is not held any more').toEqual([null, null])
  expect(await secretsOf(after!)).toEqual(['current', 'current'])
})

test('a result that cannot be stored stops no other delivery, and is logged without the unstorable part', async () => {
  const [troubledShop, other] = [await parley.workspace(), await parley.workspace()]
  const [receiver, two] = [
    await receivers.open((response) => response.end('unstorable')),
    await receivers.open(),
  ]
  const { id } = await register(troubledShop, receiver)
  const good = await register(other, two)
  await onDatabase(parley.databaseUrl, (client) =>
    client.query(`
      create function refuse_unstorable() returns trigger language plpgsql as $$ begin
        if new.response::text like '%unstorable%' then raise exception 'limit exceeded' using errcode = '54000'; end if;
        return new;
      end $$;
      create trigger refuse_unstorable before update on deliveries for each row execute function refuse_unstorable()`),
  )
  onTestFinished(() =>
    onDatabase(parley.databaseUrl, (client) => client.query('drop function refuse_unstorable cascade')).then(
      () => {},
    ),
  )
  await happen(troubledShop)
  await receiver.wait(1)
  for (let sent = 1; sent <= 3; sent++) {
    await happen(other)
    await two.wait(sent)
    const ended = await attempts(
      other,
      good.id,
      (rows) => rows.length === sent && rows.at(-1)!.status !== 'pending',
    )
    expect(ended.at(-1)).toMatchObject({ status: 'succeeded' })
  }
  expect(await attempts(troubledShop, id)).toMatchObject([{ status: 'succeeded', response: null }])
  expect(receiver.received).toHaveLength(1)
})

test('deliveries that failed while the service was down are sent when it is back', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open(500)
  const { id } = await register(shop, receiver)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 2)
  receiver.answer(200)
  await parley.system((tx) => tx.sql('update deliveries set run_at = now() where run_at is not null'))
  await parley.restart()
  await receiver.wait(2)
  expect((await attempts(shop, id)).map((attempt) => attempt.status)).toEqual(['failed', 'succeeded'])
})

test('deleting an endpoint with a long log blocks no other work; its log is hidden, and waiting deliveries are deleted in the background', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const { id } = await register(shop, receiver)
  await happen(shop)
  const [ended] = await attempts(shop, id)
  receiver.answer(500)
  await happen(shop)
  await attempts(shop, id, (rows) => rows.length === 3)
  await parley.system((tx) =>
    tx.sql(
      `insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
       select $1, id, $2, $3, 'contact.created', $4, $4, $4 from unnest($5::uuid[]) id`,
      [shop.workspaceId, id, ended!.eventId, later(new Date(), DAY_MS), Array.from({ length: 2_500 }, newId)],
    ),
  )
  const left = () =>
    parley.system((tx) =>
      tx.sql<{ status: string; count: number }>(
        'select status, count(*) as count from deliveries where endpoint_id = $1 group by 1 order by 1',
        [id],
      ),
    )
  await parley.system(async (tx) => {
    await tx.sql('select from deliveries where id = $1 for update', [ended!.id])
    expect(await shop.delete(`/webhooks/${id}`), 'although somebody holds a row of its log').toMatchObject({
      status: 200,
      body: { ok: true, deleted: true },
    })
  })
  for (const answer of [
    await shop.get(`/webhooks/${id}/deliveries`),
    await shop.post(`/webhooks/deliveries/${ended!.id}/redeliver`),
  ])
    expect(answer.status).toBe(404)
  await until(
    async () => (await left()).every((row) => row.status !== 'pending'),
    'the waiting deliveries are deleted',
  )
  expect(await left(), 'the rest goes with its day').toEqual([
    { status: 'failed', count: 1 },
    { status: 'succeeded', count: 1 },
  ])
  expect((await shop.delete(`/webhooks/${id}`)).body).toEqual({ ok: true, deleted: false })
})

test('a claimed delivery whose contact is erased is sent without the personal data', async () => {
  const shop = await parley.workspace()
  for (let from = 0; from < 400; from += 100) {
    const contacts = Array.from({ length: 100 }, (_, i) => ({
      phone: `+9197${String(10_000_000 + from + i)}`,
    }))
    expect((await shop.post('/contacts/bulk', { contacts })).status).toBe(200)
  }
  const gate = Promise.withResolvers<void>()
  let answerCount = 0
  const receiver = await receivers.open((response) => {
    // The first requests are answered immediately, so that the others are fetched ahead.
    if (++answerCount <= 200) response.writeHead(200).end()
    else void gate.promise.then(() => response.writeHead(200).end())
  })
  const { id } = await register(shop, receiver)
  const from = later(new Date(), -DAY_MS).toISOString()
  expect((await shop.post(`/webhooks/${id}/replay`, { from })).body.queued).toBe(400)
  await receiver.wait(201)
  // A delivery that is claimed but not among those sent immediately.
  const phone = encodeURIComponent('+919710000240')
  const { id: contactId } = (await shop.get(`/contacts/${phone}`)).body.contact
  expect((await shop.delete(`/contacts/${contactId}`)).status).toBe(200)
  await parley.caughtUp()
  const erasedAt = receiver.received.length
  gate.resolve()
  await receiver.wait(400)
  const ofErased = receiver.received.slice(erasedAt).filter(({ body }) => body.data.contactId === contactId)
  expect(ofErased.map(({ body }) => body.data)).toEqual([{ contactId }])
})

test('attempts are filtered by event and by state, and only a limited number of slow searches run in parallel', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const { id } = await register(shop, receiver)
  await happen(shop)
  await receiver.wait(1)
  receiver.answer(500)
  await shop.post(`/webhooks/${id}/test`)
  await receiver.wait(2)
  await attempts(shop, id)
  const listNames = async (query: string): Promise<string[]> => {
    const { status, body, text } = await shop.get(`/webhooks/${id}/deliveries?${query}`)
    expect(status, text).toBe(200)
    return body.deliveries.map((delivery: Attempt) => `${delivery.event} ${delivery.status}`)
  }
  expect(await listNames('event=webhook.test')).toEqual(['webhook.test failed'])
  expect(await listNames('status=failed')).toEqual(['webhook.test failed'])
  expect(await listNames('status=succeeded')).toEqual(['contact.created succeeded'])
  expect(await listNames('status=pending')).toEqual([])
  expect(await listNames('event=contact.created&status=failed')).toEqual([])
  expect((await shop.get(`/webhooks/${id}/deliveries?status=lost`)).status).toBe(400)
  const created = (await attempts(shop, id))[0]!
  expect(await listNames(`eventId=${created.eventId}`)).toEqual(['contact.created succeeded'])
  receiver.answer(200)
  await shop.post(`/webhooks/deliveries/${created.id}/redeliver`)
  await attempts(shop, id)
  expect(await listNames(`eventId=${created.eventId}`), 'a redelivery too').toEqual([
    'contact.created succeeded',
    'contact.created succeeded',
  ])
  expect(await listNames(`eventId=${created.eventId}&status=failed`)).toEqual([])
  expect((await shop.get(`/webhooks/${id}/deliveries?eventId=none`)).status).toBe(400)
  await parley.system((tx) =>
    tx.sql(
      `insert into deliveries (workspace_id, id, endpoint_id, event_id, event, status, created_at, due_at)
       select $1, id_bound(now() - i * interval '1 ms'), $2, gen_random_uuid(), 'contact.created', 'succeeded', now(), now()
       from generate_series(1, $3::int) i`,
      [shop.workspaceId, id, MANY_ROWS],
    ),
  )
  await whileReadsAreFull(parley, shop.workspaceId, async () => {
    expect((await shop.get(`/webhooks/${id}/deliveries?event=webhook.test`)).body.error).toBe('rate_limited')
    expect(await listNames('status=failed')).toEqual(['webhook.test failed'])
    expect(await listNames(`eventId=${created.eventId}`)).toHaveLength(2)
  })
})
