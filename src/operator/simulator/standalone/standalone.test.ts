// Tests a standalone simulator through its two interfaces: the operator's API and the control calls.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import { until } from '../../../../test/support/until.ts'
import { isObject } from '../../../core/values/storable.ts'
import { verifyWebhookSignature } from '../../webhook-signature.ts'
import { controls } from './control.ts'
import { defaultSettings } from './settings.ts'
import { type StandaloneSimulator, startStandaloneSimulator } from './start.ts'

const number = { operatorId: '106', accountId: '102', token: 'token-1', displayNumber: '15550100' }
const appSecret = 'app-secret'

let simulator: StandaloneSimulator
let receiver: Awaited<ReturnType<typeof startReceiver>>
let now = new Date('2026-06-01T09:30:00.000Z')
let monotonic = 0

beforeEach(async () => {
  receiver = await startReceiver()
  now = new Date('2026-06-01T09:30:00.000Z')
  monotonic = 0
  simulator = await startStandaloneSimulator({
    port: 0,
    host: '127.0.0.1',
    numbers: [{ ...number }],
    appSecret,
    clock: { now: () => now, monotonicMs: () => monotonic },
    // Every receipt is due immediately, in order.
    after: (ms, run) => {
      const timer = setTimeout(run, ms / 100)
      return () => clearTimeout(timer)
    },
    settings: { callbackUrl: receiver.url },
  })
})
afterEach(async () => {
  await simulator.close()
  receiver.close()
})

