import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { memoryObjects } from './memory-objects.ts'
import { startSimulator } from './start.ts'
import type { ScheduledReport } from './store.ts'

const number = { operatorId: '106', accountId: '102', token: 'token-1', displayNumber: '15550100' }
const message = { messaging_product: 'whatsapp', to: '+91 98123-45678', type: 'text', text: { body: 'Hi' } }

let scheduled: ScheduledReport[][] = []
let isFailing = false
let simulator: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  simulator = await startSimulator({
    port: 0,
    host: '127.0.0.1',
    store: {
      ...memoryObjects(systemClock),
      findNumber: async (operatorId) => (operatorId === number.operatorId ? number : undefined),
      listNumbers: async (accountId) => (accountId === number.accountId ? [number] : []),
      findNumberByToken: async (token) => (token === number.token ? number : undefined),
      now: async () => systemClock.now(),
      async schedule(_number, reports) {
        if (isFailing) throw new Error('no database')
        scheduled.push(reports)
      },
    },
  })
})
afterAll(() => simulator.close())
beforeEach(() => {
  scheduled = []
  isFailing = false
})

async function call(path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const answer = await fetch(simulator.url + path, {
    method,
    headers: { authorization: 'Bearer token-1', 'content-type': 'application/json', ...headers },
    body: method === 'GET' ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const accepted = {
  status: 200,
  body: {
    messaging_product: 'whatsapp',
    contacts: [{ input: '+91 98123-45678', wa_id: '919812345678' }],
    messages: [{ id: expect.stringMatching(/^wamid\./) }],
  },
}
const error = (status: number, fields: object) => ({
  status,
  body: { error: expect.objectContaining(fields) },
})

describe('the simulated operator (docs/formats.md section 16)', () => {
  test.each(['/v24.0/106/messages', '/v17.0/106/messages', '/106/messages', '/106/messages/?unknown=1'])(
    'accepts a message at %s',
    async (path) => {
      expect(await call(path, message)).toEqual(accepted)
      expect(scheduled).toHaveLength(1)
    },
  )

  test('accepts its token as Bearer, OAuth, or access_token', async () => {
    expect(await call('/106/messages', message, { authorization: 'OAuth token-1' })).toEqual(accepted)
    const withoutToken = { authorization: '' }
    expect(await call('/106/messages?access_token=token-1', message, withoutToken)).toEqual(accepted)
    expect(await call('/106/messages', { ...message, access_token: 'token-1' }, withoutToken)).toEqual(
      accepted,
    )
    const refusal = error(401, { code: 190, type: 'OAuthException', fbtrace_id: expect.any(String) })
    expect(await call('/106/messages', message, withoutToken)).toEqual(refusal)
    expect(await call('/106/messages', message, { authorization: 'Bearer token-2' })).toEqual(refusal)
  })

  test('accepts urlencoded bodies and objects written as JSON text', async () => {
    const pairs = { ...message, text: JSON.stringify(message.text) }
    const form = new URLSearchParams(pairs).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await call('/106/messages', form, type)).toEqual(accepted)
    expect(await call('/106/messages', pairs)).toEqual(accepted)
  })

  test('accepts multipart bodies, in which lists and objects are JSON text', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...message, text: JSON.stringify(message.text) }))
      form.set(name, value as string)
    const headers = { authorization: 'Bearer token-1' }
    const answer = await fetch(`${simulator.url}/106/messages`, { method: 'POST', headers, body: form })
    expect(await answer.json()).toEqual(accepted.body)
  })

  test.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'cut off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
    ],
    [
      'cut off in a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nx',
    ],
    ['of nothing', 'multipart/form-data; boundary=b', ''],
  ])('refuses a multipart body %s', async (_what, type, body) => {
    expect(await call('/106/messages', body, { 'content-type': type })).toEqual(error(400, { code: 100 }))
  })

  test('accepts files only from known callers', async () => {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('file', new Blob([Buffer.alloc(2 * 1024 * 1024)], { type: 'image/jpeg' }), 'a.jpg')
    const post = (token: string) =>
      fetch(`${simulator.url}/106/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
    expect((await post('other')).status).toBe(401)
    expect((await post('token-1')).status).toBe(200)
  })

  test('continues when callers disconnect in the middle of their bodies', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=b']) {
      const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1')
      socket.write(
        'POST /106/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-1\r\n' +
          `content-type: ${type}\r\ncontent-length: 1000\r\n\r\n--b\r\n{`,
      )
      await once(socket, 'connect')
      socket.destroy()
      await once(socket, 'close')
    }
    expect(await call('/106/messages', message)).toEqual(accepted)
  })

  test("names missing parameters with the operator's text", async () => {
    const missing = (name: string) =>
      error(400, { code: 100, message: `(#100) The parameter ${name} is required.` })
    expect(await call('/106/messages', { ...message, messaging_product: undefined })).toEqual(
      missing('messaging_product'),
    )
    expect(await call('/106/messages', { ...message, to: undefined })).toEqual(missing('to'))
    expect(await call('/106/messages', { ...message, text: undefined })).toEqual(missing('text'))
    expect(await call('/106/messages', { ...message, text: {} })).toEqual(missing("text['body']"))
    expect(await call('/106/messages', { ...message, context: {} })).toEqual(missing("context['message_id']"))
    expect(await call('/106/messages', '')).toEqual(missing('messaging_product'))
  })

  test('refuses unknown ids', async () => {
    expect(await call('/v24.0/999/messages', message)).toEqual(
      error(400, {
        code: 100,
        error_subcode: 33,
        message: expect.stringContaining("Unsupported post request. Object with ID '999' does not exist"),
      }),
    )
    expect(await call('/', message)).toEqual(error(400, { error_subcode: 33 }))
  })

  test.each(['{', '[]', '"text"', 'null'])('refuses the body %s', async (body) => {
    expect(await call('/106/messages', body)).toEqual(error(400, { code: 100 }))
  })

  test('refuses a body over a mebibyte', async () => {
    const body = JSON.stringify({ ...message, filler: 'x'.repeat(1024 * 1024) })
    expect(await call('/106/messages', body)).toEqual(error(413, { code: 100 }))
  })

  test('answers that a part of the network is not simulated', async () => {
    const refusal = error(400, {
      code: 100,
      message: expect.stringContaining('not available in the sandbox'),
    })
    const groupMessage = { ...message, recipient_type: 'group', to: 'Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAz' }
    expect(await call('/106/messages', groupMessage)).toEqual(refusal)
    for (const path of [
      '/me',
      '/v24.0/me/accounts',
      '/debug_token?input_token=x',
      '/message_template_library',
    ])
      expect(await call(path, {}, {}, 'GET')).toEqual(refusal)
    expect(await call('/v24.0/102/message_template_library?search=order', {}, {}, 'GET')).toEqual(refusal)
    expect(await call('/106/message_qrdls', {})).toEqual(refusal)
    expect(await call('/106/messages', {}, {}, 'GET')).toEqual(refusal)
    expect(await call('/106/constructor', {})).toEqual(refusal)
  })

  test.each(['/me', '/debug_token', '/106/message_qrdls'])('%s needs a known token', async (path) => {
    const unknown = { authorization: 'Bearer token-2' }
    expect(await call(path, {}, unknown, 'GET')).toEqual(error(401, { code: 190 }))
  })

  test('accepts its enum values in letters of any case', async () => {
    const upperCaseMessage = {
      ...message,
      messaging_product: 'WHATSAPP',
      recipient_type: 'INDIVIDUAL',
      type: 'TEXT',
    }
    expect(await call('/106/messages', upperCaseMessage)).toEqual(accepted)
    expect(await call('/106/messages', { ...message, recipient_type: null, type: null })).toEqual(accepted)
    const mark = { messaging_product: 'WhatsApp', status: 'READ', message_id: 'wamid.IN' }
    expect(await call('/106/messages', mark)).toEqual({ status: 200, body: { success: true } })
  })

  test("names the required type of a parameter with the operator's text", async () => {
    const typeError = async (more: object) =>
      (await call('/106/messages', { ...message, ...more })).body.error as { message: string }
    expect(await typeError({ text: { body: 5 } })).toMatchObject({
      code: 100,
      message: "(#100) Param text['body'] must be a string.",
    })
    expect(await typeError({ text: 'Hi' })).toMatchObject({
      message: '(#100) Param text must be a JSON object.',
    })
    expect(await typeError({ type: 'contacts', contacts: {} })).toMatchObject({
      message: '(#100) Param contacts must be an array.',
    })
  })

  test('accepts read marks, and reports nothing for them', async () => {
    const mark = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.IN' }
    const typing = { ...mark, typing_indicator: { type: 'text' } }
    expect(await call('/106/messages', typing)).toEqual({ status: 200, body: { success: true } })
    expect(await call('/106/messages', { ...mark, message_id: '' })).toEqual(error(400, { code: 100 }))
    expect(scheduled).toEqual([])
  })

  test('answers a user id with the same user id', async () => {
    const body = { ...message, to: undefined, recipient: 'IN.1349' }
    expect((await call('/106/messages', body)).body).toMatchObject({
      contacts: [{ input: 'IN.1349', user_id: 'IN.1349' }],
    })
    // `to` takes precedence if both are given (docs/formats.md section 2).
    expect(await call('/106/messages', { ...message, recipient: 'IN.1349' })).toEqual(accepted)
  })

  test('accepts no message whose receipts are not durable', async () => {
    isFailing = true
    expect(await call('/106/messages', message)).toEqual(error(500, { code: 131016 }))
  })

  test("reports in the operator's format (docs/formats.md section 9)", async () => {
    await call('/106/messages', { ...message, biz_opaque_callback_data: 'our-id' })
    const [sent] = scheduled[0]!
    expect(JSON.parse(JSON.stringify(sent!.value(new Date(1767168503999))))).toEqual({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550100', phone_number_id: '106' },
      contacts: [{ wa_id: '919812345678' }],
      statuses: [
        {
          id: expect.stringMatching(/^wamid\./),
          status: 'sent',
          timestamp: '1767168503',
          recipient_id: '919812345678',
          biz_opaque_callback_data: 'our-id',
          pricing: {
            billable: false,
            pricing_model: 'PMP',
            type: 'free_customer_service',
            category: 'service',
          },
        },
      ],
    })
  })
})
