import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import { startSimulator } from '../start.ts'
import { createTimerStore } from '../timer-store.ts'

const numbers = ['106', '107', '108'].map((operatorId) => ({
  operatorId,
  accountId: '102',
  token: 'token-1',
  displayNumber: `15550${operatorId}`,
}))
const store = createTimerStore({ numbers, callbackUrl: 'http://127.0.0.1:9', appSecret: 's' })
let simulator: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  store.close()
  await simulator.close()
})

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${simulator.url}/v24.0/${path}`, {
    method,
    headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Body, headers: answer.headers }
}

const done = { status: 200, body: { success: true } }
const refused = (message: string) => ({
  status: 400,
  body: { error: expect.objectContaining({ code: 100, message }) },
})

describe('a number (docs/formats.md section 7)', () => {
  test('returns four fields unless the call requests others', async () => {
    expect((await call('GET', '106')).body).toEqual({
      id: '106',
      display_phone_number: '+15550106',
      verified_name: 'Sandbox',
      quality_rating: 'GREEN',
    })
    const fields = 'status,throughput,health_status{can_send_message,entities{id}}'
    expect((await call('GET', `106?fields=${encodeURIComponent(fields)}`)).body).toEqual({
      id: '106',
      status: 'CONNECTED',
      throughput: { level: 'STANDARD' },
      health_status: {
        can_send_message: 'AVAILABLE',
        entities: [
          { entity_type: 'PHONE_NUMBER', id: '106', can_send_message: 'AVAILABLE' },
          { entity_type: 'WABA', id: '102', can_send_message: 'AVAILABLE' },
        ],
      },
    })
    const nonsense = await call('GET', '106?fields=id,colour')
    expect(nonsense).toMatchObject(
      refused('(#100) Tried accessing nonexistent field (colour) on node type (WhatsAppBusinessPhoneNumber)'),
    )
  })

  test('returns its version, trace, and usage in headers (docs/formats.md section 16)', async () => {
    const { headers } = await call('GET', '106')
    expect(headers.get('facebook-api-version')).toBe('v24.0')
    expect(headers.get('x-fb-trace-id')).toMatch(/./)
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')).toHaveProperty(['102'])
  })

  test('is registered with a PIN of six digits, and deregistered', async () => {
    const product = { messaging_product: 'whatsapp' }
    expect(await call('POST', '107/register', product)).toMatchObject(
      refused('(#100) The parameter pin is required.'),
    )
    expect(await call('POST', '107/register', { pin: '123456' })).toMatchObject(
      refused('(#100) The parameter messaging_product is required.'),
    )
    expect((await call('POST', '107/register', { ...product, pin: '12345' })).status).toBe(400)
    expect(await call('POST', '107/deregister')).toMatchObject(done)
    expect((await call('GET', '107?fields=status')).body).toEqual({ id: '107', status: 'DISCONNECTED' })
    expect(await call('POST', '107/register', { ...product, pin: '123456' })).toMatchObject(done)
    expect((await call('GET', '107?fields=status')).body).toEqual({ id: '107', status: 'CONNECTED' })
  })

  test('has a business profile that stores its values', async () => {
    const fields = { about: 'Open daily', websites: JSON.stringify(['https://shop.example']) }
    const product = { messaging_product: 'whatsapp' }
    expect(await call('POST', '106/whatsapp_business_profile', { ...product, ...fields })).toMatchObject(done)
    expect(await call('POST', '106/whatsapp_business_profile', { ...product, about: 5 })).toMatchObject({
      status: 400,
    })
    const shown = {
      ...product,
      about: 'Open daily',
      websites: ['https://shop.example'],
      vertical: 'UNDEFINED',
    }
    expect((await call('GET', '106/whatsapp_business_profile')).body).toEqual({ data: [shown] })
    expect((await call('GET', '106/whatsapp_business_profile?fields=about')).body).toEqual({
      data: [{ ...product, about: 'Open daily' }],
    })
    expect((await call('GET', '107/whatsapp_business_profile?fields=about')).body.data[0].about).toBe('')
  })

  test.each<[string, object, string]>([
    ['a long about', { about: 'x'.repeat(140) }, '(#100) Param about must be at most 139 characters long.'],
    ['an empty about', { about: '' }, '(#100) Param about must not be empty.'],
    [
      'a long description',
      { description: 'x'.repeat(513) },
      '(#100) Param description must be at most 512 characters long.',
    ],
    ['a wrong address of mail', { email: 'nobody' }, '(#100) Param email must be a valid email address.'],
    [
      'three websites',
      { websites: ['https://a.example', 'https://b.example', 'https://c.example'] },
      '(#100) Param websites must hold at most 2 items.',
    ],
    ['a website that is none', { websites: ['shop'] }, '(#100) Param websites[0] must be a valid URL.'],
    ['one website alone', { websites: 'shop' }, '(#100) Param websites must be an array.'],
    ['an address in parts', { address: { street: 'MG Road' } }, '(#100) Param address must be a string.'],
  ])('rejects a profile with %s', async (_what, fields, message) => {
    const product = { messaging_product: 'whatsapp' }
    expect(await call('POST', '106/whatsapp_business_profile', { ...product, ...fields })).toMatchObject(
      refused(message),
    )
  })

  test("has a profile with the network's business categories and an uploaded picture", async () => {
    const product = { messaging_product: 'whatsapp' }
    const edge = '108/whatsapp_business_profile'
    expect((await call('POST', edge, { ...product, vertical: 'JUGGLING' })).body.error.message).toMatch(
      /^\(#100\) Param vertical must be one of \{ALCOHOL, .*RETAIL/,
    )
    const fields = { ...product, vertical: 'retail', description: '', profile_picture_handle: '4::aW1n:x' }
    expect(await call('POST', edge, fields)).toMatchObject(done)
    expect((await call('GET', `${edge}?fields=vertical,profile_picture_url`)).body.data).toEqual([
      { ...product, vertical: 'RETAIL', profile_picture_url: expect.stringMatching(/^https:\/\//) },
    ])
  })

  test.each(['request_code', 'verify_code', 'settings', 'message_qrdls', 'calls'])(
    "%s isn't simulated and answers with code 100 (spec 4.9)",
    async (edge) => {
      expect(await call('POST', `106/${edge}`, {})).toMatchObject(
        refused(`(#100) POST ${edge} is not available in the sandbox.`),
      )
    },
  )
})