/** Collects the bodies of webhooks with a valid signature. */
async function startReceiver() {
  const bodies: Body[] = []
  const posts: { raw: Buffer; headers: IncomingHttpHeaders }[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    if (req.method === 'GET')
      return res.end(new URL(req.url ?? '', 'http://x').searchParams.get('hub.challenge'))
    posts.push({ raw, headers: req.headers })
    if (verifyWebhookSignature(raw, req.headers['x-hub-signature-256'], appSecret))
      bodies.push(JSON.parse(raw.toString('utf8')))
    res.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const changes = (): Body[] => bodies.flatMap((body) => body.entry.flatMap((entry: Body) => entry.changes))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    posts,
    changes,
    statuses: (): string[] =>
      changes().flatMap(({ value }) => (value.statuses ?? []).map((status: Body) => status.status)),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${simulator.url}${path}`, {
    method,
    headers: { authorization: 'Bearer token-1', 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as Body, headers: answer.headers }
}
const control = (path: string, body: object) => call('POST', `/_simulator${path}`, body)
const send = (more: object = {}) =>
  call('POST', '/v24.0/106/messages', {
    messaging_product: 'whatsapp',
    to: '919812345678',
    type: 'text',
    text: { body: 'Hi' },
    biz_opaque_callback_data: 'our-1',
    ...more,
  })
const tallyOf = async (data = 'our-1') => (await call('GET', `/_simulator/tally?callbackData=${data}`)).body
const refused = (status: number, code: number) => ({
  status,
  body: { error: expect.objectContaining({ code }) },
})

describe('faults for a call (docs/formats.md section 16, rule 8)', () => {
  test.each([
    [{ error: 130429, retryAfterSeconds: 7 }, 400, 130429],
    [{ error: 131056 }, 400, 131056],
    [{ error: 80007, status: 429 }, 429, 80007],
    [{ error: 131000 }, 500, 131000],
    [{ error: 190, subcode: 463 }, 401, 190],
  ])('%j happens as often as requested, then stops', async (then, status, code) => {
    await control('/faults', { does: then, times: 2 })
    expect(await send()).toMatchObject(refused(status, code))
    expect(await send()).toMatchObject(refused(status, code))
    expect((await send()).status).toBe(200)
    expect(await tallyOf()).toMatchObject({ accepted: 1, refused: 2 })
  })

  test('a throttle reports how long to wait, in either header', async () => {
    await control('/faults', { does: { error: 130429, retryAfterSeconds: 7, regainMinutes: 3 }, times: 1 })
    const { headers } = await send()
    expect(headers.get('retry-after')).toBe('7')
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')).toMatchObject({
      102: [{ estimated_time_to_regain_access: 3 }],
    })
    await control('/settings', { throttleStatus: 429 })
    await control('/faults', { does: { error: 130429 }, times: 1 })
    expect((await send()).status).toBe(429)
  })

  test('a fault can be limited to a customer, a type, or another call, and can be canceled', async () => {
    const armed = await control('/faults', { to: '+91 98123 45678', does: { error: 131000 } })
    expect((await send()).status).toBe(500)
    expect((await send({ to: '919800000001' })).status).toBe(200)
    await call('DELETE', `/_simulator/faults/${armed.body.id}`)
    await control('/faults', { call: 'GET phone_numbers', does: { error: 4 } })
    expect((await send()).status).toBe(200)
    expect(await call('GET', '/v24.0/102/phone_numbers')).toMatchObject(refused(400, 4))
    await call('DELETE', '/_simulator/faults')
    expect((await call('GET', '/v24.0/102/phone_numbers')).status).toBe(200)
    expect((await call('DELETE', '/_simulator/faults/none')).status).toBe(404)
  })

  test('a fault can hang or break the connection before or after the message is accepted', async () => {
    for (const [then, accepted] of [
      [{ close: 'before' }, 0],
      [{ close: 'after' }, 1],
    ] as const) {
      await control('/faults', { does: then, times: 1 })
      await expect(send({ biz_opaque_callback_data: then.close })).rejects.toThrow()
      expect(await tallyOf(then.close)).toMatchObject({ accepted })
    }
    for (const [then, accepted] of [
      [{ hang: 'before' }, 0],
      [{ hang: 'after' }, 1],
    ] as const) {
      await control('/faults', { does: then, times: 1 })
      const controller = new AbortController()
      const hung = fetch(`${simulator.url}/106/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          to: '919812345678',
          text: { body: 'Hi' },
          biz_opaque_callback_data: `hang-${then.hang}`,
        }),
        signal: controller.signal,
      }).catch(() => 'gave up')
      await until(() => simulator.faults.list().every(({ used }) => used === 1), 'the call has arrived')
      await until(
        () => simulator.tally.of(`hang-${then.hang}`).accepted === accepted,
        'the call has had its effect',
      )
      controller.abort()
      expect(await hung).toBe('gave up')
    }
  })

  test('a fault can answer as something other than the operator', async () => {
    await control('/faults', { does: { answer: { status: 502, text: '<html>' } }, times: 1 })
    expect(await send()).toMatchObject({ status: 502, body: '<html>' })
    expect(await tallyOf()).toMatchObject({ accepted: 0 })
    await control('/faults', { does: { answer: { status: 200, text: 'OK', when: 'after' } }, times: 1 })
    expect(await send()).toMatchObject({ status: 200, body: 'OK' })
    expect(await tallyOf()).toMatchObject({ accepted: 1 })
  })

  test.each([
    [131026, 'Message undeliverable'],
    [131047, 'Re-engagement message'],
    [131049, 'This message was not delivered to maintain healthy ecosystem engagement.'],
    [131050, 'User has stopped receipt of marketing messages.'],
    [130472, "User's number is part of an experiment"],
  ])('an accepted message fails later with %i', async (code, title) => {
    await control('/faults', { to: '919812345678', does: { failed: code } })
    expect((await send()).status).toBe(200)
    await until(() => receiver.statuses().includes('failed'), 'the failure is reported')
    const failed = receiver.changes().find(({ value }) => value.statuses[0].status === 'failed')
    expect(failed.value.statuses[0].errors[0]).toMatchObject({
      code,
      title,
      message: title,
      error_data: { details: expect.any(String) },
    })
    expect(receiver.statuses()).not.toContain('delivered')
  })

  test('a control call with a wrong field names it, and a control call needs a token', async () => {
    const wrong = await control('/faults', { does: { failed: 'x' }, times: 0 })
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('times') } },
    })
    const outsider = await call('POST', '/_simulator/faults', {}, { authorization: 'Bearer other' })
    expect(outsider.status).toBe(401)
    expect((await call('GET', '/_simulator/nothing')).status).toBe(404)
  })
})

