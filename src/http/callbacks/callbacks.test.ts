/** Limits for callers without a key, before their signature is verified. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../../../test/support/operator-webhooks.ts'
import { RAZORPAY } from '../../../test/support/payments.ts'
import { rawConnection, statusesIn } from '../../../test/support/raw-http.ts'
import { openSocialShop } from '../../../test/support/social-shop.ts'
import { until } from '../../../test/support/until.ts'
import { BUCKETS } from '../../core/buckets.ts'
import { signWebhook } from '../../operator/webhook-signature.ts'
import { signGatewayWebhook } from '../../payment-gateway/razorpay/signature.ts'

const BODY_BYTES = 1024 * 1024
/** More than the longest body takes. */
const HELD_BODIES = 5

let parley: TestParley
let shop: TestWorkspace
let number: ConnectedNumber
beforeAll(async () => {
  parley = await boot({
    env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' },
    connections: { heldBodyBytes: HELD_BODIES * BODY_BYTES, requestMs: 30_000 },
  })
  shop = await parley.workspace()
  number = await connectNumber(parley, shop)
})
afterAll(() => parley.close())

const newSignature = () => `sha256=${randomBytes(32).toString('hex')}`
/** A new address for each test, so that tests don't use up each other's limit. */
const newAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

type Head = { id?: string; signature?: string; bytes?: number; from?: string; more?: string }

