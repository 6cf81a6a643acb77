import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { findEverywhere } from '../../../../../test/support/database-search.ts'
import { openAsService } from '../../../../../test/support/open-database.ts'
import { DASHBOARD, signIn } from '../../../../../test/support/sessions.ts'
import { until } from '../../../../../test/support/until.ts'
import { DAY_MS, later, systemClock } from '../../../../core/clock.ts'
import { submissionRetentionSource } from '../work/submission-retention-source.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 42_000_000
const newPhone = (): string => `+9196${next++}`
let address = 1
const newAddress = (): string => `198.53.${address >> 8}.${address++ & 255}`

beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true })
})
afterAll(() => parley.close())

type Options = { type?: string; headers?: Record<string, string>; method?: string; query?: string }

const isSentAsItIs = (body: unknown): body is string | Buffer | Readable =>
  typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable

async function submit(
  body: string | Buffer | Readable | object,
  { type = 'application/json', headers, method = 'POST', query = '' }: Options = {},
) {
  const answer = await request(`${parley.url}/api/leads/capture/${shop.captureToken}${query}`, {
    method: method as 'POST',
    headers: {
      ...(type === '' ? {} : { 'content-type': type }),
      'x-forwarded-for': newAddress(),
      ...headers,
    },
    ...(method === 'POST' ? { body: isSentAsItIs(body) ? body : JSON.stringify(body) } : {}),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, text }
}
const listSubmissions = async (state = 'needs_attention'): Promise<Body[]> =>
  (await shop.get(`/lead-submissions?state=${state}`)).body.submissions
const getSubmission = async (id: string): Promise<Body> =>
  (await shop.get(`/lead-submissions/${id}`)).body.submission
const open = async (): Promise<number> => (await shop.get('/lead-submissions')).body.open
const lead = async (phone: string): Promise<Body> => (await shop.get(`/leads/${phone}`)).body.lead

describe('no submission with a valid token is lost (docs/clarifications.md)', () => {
  test('a submission without a number returns 400 and needs attention, once for all its repeats', async () => {
    const enquiry = { who: 'Asha Rao', answer: 'call me', city: 'Pune' }
    for (let i = 0; i < 3; i++) expect((await submit(enquiry)).status).toBe(400)
    expect(await listSubmissions()).toMatchObject([
      {
        state: 'needs_attention',
        reason: { code: 'no_number', message: 'No phone number was found.' },
        preview: 'who: Asha Rao · answer: call me · city: Pune',
        times: 3,
        leadId: null,
      },
    ])
    expect(await open()).toBe(1)
    const [{ id }] = (await listSubmissions()) as [Body]
    expect(await getSubmission(id)).toMatchObject({
      body: JSON.stringify(enquiry),
      contentType: 'application/json',
      fields: [
        { path: 'who', label: 'who', values: ['Asha Rao'], suggestion: null },
        { path: 'answer', values: ['call me'] },
        { path: 'city', values: ['Pune'] },
      ],
    })
  })

  test("the error names a number that can't be used", async () => {
    await submit({ phone: '12', name: 'Asha' })
    expect(await listSubmissions()).toMatchObject([{ reason: { code: 'bad_number' } }])
  })

  test.each([
    ['bad JSON', '{"phone": 98', 'application/json', {}, 400, 'invalid_json'],
    [
      'an unknown content type',
      '<lead><phone>1</phone></lead>',
      'application/xml',
      {},
      415,
      'unsupported_media_type',
    ],
    ['a broken multipart', '--y', 'multipart/form-data', {}, 400, 'invalid'],
    [
      'a compressed body',
      gzipSync('phone=98'),
      'application/json',
      { 'content-encoding': 'gzip' },
      415,
      'unsupported_media_type',
    ],
    [
      'bytes of no charset',
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
      'image/jpeg',
      {},
      415,
      'unsupported_media_type',
    ],
    ['JSON nested too deeply', '['.repeat(100), 'application/json', {}, 400, 'invalid'],
  ])('%s is kept as it arrived', async (_title, body, type, headers, status, code) => {
    expect((await submit(body, { type, headers })).status).toBe(status)
    const [row] = (await listSubmissions()) as [Body]
    expect(row.reason.code).toBe(code)
    const submission = await getSubmission(row.id)
    expect(submission).toMatchObject({ fields: [], contentType: type })
    if (typeof body === 'string') expect(submission.body).toBe(body)
  })

  test.each([
    ['text/xml', 'utf8'],
    ['application/xml; charset=utf-8', 'utf8'],
    ['application/soap+xml', 'utf8'],
    ['application/x-www-form-urlencoded', 'utf8'],
    ['application/json', 'utf8'],
    ['text/plain', 'utf16le'],
    ['', 'utf8'],
  ] as const)(
    'XML as %s in %s is kept raw with its reason, and a person types its number',
    async (type, charset) => {
      const phone = newPhone()
      const xml = `<?xml version="1.0"?>\n<Lead id="7"><Name>Asha</Name><Mobile>${phone}</Mobile></Lead>`
      const answer = await submit(Buffer.from(xml, charset), { type })
      expect(answer.status, answer.text).toBe(415)
      const message = expect.stringContaining('XML')
      expect(JSON.parse(answer.text)).toMatchObject({ error: 'unsupported_media_type', message })
      const [row] = (await listSubmissions()) as [Body]
      expect(row.reason).toEqual({ code: 'unsupported_media_type', message })
      expect(await getSubmission(row.id)).toMatchObject({ body: xml, fields: [], contentType: type || null })
      expect((await shop.post(`/lead-submissions/${row.id}/lead`, { phone, name: 'Asha' })).status).toBe(201)
      expect(await lead(phone)).toMatchObject({ name: 'Asha' })
    },
  )

  describe('more than 64 KB', () => {
    const LIMIT = 64 * 1024
    const large = (phone: string) => `{"phone":"${phone}","photo":"${'x'.repeat(LIMIT)}"}`

    test('returns 413; its beginning, size and headers need attention', async () => {
      const phone = newPhone()
      const body = large(phone)
      const headers = { 'user-agent': 'Portal/2', referer: 'https://shop.example/contact' }
      const answer = await submit(body, { headers })
      expect(answer.status).toBe(413)
      const message = expect.stringMatching(new RegExp(`^The submission has ${body.length} bytes.* 64 KB`))
      expect(JSON.parse(answer.text)).toMatchObject({ error: 'payload_too_large', message })
      const [row] = (await listSubmissions()) as [Body]
      expect(row).toMatchObject({ state: 'needs_attention', reason: { code: 'payload_too_large', message } })
      const submission = await getSubmission(row.id)
      expect(submission.body).toBe(body.slice(0, LIMIT))
      expect(submission).toMatchObject({
        contentType: 'application/json',
        headers: {
          userAgent: 'Portal/2',
          referer: 'https://shop.example/contact',
          contentLength: String(body.length),
        },
      })
      expect((await shop.post(`/lead-submissions/${row.id}/lead`, { phone })).status).toBe(201)
    })

    test('is kept also without a length header, and is erased with a person whose number it contains', async () => {
      const phone = newPhone()
      await submit({ phone, name: 'Asha' })
      const body = large(phone)
      async function* pieces() {
        for (let position = 0; position < body.length; position += 10_000)
          yield Buffer.from(body.slice(position, position + 10_000))
      }
      expect((await submit(Readable.from(pieces()))).status).toBe(413)
      const [row] = (await listSubmissions()) as [Body]
      expect(row.reason.message).toContain('more than 64 KB')
      expect((await getSubmission(row.id)).body).toBe(body.slice(0, LIMIT))
      await shop.delete(`/contacts/${phone}`)
      expect(await listSubmissions()).toEqual([])
    })

    test('is read at exactly 64 KB', async () => {
      const body = large(newPhone())
      const exact = body.replace(/x+/, 'x'.repeat(LIMIT - body.replace(/x+/, '').length))
      expect(exact.length).toBe(LIMIT)
      expect((await submit(exact)).status).toBe(200)
    })
  })

  test('a submission that became a lead is kept too, with its lead', async () => {
    const phone = newPhone()
    await submit({ phone, name: 'Asha' })
    expect(await listSubmissions()).toEqual([])
    const { id } = await lead(phone)
    const [row] = (await listSubmissions('captured')) as [Body]
    expect(row).toMatchObject({ state: 'captured', reason: null, leadId: id, times: 1 })
    expect((await getSubmission(row.id)).body).toBe(JSON.stringify({ phone, name: 'Asha' }))
    await submit({ phone, name: 'Asha' })
    expect(await listSubmissions('captured')).toMatchObject([{ times: 2, leadId: id }])
  })

  test('past the contact limit it waits, and becomes a lead when it is sent again', async () => {
    await shop.set({ contactLimit: 0 })
    const phone = newPhone()
    await until(async () => (await submit({ phone })).status === 402, 'the limit is known')
    expect(await listSubmissions()).toMatchObject([{ reason: { code: 'plan_limit_reached' } }])
    await shop.set({ contactLimit: 5 })
    await until(async () => (await submit({ phone })).status === 200, 'there is room')
    expect(await listSubmissions()).toEqual([])
    expect(await listSubmissions('captured')).toMatchObject([
      { reason: null, leadId: (await lead(phone)).id },
    ])
  })

  test.each([
    [
      'Google Ads',
      {
        is_test: true,
        google_key: 'k',
        user_column_data: [{ column_id: 'PHONE_NUMBER', string_value: '+16505550123' }],
      },
    ],
    ['LinkedIn', { testLead: true, formResponse: { answers: [] } }],
    [
      'Meta',
      { field_data: [{ name: 'phone_number', values: ['<test lead: dummy data for phone_number>'] }] },
    ],
    ['a portal with a sample', { RESPONSE: { SENDER_NAME: 'Test', SENDER_MOBILE: '+91-XXXXXXXXXX' } }],
    ['a ping by its name', { event: 'ping', zen: 'Keep it logically awesome.' }],
    ['an empty object', {}],
    ['an empty body', ''],
    ['an empty list', []],
  ])('a test call of %s returns 200 and creates no lead', async (_service, body) => {
    expect((await submit(body as object)).status).toBe(200)
    expect(await open()).toBe(0)
    expect((await shop.get('/leads')).body.leads).toEqual([])
    expect(await listSubmissions('dismissed')).toHaveLength(1)
  })

  test('a challenge gets its own text as the response', async () => {
    const query = '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=x'
    expect(await submit('', { method: 'GET', query })).toEqual({ status: 200, text: '1158201444' })
    const { text } = await submit({ type: 'url_verification', challenge: 'abc' })
    expect(JSON.parse(text)).toMatchObject({ challenge: 'abc' })
  })

  test('an enquiry in the query of a GET is accepted, and a GET without fields stores nothing', async () => {
    const phone = newPhone()
    const query = `?leadid=1&name=Asha&mobile=${phone.slice(3)}&city=Pune`
    expect((await submit('', { method: 'GET', type: '', query })).status).toBe(200)
    expect(await lead(phone)).toMatchObject({ name: 'Asha', attributes: { city: 'Pune' } })
    await submit('', { method: 'GET', type: '' })
    await submit('', { method: 'GET', type: '', query: '?utm_source=x' })
    expect(await open()).toBe(0)
    expect((await submit('', { method: 'GET', type: '', query: '?name=Asha' })).status).toBe(200)
    expect(await open()).toBe(1)
  })

  test('submissions of robots are kept separately', async () => {
    await submit({ phone: newPhone(), _gotcha: 'x' })
    expect(await listSubmissions('dismissed')).toMatchObject([{ reason: { code: 'robot' } }])
    expect(await open()).toBe(0)
  })

  test("one sender can't displace the submissions of others", async () => {
    await submit({ name: 'Somebody else' })
    const headers = { 'x-forwarded-for': '203.0.113.50' }
    // The rate limit of an address is thirty a minute; the bound applies at any rate.
    for (let i = 0; i < 25; i++) await submit({ name: `Flood ${i}` }, { headers })
    const rows = await listSubmissions()
    expect(rows.some(({ preview }) => preview === 'name: Somebody else')).toBe(true)
    expect(rows).toHaveLength(26)
  })

  test('is kept for 30 days', async () => {
    await submit({ name: 'Asha' })
    const database = openAsService(parley.databaseUrl)
    const clockAfter = (days: number) => ({
      ...systemClock,
      now: () => later(systemClock.now(), days * DAY_MS),
    })
    await submissionRetentionSource({ database, clock: clockAfter(29) }).runDue({
      workspaceId: undefined,
    } as never)
    expect(await open()).toBe(1)
    await submissionRetentionSource({ database, clock: clockAfter(31) }).runDue({
      workspaceId: undefined,
    } as never)
    expect(await open()).toBe(0)
    await database.close()
  })

  test('is erased with the person, also if it only mentions their number', async () => {
    const phone = newPhone()
    await submit({ phone, name: 'Asha', message: 'zebra-one' })
    await submit({ about: `my number is ${phone.slice(3, 8)} ${phone.slice(8)}, zebra-two` })
    await submit(`{"broken": "${phone} zebra-three`)
    expect(await open()).toBe(2)
    await shop.delete(`/contacts/${phone}`)
    expect([...(await listSubmissions()), ...(await listSubmissions('captured'))]).toEqual([])
    for (const word of ['zebra-one', 'zebra-two', 'zebra-three'])
      expect(await findEverywhere(parley, [word])).toEqual([])
  })

  test('the team is notified once, and again after a teammate has looked', async () => {
    const asha = await signIn(parley, shop, 'agent')
    const viewer = await signIn(parley, shop, 'viewer')
    const read = async (reader = asha): Promise<Body> => (await reader.get(`${DASHBOARD}/notifications`)).body
    await submit({ name: 'Asha', form_name: 'Contact us' })
    await until(async () => (await read()).unread === 1, 'the notification arrives')
    expect((await read()).notifications).toMatchObject([
      { kind: 'submission_needs_attention', title: 'Contact us', actorName: null },
    ])
    await submit({ name: 'Asha', form_name: 'Contact us' })
    await submit({ name: 'Ravi' })
    await shop.advance(1)
    expect((await read()).notifications).toHaveLength(1)
    expect((await read(viewer)).unread).toBe(0)
    await asha.post(`${DASHBOARD}/notifications/read`, { upTo: (await read()).notifications[0].id })
    await submit({ name: 'Meera' })
    await until(async () => (await read()).unread === 1, 'the next notification arrives')
  })
})

describe('other answers of a form are on the lead', () => {
  test('as custom fields and in the timeline, without keys and technical fields', async () => {
    const phone = newPhone()
    await submit({
      phone,
      product: 'Sofa',
      'What is your budget?': '50,000',
      _wpnonce: 'abc',
      'g-recaptcha-response': 'token',
      google_key: 'secret',
      user_agent: 'Mozilla',
      city: 'NA',
    })
    const answersByQuestion = { product: 'Sofa', 'What is your budget?': '50,000' }
    expect((await lead(phone)).attributes).toEqual(answersByQuestion)
    const { entries } = (await shop.get(`/leads/${phone}/timeline`)).body
    expect(entries).toMatchObject([{ kind: 'captured', data: { answers: answersByQuestion } }])
  })

  test('a known lead gets missing fields, and no value that a person entered is replaced', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone, attributes: { city: 'Pune' } })
    await submit({ phone, city: 'Mumbai', budget: '5 lakh' })
    expect((await lead(phone)).attributes).toEqual({ city: 'Pune', budget: '5 lakh' })
    const [entry] = (await shop.get(`/leads/${phone}/timeline`)).body.entries
    expect(entry).toMatchObject({
      kind: 'recaptured',
      data: { answers: { city: 'Mumbai', budget: '5 lakh' } },
    })
  })

  test("answers that exceed the lead's space lose no enquiry", async () => {
    const phone = newPhone()
    const fields = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`question ${i}`, 'जवाब '.repeat(6)]),
    )
    expect((await submit({ phone, ...fields })).status).toBe(200)
    expect(Object.keys((await lead(phone)).attributes).length).toBeLessThanOrEqual(40)
  })
})

