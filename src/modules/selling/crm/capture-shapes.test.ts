import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 41_000_000
const newPhone = (): string => `+9198${next++}`
let address = 1

beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true })
})
afterAll(() => parley.close())

async function submit(body: string | Buffer | object, type = 'application/json') {
  const answer = await request(`${parley.url}/api/leads/capture/${shop.captureToken}`, {
    method: 'POST',
    headers: { 'content-type': type, 'x-forwarded-for': `198.52.${address >> 8}.${address++ & 255}` },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  return { status: answer.statusCode, body: await answer.body.text() }
}
const FORM = 'application/x-www-form-urlencoded'
const lead = async (phone: string) => (await shop.get(`/leads/${phone}`)).body.lead

async function submitted(phone: string) {
  const { body } = await shop.get('/events?limit=100')
  return body.events
    .filter(
      (event: { event: string; data: { phone: string } }) =>
        event.event === 'form.submitted' && event.data.phone === phone.slice(1),
    )
    .map((event: { data: object }) => event.data)
}

describe('posts of known services at the capture link become leads (spec 1)', () => {
  test.each<[string, object, object, string | null]>([
    [
      'a list of names with values',
      {
        user_column_data: [
          { column_name: 'User Email', string_value: 'asha@example.com', column_id: 'EMAIL' },
          { column_name: 'Full Name', string_value: 'Asha Rao', column_id: 'FULL_NAME' },
          { column_name: 'User Phone', string_value: 'PHONE', column_id: 'PHONE_NUMBER' },
        ],
        google_key: 'shared-secret',
      },
      { name: 'Asha Rao', email: 'asha@example.com' },
      null,
    ],
    [
      'fields by labels in another language, with the form’s name',
      { form_name: 'Visita', 'Nome completo': 'Asha Rao', Telefone: 'PHONE' },
      { name: 'Asha Rao', email: null },
      'Visita',
    ],
    ['a number under a meaningless name', { field_1: 'PHONE' }, { name: null }, null],
    ['a country next to the number', { phone: 'PHONE', country: 'India' }, { name: null }, null],
  ])('%s', async (_title, template, fields, form) => {
    const phone = newPhone()
    const body = JSON.parse(JSON.stringify(template).replace('PHONE', phone.slice(3)))
    expect(await submit(body)).toMatchObject({ status: 200 })
    expect(await lead(phone)).toMatchObject(fields)
    const [event] = await submitted(phone)
    expect(event.form).toBe(form)
    expect(JSON.stringify(event)).not.toContain('shared-secret')
  })

  test('a submission without a customer’s number is answered 400', async () => {
    expect(await submit({ order_id: '9812345678', field_2: 'Asha' })).toMatchObject({ status: 400 })
  })

  test.each([
    [
      'Elementor, as its page posts it',
      'post_id=12&form_id=ab12&form_fields[name]=Asha+Rao&form_fields[field_1]=PHONE&form_fields[email]=asha%40example.com',
    ],
    [
      'Elementor with advanced data',
      'form[id]=ab12&form[name]=Contact&fields[name][id]=name&fields[name][type]=text&fields[name][title]=Name&fields[name][value]=Asha+Rao&fields[f1][id]=f1&fields[f1][type]=tel&fields[f1][title]=Call+me+on&fields[f1][value]=PHONE&fields[email][value]=asha%40example.com&fields[email][title]=Mail&fields[email][id]=email&meta[remote_ip][value]=203.0.113.7&meta[remote_ip][title]=Remote+IP',
    ],
    [
      'Contact Form 7',
      '_wpcf7=12&_wpnonce=abc&your-name=Asha+Rao&your-email=asha%40example.com&tel-629=PHONE',
    ],
    [
      'Jotform',
      `formID=23058&submissionID=530874&formTitle=Visit&pretty=Name%3AAsha+Rao&rawRequest=${encodeURIComponent('{"q3_name":{"first":"Asha","last":"Rao"},"q4_phoneNumber":{"full":"PHONE"},"q5_email":"asha@example.com"}')}`,
    ],
    [
      'Jotform with a separate area code',
      `formID=23058&rawRequest=${encodeURIComponent('{"q3_name":{"first":"Asha","last":"Rao"},"q4_phoneNumber":{"area":"AREA","phone":"REST"},"q5_email":"asha@example.com"}')}`,
    ],
    ['Ninja Forms', 'name_1=Asha+Rao&phone_1700000000000=PHONE&email_2=asha%40example.com'],
    [
      'Formstack',
      'FormID=23534&Name=first+%3D+Asha%0Alast+%3D+Rao&Email=asha%40example.com&Phone=value+%3D+PHONE%0Afield_type+%3D+phone',
    ],
  ])('%s', async (_service, form) => {
    const phone = newPhone()
    const raw = phone.slice(3)
    const body = form.replace('PHONE', raw).replace('AREA', raw.slice(0, 3)).replace('REST', raw.slice(3))
    expect(await submit(body, FORM)).toMatchObject({ status: 200 })
    expect(await lead(phone)).toMatchObject({ name: 'Asha Rao', email: 'asha@example.com' })
  })

  test('integers larger than a double, NUL, and half an emoji lose no enquiry', async () => {
    const phone = newPhone()
    expect(
      await submit(
        `{"phone":"${phone}","ad_id":120210987654321098765,"name":"As\\u0000ha","note":"\\ud83d!"}`,
      ),
    ).toMatchObject({ status: 200 })
    expect(await submitted(phone)).toMatchObject([
      { name: 'Asha', extra: { ad_id: '120210987654321098765' } },
    ])
  })

  test('names of fields with NUL or half an emoji lose no enquiry, at any depth', async () => {
    const phone = newPhone()
    const names = '"size\\ud83d":"M","a\\u0000b":"c","__pro\\u0000to__":{"x":"y"}'
    expect(await submit(`{"phone":"${phone}",${names},"attributes":{${names}}}`)).toMatchObject({
      status: 200,
    })
    const [{ extra }] = await submitted(phone)
    expect(JSON.stringify(extra)).toContain('"ab":"c"')
    expect(JSON.stringify(extra)).not.toContain('__proto__')
    const inner = JSON.stringify('{"phone":"PHONE","size\\ud83d":"M"}'.replace('PHONE', newPhone()))
    expect(await submit(`{"answers":${inner}}`)).toMatchObject({ status: 200 })
  })

  test('several enquiries in one submission become one lead each', async () => {
    const [senderPhone, other] = [newPhone(), newPhone()]
    const people = [
      { SENDER_NAME: 'Asha', SENDER_MOBILE: senderPhone },
      { SENDER_NAME: 'Ravi', SENDER_MOBILE: other },
    ]
    expect(await submit({ CODE: 200, RESPONSE: people })).toMatchObject({ status: 200 })
    expect((await lead(senderPhone)).name).toBe('Asha')
    expect((await lead(other)).name).toBe('Ravi')
    const answers = [
      { name: 'fullName', value: 'Asha' },
      { name: 'mobile', value: newPhone() },
    ]
    expect(await submit(answers)).toMatchObject({ status: 200 })
    expect((await lead(answers[1]!.value)).name).toBe('Asha')
  })

  test('a form with more than a hundred fields is read', async () => {
    const phone = newPhone()
    const fields = Array.from({ length: 150 }, (_, i) => [`field_${i}`, 'x'])
    expect(await submit(Object.fromEntries([...fields, ['phone', phone]]))).toMatchObject({ status: 200 })
  })

  test.each([
    ['JSON without a content type', 'text/plain', '{"phone":"PHONE","name":"Zoë"}'],
    ['JSON with the content type of a form', FORM, '{"phone":"PHONE","name":"Zoë"}'],
    ['a form with the content type of JSON', 'application/json', 'phone=PHONE&name=Zo%C3%AB'],
    ['a form with the content type of text', 'text/plain', 'phone=PHONE&name=Zo%C3%AB'],
    ['JSON after a byte order mark', 'application/json', '\ufeff{"phone":"PHONE","name":"Zoë"}'],
  ])('%s is recognized by its content', async (_title, type, body) => {
    const phone = newPhone()
    expect(await submit(body.replace('PHONE', phone.slice(1)), type)).toMatchObject({ status: 200 })
    expect(await lead(phone)).toMatchObject({ name: 'Zoë' })
  })

  test.each([
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('JSON in %s is accepted', async (_charset, encode) => {
    const phone = newPhone()
    expect(await submit(encode(`{"phone":"${phone}","name":"Zoë"}`))).toMatchObject({ status: 200 })
    expect(await lead(phone)).toMatchObject({ name: 'Zoë' })
  })
})

describe('secrets that a form sends are never passed on (DECISIONS.md "The lead-capture link")', () => {
  const SECRET = 'hunter2-zebra'
  const CARD = '4111 1111 1111 1111'
  /** Forms with a secret and, next to it, an answer that is kept. */
  const FORMS: Record<string, (raw: string) => { body: object | string; type?: string }> = {
    'in JSON, forty levels deep': (phone) => ({
      body: `{"phone":"${phone}","color":"amber","a":${'{"a":'.repeat(40)}{"x":"y","password":"${SECRET}"}${'}'.repeat(41)}`,
    }),
    'in a form, names with brackets': (phone) => ({
      body: `phone=${phone}&f[color]=amber&f[login][password]=${SECRET}&g[0][name]=password&g[0][value]=${SECRET}`,
      type: FORM,
    }),
    'a card': (phone) => ({
      body: { phone, color: 'amber', payment: { card_number: CARD, cvv: SECRET, 'Credit card': CARD } },
    }),
  }
  test.each(Object.entries(FORMS))('%s', async (_formName, form) => {
    const phone = newPhone()
    const { body, type } = form(phone.slice(3))
    expect((await submit(body, type)).status).toBe(200)
    const storedText = JSON.stringify([
      await submitted(phone),
      await lead(phone),
      (await shop.get(`/leads/${phone}/timeline`)).body,
    ])
    for (const secret of [SECRET, CARD]) expect(storedText).not.toContain(secret)
    expect(storedText).toContain('amber')
  })

  test('fields that only look like a secret are kept: a token amount, a postal code, an order number', async () => {
    const phone = newPhone()
    const order = { token_amount: '50000', pin: '411001', order: { number: '4111111111111111' } }
    await submit({ phone, ...order })
    expect((await submitted(phone))[0].extra).toEqual(order)
  })

  test('secrets are also removed from submissions that wait for a person', async () => {
    await submit({ color: 'amber', login: { password: SECRET }, password: SECRET })
    const [row] = (await shop.get('/lead-submissions?limit=1')).body.submissions
    const { fields } = (await shop.get(`/lead-submissions/${row.id}`)).body.submission
    expect(JSON.stringify([row, fields])).not.toContain(SECRET)
    expect(row.preview).toBe('color: amber')
  })
})