describe('an account (docs/formats.md section 7)', () => {
  test('lists its numbers page by page, forwards and back', async () => {
    const first = (await call('GET', '102/phone_numbers?limit=2&fields=id')).body
    expect(first.data).toEqual([{ id: '106' }, { id: '107' }])
    expect(first.paging.next).toContain(first.paging.cursors.after)
    const second = (
      await call('GET', `102/phone_numbers?limit=2&fields=id&after=${first.paging.cursors.after}`)
    ).body
    expect(second.data).toEqual([{ id: '108' }])
    expect(second.paging.next).toBeUndefined()
    const previousPage = `102/phone_numbers?limit=2&fields=id&before=${second.paging.cursors.before}`
    expect((await call('GET', previousPage)).body.data).toEqual(first.data)
    expect((await call('GET', '102/phone_numbers?limit=x')).status).toBe(400)
  })

  test('returns its own fields', async () => {
    expect((await call('GET', '102?fields=name,account_review_status')).body).toEqual({
      id: '102',
      name: 'Sandbox',
      account_review_status: 'APPROVED',
    })
  })

  test('returns its numbers, templates, and forms as nested lists, page by page', async () => {
    const fields = 'name,phone_numbers.limit(2){id,verified_name},flows{name},message_templates{name}'
    const { body } = await call('GET', `102?fields=${encodeURIComponent(fields)}`)
    expect(body).toMatchObject({
      id: '102',
      name: 'Sandbox',
      phone_numbers: {
        data: [
          { id: '106', verified_name: 'Sandbox' },
          { id: '107', verified_name: 'Sandbox' },
        ],
      },
      flows: { data: [{ name: 'Book a visit' }] },
      message_templates: { data: [{ name: 'hello_world' }] },
    })
    const next = new URL(body.phone_numbers.paging.next)
    expect(next.pathname).toBe('/v24.0/102/phone_numbers')
    expect(next.searchParams.get('fields')).toBe('id,verified_name')
    expect(((await (await fetch(next)).json()) as Body).data).toEqual([
      { id: '108', verified_name: 'Sandbox' },
    ])
    expect(await call('GET', '102?fields=phone_numbers{colour}')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('nonexistent field (colour)') } },
    })
    const number = await call('GET', '106?fields=status,whatsapp_business_profile{about}')
    expect(number.body).toMatchObject({ status: 'CONNECTED', whatsapp_business_profile: { data: [{}] } })
  })

  test('can be subscribed to by an app, and unsubscribed', async () => {
    expect((await call('GET', '102/subscribed_apps')).body).toEqual({ data: [] })
    expect(await call('POST', '102/subscribed_apps')).toMatchObject(done)
    const app = { whatsapp_business_api_data: expect.objectContaining({ name: 'Parley' }) }
    expect((await call('GET', '102/subscribed_apps')).body).toEqual({ data: [app] })
    expect(await call('DELETE', '102/subscribed_apps')).toMatchObject(done)
    expect((await call('GET', '102/subscribed_apps')).body).toEqual({ data: [] })
  })
})