/** Sends the head of a POST and `sent` bytes of its body. */
async function begin(
  {
    id = shop.workspaceId,
    signature = newSignature(),
    bytes = BODY_BYTES,
    from = newAddress(),
    more = '',
  }: Head,
  sent = 0,
) {
  const { socket, heard } = await rawConnection(parley.url)
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /api/operator/${id} HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nX-Forwarded-For: ${from}\r\n` +
      `X-Hub-Signature-256: ${signature}\r\nContent-Length: ${bytes}\r\n${more}\r\n`,
  )
  if (sent > 0) await new Promise((resolve) => socket.write(Buffer.alloc(sent, ' '), resolve))
  return { socket, heard, statuses: () => statusesIn(heard()) }
}
const SOON_MS = 10_000
const firstStatus = (upload: { statuses(): number[] }) =>
  until(() => upload.statuses()[0], 'the answer has arrived', SOON_MS)
const sendRest = (socket: Socket, bytes: number) => void socket.write(Buffer.alloc(bytes, ' '))

test.each<[string, () => Head]>([
  ['an id that is no UUID', () => ({ id: 'shop' })],
  ['the id of no workspace', () => ({ id: randomUUID() })],
  ['no signature', () => ({ signature: '' })],
  ['a signature of another kind', () => ({ signature: `sha1=${'a'.repeat(40)}` })],
  ['a signature cut short', () => ({ signature: newSignature().slice(0, -1) })],
  ['a signature with more behind it', () => ({ signature: `${newSignature()}, x` })],
])('%s is rejected before any of the body has arrived', async (_, head) => {
  expect(await firstStatus(await begin(head()))).toBe(403)
})

test('a workspace without a number is rejected before any of the body has arrived', async () => {
  const { workspaceId } = await parley.workspace()
  expect(await firstStatus(await begin({ id: workspaceId }))).toBe(403)
})

test('a body over the limit is rejected by its declared length', async () => {
  expect(await firstStatus(await begin({ bytes: 5_000_000 }))).toBe(413)
})

test('a client that sends Connection: close gets the 413 after it has sent everything', async () => {
  const bytes = 8 * BODY_BYTES
  const { socket, statuses } = await begin({ bytes, more: 'Connection: close\r\n' })
  const fault = await new Promise((resolve) => socket.write(Buffer.alloc(bytes, ' '), resolve))
  expect(fault ?? null, 'all of it was taken').toBeNull()
  expect(await firstStatus({ statuses })).toBe(413)
})

test('a body without a length is rejected once it exceeds the limit', async () => {
  const { socket, heard } = await rawConnection(parley.url)
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /api/operator/${shop.workspaceId} HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\n` +
      `X-Hub-Signature-256: ${newSignature()}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const piece = Buffer.from(`40\r\n${'x'.repeat(64)}\r\n`.repeat(BODY_BYTES / 64))
  for (let i = 0; i < 5; i++) socket.write(piece)
  expect(await until(() => statusesIn(heard())[0], 'the answer has arrived')).toBe(413)
})

test('unfinished bodies are rejected in favor of new ones, with Retry-After', async () => {
  const standing: Awaited<ReturnType<typeof begin>>[] = []
  for (let i = 0; i < HELD_BODIES; i++) standing.push(await begin({}, BODY_BYTES - 1000))
  const next = await begin({}, BODY_BYTES - 1000)
  const evicted = await until(
    () => standing.find((upload) => upload.statuses()[0] === 503),
    'one waiting body got 503',
    SOON_MS,
  )
  expect(evicted.heard().toLowerCase()).toContain('retry-after: ')
  // The rest of the other bodies still arrives.
  for (const upload of [...standing.filter((other) => other !== evicted), next]) {
    sendRest(upload.socket, 1000)
    expect(await firstStatus(upload), upload.heard()).toBe(403)
  }
  // All memory of the earlier bodies is free again.
  const ids = ['wamid.after.1', 'wamid.after.2']
  for (const id of ids)
    await number.report('messages', {
      messages: [
        {
          from: '919812345678',
          id,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'text',
          text: { body: 'x'.repeat(BODY_BYTES / 2) },
        },
      ],
    })
  for (const id of ids) expect((await shop.get(`/messages/${id}`)).status).toBe(200)
})

test('a client that disconnects in the middle of a body frees its memory', async () => {
  for (let i = 0; i < 12; i++) {
    const upload = await begin({}, BODY_BYTES - 1000)
    upload.socket.destroy()
  }
  const last = await begin({}, BODY_BYTES - 1000)
  sendRest(last.socket, 1000)
  expect(await firstStatus(last)).toBe(403)
})

test('an address with too many rejected requests waits, unless it names a connected workspace', async () => {
  const from = newAddress()
  const headers = { 'x-forwarded-for': from, 'x-hub-signature-256': newSignature() }
  const postCallback = (id: string) => parley.anonymous.post(`/api/operator/${id}`, {}, { headers })
  const { burst } = BUCKETS['refused-callbacks']
  const statuses = []
  for (let i = 0; i < burst + 20; i++) statuses.push((await postCallback(randomUUID())).status)
  expect(statuses.slice(0, burst)).toEqual(Array(burst).fill(403))
  const waiting = await postCallback(randomUUID())
  expect(waiting).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  expect(Number(waiting.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  const handshake = await parley.anonymous.get(
    `/api/operator/${randomUUID()}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=x`,
    { headers },
  )
  expect(handshake.status, 'the handshake too').toBe(429)
  // All customers of the operator share its address.
  expect((await number.post({ entry: [] })).status).toBe(200)
  const text = JSON.stringify({ entry: [] })
  const good = await parley.anonymous.post(`/api/operator/${shop.workspaceId}`, text, {
    headers: { 'x-forwarded-for': from, 'x-hub-signature-256': signWebhook(text, number.appSecret) },
  })
  expect(good.status).toBe(200)
  expect(
    (
      await parley.anonymous.post(
        `/api/operator/${randomUUID()}`,
        {},
        { headers: { ...headers, 'x-forwarded-for': newAddress() } },
      )
    ).status,
    'another address',
  ).toBe(403)
})

test('this also applies to the callbacks of the photo network and the gateway, whose customers share addresses', async () => {
  const { workspaceId, account } = await openSocialShop(parley)
  await shop.connectGateway({ provider: 'razorpay', ...RAZORPAY })
  const from = newAddress()
  const text = JSON.stringify({ entry: [] })
  const signed = {
    social: [workspaceId, { 'x-hub-signature-256': signWebhook(text, account.appSecret) }],
    gateway: [shop.workspaceId, { 'x-razorpay-signature': signGatewayWebhook(text, RAZORPAY.webhookSecret) }],
  } as const
  const post = (path: string, id: string, headers: Record<string, string>) =>
    parley.anonymous.post(`/api/${path}/${id}`, text, { headers: { 'x-forwarded-for': from, ...headers } })
  const callbacks = Object.entries(signed)
  for (const [path, [id, headers]] of callbacks) expect((await post(path, id, headers)).status).toBe(200)
  const forged = { 'x-hub-signature-256': newSignature() }
  const flood = Array.from({ length: BUCKETS['refused-callbacks'].burst + 20 }, () =>
    post('social', workspaceId, forged),
  )
  expect((await Promise.all(flood)).map(({ status }) => status)).toContain(429)
  for (const [path, [id, headers]] of callbacks)
    expect((await post(path, id, headers)).status, path).toBe(200)
})

test('a workspace ID in capital letters is the same workspace: a replaced token is rejected immediately', async () => {
  const id = shop.workspaceId.toUpperCase()
  const verify = (token: string) =>
    parley.anonymous.get(`/api/operator/${id}?hub.mode=subscribe&hub.challenge=17&hub.verify_token=${token}`)
  expect(await verify('handshake')).toMatchObject({ status: 200, text: '17' })
  await parley.system((tx) =>
    tx.sql('update phone_numbers set verify_token_hash = $2 where id = $1', [
      number.phoneNumberId,
      createHash('sha256').update('replaced').digest(),
    ]),
  )
  expect([(await verify('handshake')).status, (await verify('replaced')).status]).toEqual([403, 200])
})
