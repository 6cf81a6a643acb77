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

/** Example posts of each service, with the phone number as the service writes it. `raw`: ten digits. */
const SHAPES: Record<
  string,
  (raw: string) => { body: object; name: string | null; email?: string; form?: string }
> = {
  'IndiaMART push': (raw) => ({
    body: {
      CODE: 200,
      STATUS: 'SUCCESS',
      RESPONSE: {
        UNIQUE_QUERY_ID: '2012487827',
        QUERY_TYPE: 'W',
        QUERY_TIME: '2024-05-16 12:52:22',
        SENDER_NAME: 'Asha Rao',
        SENDER_MOBILE: `+91-${raw}`,
        SENDER_EMAIL: 'asha@example.com',
        SENDER_COMPANY: 'Rao Traders',
        SENDER_CITY: 'Pune',
        SENDER_COUNTRY_ISO: 'IN',
        SENDER_MOBILE_ALT: null,
        RECEIVER_MOBILE: '+91-9999999999',
        QUERY_PRODUCT_NAME: 'Dyed cotton fabric',
        QUERY_MESSAGE: 'I want to buy 50 metres.',
      },
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
  }),
  'Google Ads lead form': (raw) => ({
    body: {
      lead_id: 'TeSter-123-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      user_column_data: [
        { column_name: 'User Email', string_value: 'asha@example.com', column_id: 'EMAIL' },
        { column_name: 'Full Name', string_value: 'Asha Rao', column_id: 'FULL_NAME' },
        { column_name: 'User Phone', string_value: `+91${raw}`, column_id: 'PHONE_NUMBER' },
        { column_name: 'What is your budget?', string_value: '50,000', column_id: 'budget' },
      ],
      api_version: '1.0',
      form_id: 40000000000,
      campaign_id: 123456789012,
      google_key: 'shared-secret',
      is_test: false,
      gcl_id: 'EAIaIQ',
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
  }),
  'Meta lead ads': (raw) => ({
    body: {
      id: '1234567890123456',
      created_time: '2024-05-16T12:52:22+0000',
      ad_id: '23851234567890123',
      form_id: '987654321098765',
      field_data: [
        { name: 'full_name', values: ['Asha Rao'] },
        { name: 'email', values: ['asha@example.com'] },
        { name: 'phone_number', values: [`p:+91${raw}`] },
        { name: 'what_is_your_budget?', values: ['50,000'] },
      ],
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
  }),
  Typeform: (raw) => ({
    body: {
      event_id: 'LtWXD3crgy',
      event_type: 'form_response',
      form_response: {
        form_id: 'lT4Z3j',
        token: 'a3a12ec67a1365927098a606107fac15',
        submitted_at: '2024-05-16T12:52:22Z',
        definition: {
          id: 'lT4Z3j',
          title: 'Webinar sign-up',
          fields: [
            { id: 'DlXFaesGBpoF', title: 'What is your name?', type: 'short_text', ref: 'r1' },
            { id: 'SMEUb7VJz92Q', title: 'Where can we call you?', type: 'phone_number', ref: 'r2' },
            { id: 'KoJxDM3c6x8h', title: 'Which city?', type: 'multiple_choice', ref: 'r3' },
          ],
        },
        answers: [
          { type: 'text', text: 'Asha Rao', field: { id: 'DlXFaesGBpoF', type: 'short_text', ref: 'r1' } },
          {
            type: 'phone_number',
            phone_number: `+91${raw}`,
            field: { id: 'SMEUb7VJz92Q', type: 'phone_number', ref: 'r2' },
          },
          {
            type: 'choice',
            choice: { label: 'Pune' },
            field: { id: 'KoJxDM3c6x8h', type: 'multiple_choice', ref: 'r3' },
          },
        ],
      },
    },
    name: 'Asha Rao',
    form: 'Webinar sign-up',
  }),
  Tally: (raw) => ({
    body: {
      eventId: 'a4cb511e-d513-4fa5-baee-b815d718dfd1',
      eventType: 'FORM_RESPONSE',
      createdAt: '2024-05-16T12:52:22.000Z',
      data: {
        responseId: '2wgx4n',
        formId: 'VwbNEw',
        formName: 'Site visit',
        fields: [
          { key: 'question_mVGEg3', label: 'Name', type: 'INPUT_TEXT', value: 'Asha Rao' },
          { key: 'question_nPpjVn', label: 'Your number', type: 'INPUT_PHONE_NUMBER', value: `+91${raw}` },
          {
            key: 'question_3qLEkn',
            label: 'City',
            type: 'MULTIPLE_CHOICE',
            value: ['e3d7'],
            options: [{ id: 'e3d7', text: 'Pune' }],
          },
        ],
      },
    },
    name: 'Asha Rao',
    form: 'Site visit',
  }),
  'Webflow v2': (raw) => ({
    body: {
      triggerType: 'form_submission',
      payload: {
        name: 'Contact Form',
        siteId: '65427cf400e02b306eaa049c',
        data: { 'First Name': 'Asha', 'Last Name': 'Rao', email: 'asha@example.com', 'Phone Number': raw },
        schema: [{ fieldName: 'Phone Number', fieldType: 'FormTextInput', fieldElementId: '285042f7' }],
        submittedAt: '2024-05-16T12:52:22.391Z',
        id: '6321ca84df3949bfc6752327',
        formId: '65429eadebe8a9f3a30f62d0',
      },
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
    form: 'Contact Form',
  }),
  Wix: (raw) => ({
    body: {
      data: {
        formName: 'Contact',
        submissionTime: '2024-05-16T12:52:22.391Z',
        submissions: [
          { label: 'First name', value: 'Asha' },
          { label: 'Last name', value: 'Rao' },
          { label: 'Phone', value: raw },
        ],
        'field:phone_6a9f': raw,
        contact: {
          name: { first: 'Asha', last: 'Rao' },
          email: 'asha@example.com',
          phone: raw,
          contactId: '5bcf',
        },
      },
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
    form: 'Contact',
  }),
  'HubSpot contact': (raw) => ({
    body: {
      vid: 4477843,
      'portal-id': 62515,
      properties: {
        firstname: { value: 'Asha', versions: [{ value: 'Asha', timestamp: 1484854580823 }] },
        lastname: { value: 'Rao' },
        phone: { value: `+91 ${raw}`, versions: [] },
        company: { value: 'Rao Traders' },
      },
    },
    name: 'Asha Rao',
  }),
  'HubSpot form': (raw) => ({
    body: {
      fields: [
        { objectTypeId: '0-1', name: 'firstname', value: 'Asha' },
        { objectTypeId: '0-1', name: 'mobilephone', value: raw },
      ],
      context: { pageUri: 'https://shop.example/contact', pageName: 'Contact' },
    },
    name: 'Asha',
  }),
  'LinkedIn lead gen': (raw) => ({
    body: {
      submittedAt: 1706741502694,
      testLead: false,
      formResponse: {
        answers: [
          { answerDetails: { textQuestionAnswer: { answer: 'asha@example.com' } }, questionId: 20502584796 },
          { answerDetails: { textQuestionAnswer: { answer: `+91${raw}` } }, questionId: 20502643516 },
        ],
      },
    },
    name: null,
    email: 'asha@example.com',
  }),
  'TikTok lead generation': (raw) => ({
    body: {
      object: 'LEAD',
      entry: [
        {
          page_id: 7145678901234567890n.toString(),
          lead_id: '7212345678901234567',
          changes: [
            { field: 'Name', value: 'Asha Rao' },
            { field: 'Phone number', value: `+91${raw}` },
          ],
        },
      ],
    },
    name: 'Asha Rao',
  }),
  'Gravity Forms': (raw) => ({
    body: {
      id: '42',
      form_id: '3',
      date_created: '2024-05-16 12:52:22',
      ip: '203.0.113.7',
      source_url: 'https://shop.example/contact',
      '1.3': 'Asha',
      '1.6': 'Rao',
      '2': 'asha@example.com',
      '3': raw,
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
  }),
  WPForms: (raw) => ({
    body: {
      form_title: 'Contact',
      fields: {
        1: { name: 'Name', value: 'Asha Rao', id: 1, type: 'name', first: 'Asha', last: 'Rao' },
        2: { name: 'Phone', value: raw, id: 2, type: 'phone' },
      },
    },
    name: 'Asha Rao',
    form: 'Contact',
  }),
  '99acres and Housing': (raw) => ({
    body: {
      lead_date: '1715863942',
      apartment_names: '2 BHK',
      country_code: '+91',
      service_type: 'new-projects',
      category_type: 'residential',
      locality_name: 'Baner',
      city_name: 'Pune',
      lead_name: 'Asha Rao',
      lead_email: 'asha@example.com',
      lead_phone: raw,
      max_area: 0,
      min_price: 7500000,
      project_id: 123456,
      project_name: 'Green Park',
    },
    name: 'Asha Rao',
    email: 'asha@example.com',
  }),
  TradeIndia: (raw) => ({
    body: [
      {
        rfi_id: '123456',
        sender_name: 'Asha Rao',
        sender_mobile: raw,
        sender_email: 'asha@example.com',
        receiver_mobile: '9999999999',
        receiver_name: 'Shop',
        subject: 'Steel pipes',
      },
    ],
    name: 'Asha Rao',
    email: 'asha@example.com',
  }),
  'Zapier, nested': (raw) => ({
    body: { event: 'new_lead', lead: { customer: { full_name: 'Asha Rao', contact: { mobile: raw } } } },
    name: 'Asha Rao',
  }),
  'a JSON text in a field': (raw) => ({
    body: { payload: JSON.stringify({ name: 'Asha Rao', phone: raw }) },
    name: 'Asha Rao',
  }),
}

describe('posts of known services at the capture link become leads (spec 1)', () => {
  test.each(Object.entries(SHAPES))('%s', async (_service, shape) => {
    const phone = newPhone()
    const { body, name, email = null, form = null } = shape(phone.slice(3))
    expect(await submit(body)).toMatchObject({ status: 200 })
    expect(await lead(phone)).toMatchObject({ name, email })
    const [event] = await submitted(phone)
    if (form !== null) expect(event.form).toBe(form)
    expect(JSON.stringify(event)).not.toContain('shared-secret')
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

  test.each([
    ['pt', { 'Nome completo': 'Asha Rao', Telefone: 'PHONE', 'Endereço de e-mail': 'asha@example.com' }],
    ['hi', { नाम: 'Asha Rao', 'फ़ोन नंबर': 'PHONE', ईमेल: 'asha@example.com' }],
    [
      'es',
      {
        Nombre: 'Asha',
        Apellidos: 'Rao',
        'Número de teléfono': 'PHONE',
        'Correo electrónico': 'asha@example.com',
      },
    ],
    ['fr', { Nom: 'Rao', Prénom: 'Asha', Téléphone: 'PHONE', 'Adresse e-mail': 'asha@example.com' }],
    ['de', { 'Vor- und Nachname': 'Asha Rao', Telefonnummer: 'PHONE', 'E-Mail-Adresse': 'asha@example.com' }],
    ['it', { Nome: 'Asha', Cognome: 'Rao', Cellulare: 'PHONE', 'Indirizzo email': 'asha@example.com' }],
    ['id', { 'Nama Lengkap': 'Asha Rao', 'No. HP': 'PHONE', 'Alamat email': 'asha@example.com' }],
    ['ar', { الاسم: 'Asha Rao', 'رقم الهاتف': 'PHONE', 'البريد الإلكتروني': 'asha@example.com' }],
    ['ta', { பெயர்: 'Asha Rao', 'தொலைபேசி எண்': 'PHONE', மின்னஞ்சல்: 'asha@example.com' }],
    ['te', { పేరు: 'Asha Rao', 'ఫోన్ నంబర్': 'PHONE', ఇమెయిల్: 'asha@example.com' }],
    ['bn', { নাম: 'Asha Rao', 'মোবাইল নম্বর': 'PHONE', ইমেইল: 'asha@example.com' }],
    ['mr', { नाव: 'Asha Rao', 'भ्रमणध्वनी क्रमांक': 'PHONE', ईमेल: 'asha@example.com' }],
    ['gu', { નામ: 'Asha Rao', 'ફોન નંબર': 'PHONE', ઇમેઇલ: 'asha@example.com' }],
    [
      'ru',
      { Имя: 'Asha', Фамилия: 'Rao', 'Номер телефона': 'PHONE', 'Электронная почта': 'asha@example.com' },
    ],
    ['tr', { 'Adınız Soyadınız': 'Asha Rao', 'Telefon numarası': 'PHONE', 'E-posta': 'asha@example.com' }],
    ['zh', { 姓名: 'Asha Rao', 手机号码: 'PHONE', 电子邮箱: 'asha@example.com' }],
    ['ja', { お名前: 'Asha Rao', 電話番号: 'PHONE', メールアドレス: 'asha@example.com' }],
    [
      'a question',
      {
        'What is your name?': 'Asha Rao',
        'Your WhatsApp number, please': 'PHONE',
        'Your e-mail': 'asha@example.com',
      },
    ],
  ])('labels in %s are understood', async (_language, form) => {
    const phone = newPhone()
    const values = Object.entries(form).map(([name, text]) => [
      name,
      text === 'PHONE' ? phone.slice(3) : text,
    ])
    expect(await submit(Object.fromEntries(values))).toMatchObject({ status: 200 })
    expect(await lead(phone)).toMatchObject({ name: 'Asha Rao', email: 'asha@example.com' })
  })

  test('a number and an email address are recognized under meaningless names', async () => {
    const phone = newPhone()
    await submit({
      field_1: 'Asha',
      field_2: `${phone.slice(3, 8)} ${phone.slice(8)}`,
      field_3: 'asha@example.com',
    })
    expect(await lead(phone)).toMatchObject({ email: 'asha@example.com' })
  })

  test.each([
    ['a time', '1716553422'],
    ['a day', '2024-05-16'],
    ['an order number', '9812345678', 'order_id'],
    ['a pin code', '411045'],
    ['an address of the internet', '203.0.113.7'],
    ['an amount', '98123456.78'],
    ['the number of the seller', '9812345678', 'receiver_mobile'],
    ['words with a number', 'call 9812345678 after six'],
  ])("%s is not a customer's number", async (_title, text, name = 'field_1') => {
    expect(await submit({ [name]: text, field_2: 'Asha' })).toMatchObject({ status: 400 })
  })

  test.each(['NA', '-', '0', 'N/A', 'none', '.', '12345'])(
    'a phone field of %s does not hide a good number',
    async (nothing) => {
      const phone = newPhone()
      await submit({ mobile: nothing, phone: nothing, 'Alternate number': phone.slice(3), name: 'Asha' })
      expect(await lead(phone)).toMatchObject({ name: 'Asha' })
    },
  )

  test('a mobile number takes precedence over a landline, and the customer’s over an office’s', async () => {
    const phone = newPhone()
    await submit({ office_phone: '02026123456', phone: '02226123456', mobile: phone.slice(3) })
    expect(await lead(phone)).toMatchObject({ phone: phone.slice(1) })
  })

  test.each([
    ['country_code', '1'],
    ['countryCode', '+1'],
    ['country', 'US'],
    ['country', 'USA'],
    ['country', 'United States'],
    ['dial_code', '001'],
    ['phone_country', 'us'],
  ])('a national number belongs to the country next to it: %s %s', async (name, country) => {
    const local = `312555${String(next++).slice(-4)}`
    expect(await submit({ phone: local, [name]: country, name: 'Ann' })).toMatchObject({ status: 200 })
    expect(await lead(`+1${local}`)).toMatchObject({ phone: `1${local}` })
  })

  test('a field that names no country is skipped', async () => {
    const phone = newPhone()
    await submit({ phone: phone.slice(3), country_code: 'unknown', country: 'India' })
    expect(await lead(phone)).toMatchObject({ phone: phone.slice(1) })
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
    'at the top': (phone) => ({ body: { phone, color: 'amber', password: SECRET } }),
    'in an object': (phone) => ({ body: { phone, account: { color: 'amber', user_password: SECRET } } }),
    'six levels deep': (phone) => ({
      body: { phone, a: { b: [{ c: { d: { e: { color: 'amber', apiKey: SECRET } } } }] } },
    }),
    'forty levels deep': (phone) => ({
      body: `{"phone":"${phone}","color":"amber","a":${'{"a":'.repeat(40)}{"x":"y","password":"${SECRET}"}${'}'.repeat(41)}`,
    }),
    'repeated under one name': (phone) => ({
      body: { phone, signup: { color: 'amber', password: { first: SECRET, second: SECRET } } },
    }),
    'in a list': (phone) => ({ body: { phone, color: 'amber', logins: [{ site: 'x', passwd: SECRET }] } }),
    'a name with its value': (phone) => ({
      body: {
        phone,
        field_data: [
          { name: 'color', values: ['amber'] },
          { name: 'password', values: [SECRET] },
        ],
      },
    }),
    'a question known by its id': (phone) => ({
      body: {
        definition: {
          fields: [
            { id: 'q1', title: 'Choose a password' },
            { id: 'q2', title: 'color' },
          ],
        },
        answers: [
          { type: 'phone_number', phone_number: phone, field: { id: 'q0', type: 'phone_number' } },
          { type: 'text', text: SECRET, field: { id: 'q1' } },
          { type: 'text', text: 'amber', field: { id: 'q2' } },
        ],
      },
    }),
    'JSON inside a field': (phone) => ({
      body: { phone, raw: JSON.stringify({ color: 'amber', login: { secret: SECRET } }) },
    }),
    'lines inside a field': (phone) => ({ body: { phone, raw: `color = amber\npassword = ${SECRET}` } }),
    'names with brackets': (phone) => ({
      body: `phone=${phone}&f[color]=amber&f[login][password]=${SECRET}&g[0][name]=password&g[0][value]=${SECRET}`,
      type: FORM,
    }),
    'an access token': (phone) => ({ body: { phone, color: 'amber', auth: { access_token: SECRET } } }),
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