describe('a submission that needs attention can be mapped by hand', () => {
  const map = (id: string, body: object, client: Pick<TestWorkspace, 'post'> = shop) =>
    client.post(`/lead-submissions/${id}/lead`, body)

  test('it becomes a lead as at the link, and the next submission of its shape is read automatically', async () => {
    const phone = newPhone()
    const form = (number: string, sender: string) => ({
      kontakt: `call ${number} after six`,
      wer: sender,
      haus: '2 BHK',
      f: 'x',
    })
    await submit(form(phone, 'Asha'))
    const [row] = (await listSubmissions()) as [Body]
    const refusal = await map(row.id, { fields: { kontakt: 'phone' } })
    expect([refusal.status, refusal.body.issues[0].path]).toEqual([400, 'fields.kontakt'])
    const answer = await map(row.id, {
      phone,
      fields: { kontakt: 'phone', wer: 'name', haus: 'attributes.size', f: 'ignore' },
    })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body).toMatchObject({
      created: true,
      lead: { phone: phone.slice(1), name: 'Asha', attributes: { size: '2 BHK' } },
      submission: { state: 'captured', leadId: answer.body.lead.id },
    })
    expect(Object.keys(answer.body.lead.attributes)).toEqual(['size'])
    expect(await open()).toBe(0)
    const events = (await shop.get('/events?limit=20')).body.events.map(({ event }: Body) => event)
    expect(events).toEqual(expect.arrayContaining(['lead.created', 'form.submitted']))

    const other = newPhone()
    const following = { ...form('', 'Ravi'), kontakt: other.slice(3) }
    await until(async () => (await submit(following)).status === 200, 'the mapping is known')
    expect(await lead(other)).toMatchObject({ name: 'Ravi', attributes: { size: '2 BHK' } })
  })

  test('a mapping takes precedence over guesses, and applies to the same form with other fields', async () => {
    const form = { form_name: 'Visit', name: 'Green Park', guest: 'Asha', n: 'none' }
    await submit(form)
    const [row] = (await listSubmissions()) as [Body]
    const phone = newPhone()
    const mapped = await map(row.id, {
      phone,
      fields: { name: 'attributes.project', guest: 'name', n: 'phone' },
    })
    expect(mapped.body.lead).toMatchObject({ name: 'Asha', attributes: { project: 'Green Park' } })
    // Until the process knows the mapping, a submission with a number is read by guesses.
    await until(async () => {
      const other = newPhone()
      await submit({ ...form, guest: 'Ravi', n: other.slice(3), extra: 'yes' })
      return (await lead(other))?.name === 'Ravi'
    }, 'the submission is read by the mapping')
  })

  test('without remembering, the next one waits again', async () => {
    await submit({ a: 'Asha', b: 'x' })
    const [row] = (await listSubmissions()) as [Body]
    expect((await map(row.id, { phone: newPhone(), fields: { a: 'name' }, remember: false })).status).toBe(
      201,
    )
    await submit({ a: 'Ravi', b: 'x' })
    expect(await open()).toBe(1)
  })

  test('an unreadable submission becomes a lead by a typed number', async () => {
    await submit('{"phone": 98', {})
    const [row] = (await listSubmissions()) as [Body]
    const phone = newPhone()
    expect((await map(row.id, { phone, name: 'Asha' })).body.lead).toMatchObject({ name: 'Asha' })
  })

  test('a known number counts as another capture', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone })
    await submit({ a: 'Asha' })
    const [row] = (await listSubmissions()) as [Body]
    const answer = await map(row.id, { phone })
    expect([answer.status, answer.body.created, answer.body.lead.captureCount]).toEqual([200, false, 2])
  })

  test('two concurrent teammates create one lead; the second gets the error that it is a lead', async () => {
    await submit({ a: 'Asha' })
    const [row] = (await listSubmissions()) as [Body]
    const phone = newPhone()
    const answers = await Promise.all([
      map(row.id, { phone }),
      map(row.id, { phone }),
      map(row.id, { phone }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await lead(phone)).captureCount).toBe(1)
  })

  test('errors name the field, and a missing submission returns 404', async () => {
    await submit({ a: 'Asha' })
    const [row] = (await listSubmissions()) as [Body]
    for (const [body, path] of [
      [{}, 'phone'],
      [{ phone: '12' }, 'phone'],
      [{ phone: newPhone(), fields: { b: 'name' } }, 'fields.b'],
      [{ phone: newPhone(), fields: { a: 'nonsense' } }, 'fields.a'],
    ] as const) {
      const answer = await map(row.id, body)
      expect([answer.status, answer.body.issues[0].path]).toEqual([400, path])
    }
    expect((await map('0198f0c2-7b1e-7c39-8f3a-2a3f0c9d1e55', { phone: newPhone() })).status).toBe(404)
    const other = await parley.workspace({ sandbox: true })
    expect((await map(row.id, { phone: newPhone() }, other)).status).toBe(404)
    expect((await other.get(`/lead-submissions/${row.id}`)).status).toBe(404)
  })

  test('it can be dismissed and restored', async () => {
    await submit({ a: 'Asha' })
    const [row] = (await listSubmissions()) as [Body]
    const path = `/lead-submissions/${row.id}`
    expect((await shop.patch(path, { state: 'dismissed' })).body.submission.state).toBe('dismissed')
    expect(await open()).toBe(0)
    // A repeated submission stays dismissed.
    await submit({ a: 'Asha' })
    expect(await open()).toBe(0)
    await shop.patch(path, { state: 'needs_attention' })
    expect(await listSubmissions()).toMatchObject([{ id: row.id, times: 2 }])
    await map(row.id, { phone: newPhone() })
    expect((await shop.patch(path, { state: 'dismissed' })).status).toBe(409)
  })
})
