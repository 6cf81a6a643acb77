import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 40_000_000
const newPhone = (): string => `+9197${next++}`
let address = 1
const METHODS = 'GET, HEAD, POST, PUT, PATCH, OPTIONS'
// Each call uses a separate address, so that no call reaches the rate limit of an address.
const newAddress = (): string => `198.51.${address >> 8}.${address++ & 255}`

beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true })
})
afterAll(() => parley.close())

async function submit(
  body: string | Buffer | object,
  options: { type?: string; headers?: Record<string, string>; of?: TestWorkspace; token?: string } = {},
) {
  const workspace = options.of ?? shop
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const answer = await request(`${parley.url}/api/leads/capture/${options.token ?? workspace.captureToken}`, {
    method: 'POST',
    headers: {
      'content-type': options.type ?? 'application/json',
      'x-forwarded-for': newAddress(),
      ...options.headers,
    },
    body: raw,
  })
  const text = await answer.body.text()
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const submitted = async (phone: string, workspace = shop) => {
  const { body } = await workspace.get('/events?limit=100')
  return body.events
    .filter(
      (event: { event: string; data: { phone: string } }) =>
        event.event === 'form.submitted' && event.data.phone === phone.slice(1),
    )
    .map((event: { data: object }) => event.data)
}

describe('the capture link (spec 1)', () => {
  test('accepts JSON: creates a lead, fires lead.created and form.submitted via form', async () => {
    const phone = newPhone()
    const { status, body, headers } = await submit({
      'Full Name': 'Asha Rao',
      Mobile: phone,
      'E-mail': 'asha@example.com',
      message: 'Do you deliver to Pune?',
      form_name: 'Contact us',
      utm_source: 'google',
      'utm-campaign': 'monsoon',
      size: 'L',
    })
    expect([status, body]).toEqual([200, { ok: true }])
    expect(headers['access-control-allow-origin']).toBe('*')
    expect((await shop.get(`/leads/${phone}`)).body.lead).toMatchObject({
      name: 'Asha Rao',
      email: 'asha@example.com',
      source: 'google',
      attributes: { utm_source: 'google', utm_campaign: 'monsoon' },
      captureCount: 1,
    })
    expect(await submitted(phone)).toMatchObject([
      {
        created: true,
        via: 'form',
        form: 'Contact us',
        source: 'google',
        note: 'Do you deliver to Pune?',
        fields: { name: 'Asha Rao', utm_campaign: 'monsoon' },
        extra: { size: 'L' },
      },
    ])
    const { body: story } = await shop.get(`/leads/${phone}/timeline`)
    expect(story.entries.map((entry: { kind: string }) => entry.kind)).toEqual(['note', 'captured'])
  })

  test('accepts a form, and a name in parts', async () => {
    const phone = newPhone()
    const form = new URLSearchParams({ first_name: 'Asha', 'last-name': 'Rao', tel: phone.slice(3) })
    expect((await submit(form.toString(), { type: 'application/x-www-form-urlencoded' })).status).toBe(200)
    expect((await shop.get(`/leads/${phone}`)).body.lead.name).toBe('Asha Rao')
  })

  test('accepts multipart and ignores files', async () => {
    const phone = newPhone()
    const body = [
      '--x\r\nContent-Disposition: form-data; name="phone"\r\n\r\n',
      `${phone}\r\n`,
      '--x\r\nContent-Disposition: form-data; name="cv"; filename="cv.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n',
      '--x\r\nContent-Disposition: form-data; name="comments"\r\n\r\nHello\r\n--x--\r\n',
    ].join('')
    expect((await submit(body, { type: 'multipart/form-data; boundary=x' })).status).toBe(200)
    expect(await submitted(phone)).toMatchObject([{ note: 'Hello', extra: {} }])
  })

  test('a known number fires form.submitted with created false and lead.recaptured via form', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone, name: 'Asha' })
    await submit({ phone, message: 'Me again' })
    expect(await submitted(phone)).toMatchObject([{ created: false, note: 'Me again' }])
    expect((await shop.get(`/leads/${phone}`)).body.lead).toMatchObject({ name: 'Asha', captureCount: 2 })
  })

  test('a portal that repeats an enquiry within 24 hours is recognized', async () => {
    const phone = newPhone()
    const enquiry = { phone, message: 'Price?' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(enquiry)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await submit({ message: 'Price?', phone })
    await submit(new URLSearchParams({ Comment: ' Price? ', Mobile: phone.slice(3) }).toString(), {
      type: 'application/x-www-form-urlencoded',
    })
    expect(await submitted(phone)).toHaveLength(1)
    expect((await shop.get(`/leads/${phone}`)).body.lead.captureCount).toBe(1)
    await shop.advance(24 * 3600 + 1)
    await submit(enquiry)
    expect((await shop.get(`/leads/${phone}`)).body.lead.captureCount).toBe(2)
  })

  test('the same enquiry is recognized with its fields in another order, and as a form or JSON', async () => {
    const phone = newPhone()
    await submit({ phone, message: 'Flat\nor house?', rooms: 3, where: { city: 'Pune', near: ['park'] } })
    await submit({ where: { near: ['park'], city: 'Pune' }, rooms: 3, phone, message: 'Flat\nor house?' })
    expect(await submitted(phone)).toHaveLength(1)
    const other = newPhone()
    await submit({ phone: other, message: 'Flat\nor house?', rooms: 3 })
    await submit(new URLSearchParams({ rooms: '3', phone: other, message: 'Flat\r\nor house?' }).toString(), {
      type: 'application/x-www-form-urlencoded',
    })
    expect(await submitted(other)).toHaveLength(1)
    await submit({ phone: other, message: 'Flat\nor house?', rooms: 4 })
    expect(await submitted(other)).toHaveLength(2)
  })

  test('a customer who was erased and enquires again is a new lead', async () => {
    const phone = newPhone()
    await submit({ phone, message: 'Price?' })
    await shop.delete(`/contacts/${phone}`)
    await submit({ phone, message: 'Price?' })
    expect((await shop.get(`/leads/${phone}`)).body.lead.captureCount).toBe(1)
  })

  test('all values that a form sends under one name are kept', async () => {
    const phone = newPhone()
    const form = `interest=blue&interest=&interest=red&agree=0&phone=${phone.slice(1)}&phone=12`
    await submit(form, { type: 'application/x-www-form-urlencoded' })
    expect(await submitted(phone)).toMatchObject([
      { extra: { interest: ['blue', 'red'], agree: '0', phone: '12' } },
    ])
  })

  test('finds the number under every name it may have', async () => {
    const phone = newPhone()
    await submit({ number: 3, phone: 'n/a', tel: '', mobile: phone })
    expect(await submitted(phone)).toMatchObject([{ extra: { number: 3, phone: 'n/a' } }])
  })

  test.each(['tel-629', 'mobilephone', 'Customer Phone', 'Phone (WhatsApp)', 'your-tel'])(
    'a form builder’s %s is the phone number if no known field has one',
    async (name) => {
      const phone = newPhone()
      await submit({ 'Phone model': 'A 15', [name]: phone, hotel: '9812345678' })
      expect(await submitted(phone)).toMatchObject([
        { extra: { 'Phone model': 'A 15', hotel: '9812345678' } },
      ])
    },
  )

  test("text under a phone field's name that is not a number is ignored", async () => {
    const answer = await submit({ 'Phone model': 'A 15', order_id: '9812345678' })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'phone' }] } })
  })

  test('an invalid email is kept in extra, and long texts are cut', async () => {
    const phone = newPhone()
    await submit({ phone, email: 'not an address', name: 'x'.repeat(500), tags: ['a', { b: 1 }] })
    expect((await shop.get(`/leads/${phone}`)).body.lead).toMatchObject({
      email: null,
      name: 'x'.repeat(200),
    })
    expect(await submitted(phone)).toMatchObject([
      { email: null, extra: { email: 'not an address', tags: ['a', { b: 1 }] } },
    ])
  })

  test('a robot that fills in the hidden field changes nothing and gets the normal response', async () => {
    const phone = newPhone()
    await submit(`phone=${phone}&_gotcha=&_gotcha=x`, { type: 'application/x-www-form-urlencoded' })
    expect(await submit({ phone, _gotcha: 'http://spam.example' })).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect((await shop.get(`/leads/${phone}`)).status).toBe(404)
  })

  test('past the contact limit a new person gets 402 and can be submitted again later', async () => {
    const own = await parley.workspace({ sandbox: true })
    await own.set({ leadCapture: true, contactLimit: 0 })
    const phone = newPhone()
    expect((await submit({ phone }, { of: own })).body.error).toBe('plan_limit_reached')
    await own.set({ contactLimit: 5 })
    // Every process reads a changed setting within a second.
    await until(async () => (await submit({ phone }, { of: own })).status === 200, 'the new limit applies')
    expect(await submitted(phone, own)).toHaveLength(1)
  })

  test.each([
    ['no number', { name: 'Asha' }, 400, 'invalid'],
    ['no number at all', { phone: 'soon' }, 400, 'invalid'],
    ['no JSON', '{', 400, 'invalid_json'],
    ['a list of texts', '["Asha"]', 400, 'invalid'],
    ['a body that is too large', `{"phone":"${'x'.repeat(70_000)}"}`, 413, 'payload_too_large'],
  ])('%s is rejected', async (_title, body, status, error) => {
    expect(await submit(body as string)).toMatchObject({ status, body: { error } })
  })

  test("a body that is too large counts against its sender's rate limit too (spec 8.1.2)", async () => {
    const answer = await submit(' '.repeat(64 * 1024 + 1), {
      headers: { 'x-forwarded-for': '203.0.113.8' },
    })
    expect([answer.status, answer.headers['ratelimit-remaining']]).toEqual([413, '29'])
  })

  test('another type of body, and a compressed body, return 415; a broken multipart returns 400', async () => {
    expect((await submit('<phone>1</phone>', { type: 'application/xml' })).status).toBe(415)
    const form = gzipSync(`phone=${newPhone()}`)
    for (const type of ['application/json', 'application/x-www-form-urlencoded'])
      expect(await submit(form, { type, headers: { 'content-encoding': 'gzip' } })).toMatchObject({
        status: 415,
        body: { error: 'unsupported_media_type', message: 'Send the body uncompressed.' },
      })
    expect((await submit('--y', { type: 'multipart/form-data' })).status).toBe(400)
  })

  test.each([
    ['NUL', Buffer.from([0xf4, 0xb9, 0x51, 0x45, 0, 0xff])],
    ['half an emoji', Buffer.from(`${'x'.repeat(9)}😀`.repeat(3))],
  ])('JSON that breaks beside %s returns 400', async (_title, body) => {
    expect(await submit(body, { type: 'application/json' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_json' },
    })
  })

  test.each([
    ['a field', '; name="phone"\r\n\r\n+9197'],
    ['a file', '; name="cv"; filename="cv.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF'],
    ['a file and its line', '; name="cv"; filename="cv.pdf"\r\n\r\n%PDF\r\n--x'],
    ['its head', '; name="cv"; file'],
    ['a part without a name', '\r\n\r\ntext'],
  ])(
    'a multipart that ends in the middle of %s returns 400, and the service keeps running',
    async (_title, part) => {
      const body = `--x\r\nContent-Disposition: form-data${part}`
      expect((await submit(body, { type: 'multipart/form-data; boundary=x' })).status).toBe(400)
      expect((await submit({ phone: newPhone() })).status).toBe(200)
    },
  )

  test.each([
    ['names ISO-8859-1', '; charset=ISO-8859-1', 'Zo%EB+M%FCller+%80'],
    ['names no charset and is not in UTF-8', '', 'Zo%EB+M%FCller+%80'],
    ['names UTF-8', '; charset="utf-8"', 'Zo%C3%AB+M%C3%BCller+%E2%82%AC'],
    ['names UTF-8 and is in another charset', ';charset=utf-8', 'Zo%EB+M%FCller+%80'],
    ['names UTF-16, which no form uses', ';charset=utf-16', 'Zo%C3%AB+M%C3%BCller+%E2%82%AC'],
    ['names an unknown charset', ';charset=x-none', 'Zo%C3%AB+M%C3%BCller+%E2%82%AC'],
    ['is not escaped', '', Buffer.from('Zo\xeb M\xfcller \x80', 'latin1')],
  ])('accepts a form in the charset of its page: a form that %s', async (_title, charset, name) => {
    const phone = newPhone()
    const body = Buffer.concat([Buffer.from(`mobile=${encodeURIComponent(phone)}&name=`), Buffer.from(name)])
    expect((await submit(body, { type: `application/x-www-form-urlencoded${charset}` })).status).toBe(200)
    expect(await submitted(phone)).toMatchObject([{ name: 'Zoë Müller €' }])
  })

  test.each([
    ['the page', ''],
    ['the field', 'Content-Type: text/plain; charset=iso-8859-1\r\n'],
  ])('accepts a multipart in the charset of %s', async (_encoding, part) => {
    const phone = newPhone()
    const field = (head: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
    const body = Buffer.from(
      `${field('name="phone"', phone)}--x\r\nContent-Disposition: form-data; name="name"\r\n${part}\r\nZo\xeb\r\n--x--\r\n`,
      'latin1',
    )
    expect((await submit(body, { type: 'multipart/form-data; boundary=x' })).status).toBe(200)
    expect(await submitted(phone)).toMatchObject([{ name: 'Zoë' }])
  })

  test('returns 404 when the workspace has turned it off, and for any other token (docs/clarifications.md)', async () => {
    const workspaceWithoutCapture = await parley.workspace({ sandbox: true })
    const answer = await submit({ phone: newPhone() }, { of: workspaceWithoutCapture })
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
    expect((await submit({ phone: newPhone() }, { token: 'nothing' })).body).toEqual(answer.body)
    await workspaceWithoutCapture.set({ leadCapture: true })
    await until(
      async () => (await submit({ phone: newPhone() }, { of: workspaceWithoutCapture })).status === 200,
      'the link is turned on',
    )
  })

  test('a service that checks the link gets 200, and 404 for a wrong link', async () => {
    const link = `${parley.url}/api/leads/capture/${shop.captureToken}`
    for (const method of ['GET', 'HEAD'] as const) {
      const options = { method, headers: { 'x-forwarded-for': newAddress() } }
      expect((await request(link, options)).statusCode).toBe(200)
      expect((await request(`${link}x`, options)).statusCode).toBe(404)
    }
    const deleteAnswer = await request(link, { method: 'DELETE' })
    expect([deleteAnswer.statusCode, deleteAnswer.headers.allow]).toEqual([405, METHODS])
  })

  test('answers a preflight', async () => {
    const { statusCode, headers } = await request(`${parley.url}/api/leads/capture/${shop.captureToken}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(statusCode).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': METHODS,
    })
  })

  test("redirects the browser to the form's site, and to no other site", async () => {
    const origin = { origin: 'https://shop.example' }
    const go = (redirect: string) => submit({ phone: newPhone(), redirect }, { headers: origin })
    const sent = await go('https://shop.example/thanks?x=1')
    expect([sent.status, sent.headers.location]).toEqual([303, 'https://shop.example/thanks?x=1'])
    expect((await go('/thanks')).headers.location).toBe('https://shop.example/thanks')
    for (const outsider of [
      'https://evil.example/',
      'https://shop.example@evil.example/',
      'https://user@shop.example/',
      'javascript:alert(1)',
      '//evil.example',
      '',
      ' ',
    ])
      expect((await go(outsider)).status).toBe(200)
  })

  test('a refused form also redirects its browser, with the error; JSON gets the error as its response', async () => {
    const headers = { origin: 'https://shop.example' }
    const type = 'application/x-www-form-urlencoded'
    const form = new URLSearchParams({ name: 'Asha', redirect: '/thanks?from=page' }).toString()
    const sent = await submit(form, { type, headers })
    expect([sent.status, sent.headers.location]).toEqual([
      303,
      'https://shop.example/thanks?from=page&error=invalid',
    ])
    const full = await parley.workspace({ sandbox: true })
    await full.set({ leadCapture: true, contactLimit: 0 })
    const phone = newPhone()
    const late = await submit(`phone=${phone.slice(1)}&redirect=/thanks`, { type, headers, of: full })
    expect([late.status, late.headers.location]).toEqual([
      303,
      'https://shop.example/thanks?error=plan_limit_reached',
    ])
    const outsider = new URLSearchParams({ name: 'Asha', redirect: 'https://evil.example/' }).toString()
    expect((await submit(outsider, { type, headers })).status).toBe(400)
    expect((await submit('name=Asha', { type, headers })).body.error).toBe('invalid')
    expect(await submit({ name: 'Asha', redirect: '/thanks' }, { headers })).toMatchObject({
      status: 400,
      body: { error: 'invalid' },
    })
  })

  test('accepts 30 submissions a minute from each sending address (spec 8.1)', async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    const startedAt = performance.now()
    const answers = []
    do answers.push(await submit({ phone: newPhone() }, { headers }))
    while (answers.at(-1)!.status === 200)
    const accepted = answers.length - 1
    expect(accepted).toBeGreaterThanOrEqual(30)
    // One place becomes free every two seconds.
    expect(accepted).toBeLessThanOrEqual(31 + (performance.now() - startedAt) / 2_000)
    expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '29' })
    const refusal = answers.at(-1)!
    expect([refusal.status, refusal.body.error]).toEqual([429, 'rate_limited'])
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('an IPv6 /64 network counts as one sending address', async () => {
    const left: unknown[] = []
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1']) {
      const { headers } = await submit({ phone: newPhone() }, { headers: { 'x-forwarded-for': address } })
      left.push(headers['ratelimit-remaining'])
    }
    expect(left).toEqual(['29', '28', '29'])
  })
})