describe('limits (docs/formats.md section 12)', () => {
  test('a number sends 80 messages per second', async () => {
    await control('/settings', { limits: { throughput: true } })
    const answers = await Promise.all(Array.from({ length: 81 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(80)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(refused(400, 130429))
    monotonic += 100
    const more = await Promise.all(Array.from({ length: 9 }, () => send()))
    expect(more.filter(({ status }) => status === 200)).toHaveLength(8)
  })

  test('one customer gets a burst of 45 messages, then one every six seconds', async () => {
    await control('/settings', { limits: { pair: true } })
    const answers = await Promise.all(Array.from({ length: 46 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(45)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(refused(400, 131056))
    expect((await send({ to: '919800000001' })).status).toBe(200)
    monotonic += 6000
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(400)
  })
})

describe('disorder of webhooks (docs/formats.md section 16, rule 7)', () => {
  const sendMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => send({ to: `9198000000${10 + i}` })))

  test('by default statuses arrive one by one and in order', async () => {
    await send()
    await until(() => receiver.bodies.length === 3, 'three webhooks arrive')
    expect(receiver.statuses()).toEqual(['sent', 'delivered', 'read'])
    expect(receiver.bodies[0].entry[0].time).toBe(now.getTime() / 1000)
  })

  test('statuses can arrive twice', async () => {
    await control('/settings', { webhooks: { duplicate: 1 } })
    await send()
    await until(() => receiver.bodies.length === 6, 'six webhooks arrive')
    expect(receiver.statuses().filter((status) => status === 'sent')).toHaveLength(2)
  })

  test('delivered can be dropped', async () => {
    await control('/settings', { webhooks: { drop: ['delivered'] } })
    await send()
    await until(() => receiver.statuses().includes('read'), 'the message is read')
    expect(receiver.statuses()).toEqual(['sent', 'read'])
  })

  test('statuses can arrive shuffled and many in one body', async () => {
    await control('/settings', {
      receipts: { sentMs: 0, deliveredMs: 0, readMs: 0 },
      webhooks: { shuffle: true, batch: 1000, gatherMs: 5000 },
    })
    await sendMany(20)
    await until(() => receiver.statuses().length === 60, 'sixty statuses arrive')
    expect(receiver.bodies.length).toBeLessThan(5)
    const inOrder = Array.from({ length: 20 }, () => ['sent', 'delivered', 'read']).flat()
    expect(receiver.statuses()).not.toEqual(inOrder)
    expect(receiver.statuses().toSorted()).toEqual(inOrder.toSorted())
  })

  test('statuses can be held and released', async () => {
    await control('/settings', { webhooks: { hold: true } })
    await send()
    await until(() => simulator.store.postbox.counts().waiting === 3, 'three webhooks wait')
    expect(receiver.bodies).toEqual([])
    await control('/settings', { webhooks: { hold: false } })
    await until(() => receiver.statuses().length === 3, 'three statuses arrive')
  })
})

describe('numbers with problems', () => {
  test.each([
    [{ status: 'BANNED' }, 403, 131031, 'account_update'],
    [{ status: 'RESTRICTED' }, 403, 368, 'account_update'],
    [{ status: 'DISCONNECTED' }, 400, 133010, undefined],
    [{ tokenExpired: true }, 401, 190, undefined],
  ])('%j refuses sends, is reported, and ends', async (change, status, code, field) => {
    expect(await control('/numbers/106', change)).toMatchObject({ status: 200 })
    expect(await send()).toMatchObject(refused(status, code))
    if (field) expect(receiver.changes().map((change) => change.field)).toEqual([field])
    await control('/numbers/106', { status: 'CONNECTED', tokenExpired: false })
    expect((await send()).status).toBe(200)
  })

  test.each([
    ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'outsider', 'writer'],
    ['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', 'writer', 'outsider'],
  ])(
    "an account under %s: it can't send to the %s, it can send to the %s, and the restriction ends by itself",
    async (type, no, yes) => {
      const phones: Record<string, string> = { outsider: '919812345671', writer: '919812345672' }
      await control('/inbound', { from: phones.writer!, text: 'Hi' })
      await control('/numbers/106', { restrictions: [{ type, seconds: 3600 }] })
      expect(receiver.changes().at(-1)).toEqual({
        field: 'account_update',
        value: {
          event: 'ACCOUNT_RESTRICTION',
          restriction_info: [{ restriction_type: type, expiration: now.getTime() / 1000 + 3600 }],
        },
      })
      const health = async () => (await call('GET', '/106?fields=status,health_status')).body
      expect(await send({ to: phones[no] })).toMatchObject(refused(403, 368))
      expect((await send({ to: phones[yes] })).status).toBe(200)
      expect(await health()).toMatchObject({
        status: 'CONNECTED',
        health_status: { can_send_message: 'LIMITED' },
      })
      now = new Date(now.getTime() + 3600 * 1000)
      expect((await send({ to: phones[no] })).status).toBe(200)
      expect(await health()).toMatchObject({ health_status: { can_send_message: 'AVAILABLE' } })
    },
  )

  test('a RESTRICTED number may reply, and is healthy after seven days', async () => {
    const status = async () => (await call('GET', '/106?fields=status')).body.status
    await control('/numbers/106', { status: 'RESTRICTED' })
    expect(await send()).toMatchObject(refused(403, 368))
    await control('/inbound', { from: '919812345678', text: 'Hi' })
    expect((await send()).status).toBe(200)
    expect(await status()).toBe('RESTRICTED')
    now = new Date(now.getTime() + 7 * 86_400 * 1000)
    expect((await send()).status).toBe(200)
    expect(await status()).toBe('CONNECTED')
  })

  test('a new token replaces an expired one', async () => {
    await control('/numbers/106', { tokenExpired: true })
    await control('/numbers/106', { token: 'token-2' })
    expect((await send()).status).toBe(401)
    const renewed = await call('GET', '/106?fields=status', undefined, { authorization: 'Bearer token-2' })
    expect(renewed.body.status).toBe('CONNECTED')
  })

  test('a number is added, and its throughput rises', async () => {
    const joining = { operatorId: '107', accountId: '102', token: 'token-7', displayNumber: '+15550107' }
    expect((await control('/numbers', joining)).body).not.toHaveProperty('token')
    await control('/numbers/107', { throughput: 'HIGH' })
    expect(receiver.changes()[0]).toMatchObject({
      field: 'phone_number_quality_update',
      value: { display_phone_number: '15550107', event: 'THROUGHPUT_UPGRADE' },
    })
    expect((await control('/numbers/999', { quality: 'RED' })).status).toBe(404)
  })
})

describe('customers', () => {
  test.each([
    [{ text: 'Hi' }, { type: 'text', text: { body: 'Hi' } }],
    [
      { type: 'location', content: { latitude: 12.97, longitude: 77.59 } },
      { type: 'location', location: { latitude: 12.97, longitude: 77.59 } },
    ],
    [
      { type: 'reaction', content: { message_id: 'wamid.X', emoji: '👍' } },
      { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } },
    ],
    [
      { type: 'button', content: { payload: 'OK', text: 'Ok' }, replyTo: 'wamid.T' },
      { type: 'button', button: { payload: 'OK', text: 'Ok' }, context: { from: '15550100', id: 'wamid.T' } },
    ],
    [
      {
        type: 'interactive',
        content: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{}' } },
      },
      { interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{}' } } },
    ],
    [
      { type: 'order', content: { catalog_id: 'c', product_items: [] }, referral: { source_type: 'ad' } },
      { order: { catalog_id: 'c', product_items: [] }, referral: { source_type: 'ad' } },
    ],
    [
      { type: 'contacts', content: [{ name: {} }] },
      { type: 'contacts', contacts: [{ name: {} }] },
    ],
    [
      { type: 'unsupported', errors: [{ code: 131051 }] },
      { type: 'unsupported', errors: [{ code: 131051 }] },
    ],
  ])('write %j', async (writing, message) => {
    const { body } = await control('/inbound', { from: '+919812345678', name: 'Asha', ...writing })
    const [change] = receiver.changes()
    expect(change.field).toBe('messages')
    expect(change.value.contacts).toEqual([{ profile: { name: 'Asha' }, wa_id: '919812345678' }])
    expect(change.value.messages).toEqual([
      expect.objectContaining({ id: body.id, from: '919812345678', ...message }),
    ])
  })

  test('send files, which can then be downloaded', async () => {
    const picture = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
    const file = { base64: picture.toString('base64'), mimeType: 'image/jpeg' }
    await control('/inbound', { from: '919812345678', type: 'image', file, content: { caption: 'Look' } })
    const { image } = receiver.changes()[0].value.messages[0]
    expect(image).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      mime_type: 'image/jpeg',
      caption: 'Look',
    })
    expect(await simulator.store.find(image.id)).toMatchObject({
      kind: 'media',
      bytes: picture,
    })
  })

  test('are not received while they are blocked', async () => {
    const asha = { messaging_product: 'whatsapp', block_users: [{ user: '+919812345678' }] }
    const writing = { from: '919812345678', text: 'Hi' }
    await control('/inbound', writing)
    await call('POST', '/106/block_users', asha)
    receiver.bodies.length = 0
    expect(await send()).toMatchObject(refused(400, 130403))
    expect((await control('/inbound', writing)).body).toMatchObject({ delivered: false })
    expect(receiver.bodies).toEqual([])
    await call('DELETE', '/106/block_users', asha)
    expect((await send()).status).toBe(200)
    expect((await control('/inbound', writing)).body).toMatchObject({ delivered: true })
  })

  test('can be blocked only within 24 hours of their last message', async () => {
    const asha = { messaging_product: 'whatsapp', block_users: [{ user: '+919812345678' }, { user: '+1' }] }
    const failed = {
      input: '+919812345678',
      wa_id: '919812345678',
      errors: [expect.objectContaining({ code: 131047 })],
    }
    expect(await call('POST', '/106/block_users', asha)).toMatchObject({
      ...refused(400, 139100),
      body: { block_users: { added_users: [], failed_users: [failed, { input: '+1' }] } },
    })
    await control('/inbound', { from: '919812345678', text: 'Hi' })
    expect((await call('POST', '/106/block_users', asha)).body.block_users).toMatchObject({
      added_users: [{ wa_id: '919812345678' }],
      failed_users: [{ input: '+1' }],
    })
    now = new Date(now.getTime() + 25 * 60 * 60_000)
    // A blocked customer stays blocked after that, and can be unblocked at any time.
    expect((await call('POST', '/106/block_users', asha)).body.block_users.added_users).toHaveLength(1)
    expect((await call('DELETE', '/106/block_users', asha)).body.block_users.removed_users).toHaveLength(1)
    expect((await call('POST', '/106/block_users', asha)).body.block_users.added_users).toEqual([])
  })

  test('who came through an ad get free replies for 72 hours (docs/formats.md section 12)', async () => {
    await control('/inbound', { from: '919812345678', text: 'Hi', referral: { source_type: 'ad' } })
    await send()
    await until(() => receiver.statuses().includes('read'), 'the message is read')
    const [, sent, delivered] = receiver.changes().map(({ value }) => value.statuses?.[0])
    expect(sent).toMatchObject({
      conversation: {
        expiration_timestamp: String(Number(sent.timestamp) + 72 * 3600),
        origin: { type: 'referral_conversion' },
      },
      pricing: { billable: false, type: 'free_entry_point' },
    })
    expect(delivered.conversation).not.toHaveProperty('expiration_timestamp')
  })

  test('call, and the call is missed', async () => {
    await control('/calls', { from: '919812345678' })
    const events = receiver.changes().map(({ field, value }) => ({ field, ...value.calls[0] }))
    expect(events).toMatchObject([
      { field: 'calls', event: 'connect', direction: 'USER_INITIATED', from: '919812345678' },
      { field: 'calls', event: 'terminate', status: 'FAILED' },
    ])
    expect(events[1]).not.toHaveProperty('start_time')
  })

  test('get free-form messages within 24 hours of their last message, if the window is turned on', async () => {
    await control('/settings', { window: true })
    await send()
    await until(() => receiver.statuses().length > 0, 'a status arrives')
    expect(receiver.statuses()).toEqual(['failed'])
    await control('/inbound', { from: '919812345678', text: 'Hi' })
    await send()
    await until(() => receiver.statuses().includes('read'), 'the message is read')
    now = new Date(now.getTime() + 24 * 3600 * 1000)
    await send()
    await until(
      () => receiver.statuses().filter((status) => status === 'failed').length === 2,
      'both messages have failed',
    )
  })

  test('who hide their number are identified by their user id, which may change', async () => {
    await control('/settings', { userIds: true })
    const { body: asha } = await control('/customers', {
      from: '919812345678',
      hidden: true,
      username: 'asha_r',
    })
    expect(asha.userId).toMatch(/^IN\.\d+$/)
    await control('/inbound', { from: '919812345678', text: 'Hi' })
    const [{ value }] = receiver.changes()
    expect(value.contacts).toEqual([{ profile: { username: 'asha_r' }, user_id: asha.userId }])
    expect(value.messages[0]).not.toHaveProperty('from')
    const answer = await send({ to: undefined, recipient: asha.userId })
    expect(answer.body.contacts).toEqual([{ input: asha.userId, user_id: asha.userId }])
    await until(() => receiver.statuses().includes('read'), 'the message is read')
    const status = receiver.changes().find((change) => change.value.statuses)?.value.statuses[0]
    expect(status).toMatchObject({ recipient_user_id: asha.userId })
    expect(status).not.toHaveProperty('recipient_id')

    const { body: renewed } = await control('/customers', { from: asha.userId, rotate: true })
    const update = receiver.changes().find(({ field }) => field === 'user_id_update')
    expect(update.value.user_id_update[0].user_id).toEqual({ previous: asha.userId, current: renewed.userId })
    expect(await send({ to: undefined, recipient: asha.userId })).toMatchObject(refused(400, 131009))
    expect((await send({ to: undefined, recipient: renewed.userId })).status).toBe(200)
  })

  test('move to another number', async () => {
    await control('/customers', { from: '919812345678', phone: '+919800000002' })
    expect(receiver.changes()[0].value.messages[0]).toMatchObject({
      type: 'system',
      from: '919812345678',
      system: { type: 'user_changed_number', wa_id: '919800000002' },
    })
  })

  test('stop marketing, and the webhook reports it', async () => {
    await control('/preferences', { from: '919812345678', value: 'stop' })
    expect(receiver.changes()[0]).toMatchObject({
      field: 'user_preferences',
      value: { user_preferences: [{ wa_id: '919812345678', category: 'marketing_messages', value: 'stop' }] },
    })
  })
})

describe('templates', () => {
  let templateId = ''
  const offer = (parameters: object[] = [{ type: 'text', text: 'Asha' }]) =>
    send({
      type: 'template',
      text: undefined,
      template: {
        name: 'offer',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters }],
      },
    })

  beforeEach(async () => {
    const components = [
      { type: 'BODY', text: 'Hi {{1}}, cheaper today only.', example: { body_text: [['Asha']] } },
      { type: 'FOOTER', text: 'Reply STOP to opt out' },
    ]
    const template = { name: 'offer', language: 'en_US', category: 'MARKETING', components }
    templateId = (await call('POST', '/v24.0/102/message_templates', template)).body.id
    expect(await offer()).toMatchObject(refused(404, 132001))
    await until(() => receiver.changes().length === 1, 'the template has a decision')
    now = new Date(now.getTime() + 3000)
    receiver.bodies.length = 0
  })

  test('are priced by category, and not sent to customers who stopped marketing', async () => {
    expect((await offer()).body.messages[0].message_status).toBe('accepted')
    await until(() => receiver.statuses().includes('read'), 'the message is read')
    expect(receiver.changes()[0].value.statuses[0].pricing).toEqual({
      billable: true,
      pricing_model: 'PMP',
      type: 'regular',
      category: 'marketing',
    })
    await control('/preferences', { from: '919812345678', value: 'stop' })
    await offer()
    await until(() => receiver.statuses().includes('failed'), 'the message has failed')
    const failed = receiver.changes().at(-1)?.value.statuses[0]
    expect(failed.errors[0].code).toBe(131050)
  })

  test('must exist, be approved, and get exactly their parameters', async () => {
    expect(await offer([])).toMatchObject(refused(400, 132000))
    await control(`/templates/${templateId}`, { status: 'PAUSED' })
    expect(await offer()).toMatchObject(refused(400, 132015))
    await control(`/templates/${templateId}`, { status: 'REJECTED', reason: 'SCAM' })
    expect(await offer()).toMatchObject(refused(404, 132001))
    await until(() => receiver.changes().length === 2, 'both changes are reported')
    const events = receiver.changes().map(({ value }) => [value.event, value.reason])
    expect(events).toEqual([
      ['PAUSED', 'NONE'],
      ['REJECTED', 'SCAM'],
    ])
    await control('/settings', { templates: false })
    expect((await offer()).status).toBe(200)
  })

  describe('get in each part only its open values', () => {
    const fileless = { type: 'image', image: { link: 'https://example.com/a.jpg' } }
    const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
    const order = {
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1001'] } },
        { type: 'BODY', text: 'It is on its way.' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Thanks' },
            { type: 'URL', text: 'Track', url: 'https://x.example/{{1}}', example: ['https://x.example/1'] },
          ],
        },
      ],
    }
    const header = { type: 'header', parameters: [text('1001')] }
    const track = { type: 'button', sub_type: 'url', index: 1, parameters: [text('1001')] }
    const picture = {
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4:x'] } },
        { type: 'BODY', text: 'Look.' },
      ],
    }
    const fixed = {
      components: [
        { type: 'BODY', text: 'Look.' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Site', url: 'https://x.example' }] },
      ],
    }
    const named = {
      parameter_format: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Hi {{name}}, it is here.',
          example: { body_text_named_params: [{ param_name: 'name', example: 'Asha' }] },
        },
      ],
    }

    test.each<[string, object, object[], number | undefined]>([
      ['everything', order, [header, track], undefined],
      ['an index as text', order, [header, { ...track, index: '1', sub_type: 'URL' }], undefined],
      ['no header', order, [track], 132000],
      ['no end of an address', order, [header], 131008],
      ['a text with a line break', order, [{ ...header, parameters: [text('10\n01')] }, track], 132018],
      ['a text with five spaces', order, [{ ...header, parameters: [text('10     01')] }, track], 132018],
      [
        'a value for a fixed address',
        fixed,
        [{ type: 'button', sub_type: 'url', index: 0, parameters: [text('a')] }],
        132018,
      ],
      ['nothing for a fixed address', fixed, [], undefined],
      ['a picture', picture, [{ type: 'header', parameters: [fileless] }], undefined],
      ['no picture', picture, [], 132012],
      ['a text for a picture', picture, [{ type: 'header', parameters: [text('x')] }], 132012],
      [
        'a name',
        named,
        [{ type: 'body', parameters: [text('Asha', { parameter_name: 'name' })] }],
        undefined,
      ],
      [
        'another name',
        named,
        [{ type: 'body', parameters: [text('Asha', { parameter_name: 'nom' })] }],
        132000,
      ],
    ])('%s', async (_what, template, components, code) => {
      const created = { name: 'made', language: 'en_US', category: 'UTILITY', ...template }
      expect((await call('POST', '/v24.0/102/message_templates', created)).body).toHaveProperty('id')
      now = new Date(now.getTime() + 3000)
      const filled = { name: 'made', language: { code: 'en_US' }, components }
      const answer = await send({ type: 'template', text: undefined, template: filled })
      expect(answer).toMatchObject(code === undefined ? { status: 200 } : refused(400, code))
    })
  })

  test("report the operator's details with each state (docs/formats.md section 10)", async () => {
    const reported = async (change: object) => {
      receiver.bodies.length = 0
      await control(`/templates/${templateId}`, change)
      await until(() => receiver.changes().length === 1, 'the change is reported')
      return receiver.changes()[0].value
    }
    const words = { title: expect.any(String), description: expect.any(String) }
    expect((await reported({ status: 'PAUSED' })).other_info).toEqual({ ...words, title: 'FIRST_PAUSE' })
    expect((await reported({ status: 'REINSTATED' })).other_info).toEqual({ ...words, title: 'UNPAUSE' })
    expect((await reported({ status: 'PAUSED' })).other_info).toEqual({ ...words, title: 'SECOND_PAUSE' })
    const disabled = await reported({ status: 'DISABLED' })
    expect(disabled.disable_info).toEqual({ disable_date: Math.floor(now.getTime() / 1000) })
    const scam = await reported({ status: 'REJECTED', reason: 'SCAM' })
    expect(scam).toMatchObject({ event: 'REJECTED', reason: 'SCAM' })
    for (const value of [scam, await reported({ status: 'APPROVED' })])
      for (const name of ['rejection_info', 'disable_info', 'other_info'])
        expect(value).not.toHaveProperty(name)
    expect((await reported({ status: 'REJECTED' })).rejection_info).toEqual({
      reason: expect.any(String),
      recommendation: expect.any(String),
    })
  })

  test.each([
    ['COPY_CODE', {}],
    ['ONE_TAP', { supported_apps: [{ package_name: 'com.example', signature_hash: 'K8a/AINcGX7' }] }],
  ])('with a one-time password (%s) are not sent to a user id: 131062', async (otp_type, more) => {
    const button = { type: 'OTP', otp_type, text: 'Copy', ...more }
    const components = [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [button] }]
    const template = { name: 'code', language: 'en_US', category: 'AUTHENTICATION', components }
    expect((await call('POST', '/v24.0/102/message_templates', template)).status).toBe(200)
    now = new Date(now.getTime() + 3000)
    const password = {
      type: 'template',
      text: undefined,
      template: {
        name: 'code',
        language: { code: 'en_US' },
        components: [
          { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '123456' }] },
        ],
      },
    }
    const userId = 'IN.13491208655302741918'
    expect(await send({ ...password, to: undefined, recipient: userId })).toMatchObject(refused(400, 131062))
    expect((await send({ ...password, recipient: userId })).status).toBe(200)
    await control('/settings', { templates: false })
    expect(await send({ ...password, to: undefined, recipient: userId })).toMatchObject(refused(400, 131062))
    expect((await send({ to: undefined, recipient: userId })).status).toBe(200)
  })

  test('change their category, after a notice without effect (docs/formats.md section 10)', async () => {
    await control(`/templates/${templateId}`, { impendingCategory: 'UTILITY' })
    await until(() => receiver.changes().length === 1, 'the notice is reported')
    await control(`/templates/${templateId}`, { category: 'UTILITY' })
    await until(() => receiver.changes().length === 2, 'the change is reported')
    const about = { field: 'template_category_update' }
    expect(receiver.changes()).toMatchObject([
      { ...about, value: { new_category: 'MARKETING', correct_category: 'UTILITY' } },
      { ...about, value: { previous_category: 'MARKETING', new_category: 'UTILITY' } },
    ])
    expect(receiver.changes()[0].value).not.toHaveProperty('previous_category')
  })
})

describe('other controls', () => {
  test('an app that subscribes with its own address confirms it, and then gets the webhooks', async () => {
    const second = await startReceiver()
    const subscribe = (address: string) =>
      call('POST', '/v24.0/102/subscribed_apps', { override_callback_uri: address, verify_token: 'v' })
    expect((await subscribe(second.url)).body).toEqual({ success: true })
    await send()
    await until(() => second.statuses().length === 3, 'three statuses arrive')
    expect(receiver.bodies).toEqual([])
    second.close()
    expect((await subscribe('http://127.0.0.1:9/')).status).toBe(400)
    expect((await subscribe('ftp://x')).status).toBe(400)
  })

  test("webhooks carry both signatures and the sender's user agent", async () => {
    await control('/inbound', { from: '919812345678', text: 'नमस्ते / hi' })
    const [{ raw, headers }] = receiver.posts as [(typeof receiver.posts)[0]]
    const hmac = (hash: string) => createHmac(hash, appSecret).update(raw).digest('hex')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature': `sha1=${hmac('sha1')}`,
      'x-hub-signature-256': `sha256=${hmac('sha256')}`,
    })
  })

  test('the tally counts how often each message was accepted, and lists accepted messages', async () => {
    await send()
    await send()
    await send({ biz_opaque_callback_data: 'our-2', to: '919800000001' })
    const summary = { accepted: 3, distinct: 2, repeated: ['our-1'], calls: { 'POST messages': 3 } }
    expect((await call('GET', '/_simulator/tally')).body).toEqual(summary)
    expect(await tallyOf()).toMatchObject({ accepted: 2, chanmids: [expect.any(String), expect.any(String)] })
    const { messages } = (await call('GET', '/_simulator/messages?to=%2B919800000001')).body
    expect(messages).toMatchObject([{ callbackData: 'our-2', type: 'text', content: { body: 'Hi' } }])
  })

  test('every control call and setting is described in docs/simulator.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/simulator.md'), 'utf8')
    const paths = Object.keys(controls).map((name) => name.replace('/:id', '/ID'))
    const settings = Object.entries(defaultSettings).flatMap(([name, value]) =>
      isObject(value) ? Object.keys(value).map((inner) => `.${inner}\``) : [`\`${name}\``],
    )
    expect([...paths, ...settings].filter((path) => !page.includes(path))).toEqual([])
  })

  test('any update can be reported, and all state can be read and reset', async () => {
    await control('/webhooks', { field: 'security', value: { event: 'PIN_CHANGED' } })
    expect(receiver.changes()).toEqual([{ field: 'security', value: { event: 'PIN_CHANGED' } }])
    await control('/settings', { window: true })
    await control('/faults', { does: { error: 4 } })
    const state = (await call('GET', '/_simulator/state')).body
    expect(state).toMatchObject({
      settings: { window: true },
      faults: [{ used: 0 }],
      numbers: [{ operatorId: '106' }],
    })
    expect(JSON.stringify(state)).not.toContain('token-1')
    await control('/reset', {})
    expect((await call('GET', '/_simulator/state')).body).toMatchObject({
      settings: { window: false },
      faults: [],
    })
  })
})
