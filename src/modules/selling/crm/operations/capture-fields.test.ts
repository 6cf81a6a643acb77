import { describe, expect, test } from 'vitest'
import { readNumber } from '../../../../core/values/phone.ts'
import { type CapturedFields, readFields } from './capture-fields.ts'
import { recordsOf } from './capture-records.ts'

const RAW = '9812345678'
const INDIA = '91'

/** Reads a posted body with a single enquiry, as the capture link does. */
const read = (body: unknown): CapturedFields => readFields(recordsOf(body, INDIA)[0]!, INDIA, { guess: true })

/** Returns the number that a submission names, as it is stored. */
const numberOf = ({ phone, country }: CapturedFields): string | undefined =>
  readNumber(phone ?? '', { countryCode: INDIA, country }).fresh

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

describe('posts of known services are understood (spec 1)', () => {
  test.each(Object.entries(SHAPES))('%s', (_service, shape) => {
    const { body, name, email = null, form } = shape(RAW)
    const fields = read(body)
    expect(fields).toMatchObject({ name, email, number: expect.stringMatching(/named|guessed/) })
    expect(numberOf(fields)).toBe(`+91${RAW}`)
    if (form !== undefined) expect(fields.form).toBe(form)
    expect(JSON.stringify(fields)).not.toContain('shared-secret')
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
  ])('labels in %s are understood', (_language, form) => {
    const values = Object.entries(form).map(([name, text]) => [name, text === 'PHONE' ? RAW : text])
    const fields = read(Object.fromEntries(values))
    expect(fields).toMatchObject({ name: 'Asha Rao', email: 'asha@example.com', number: 'named' })
    expect(numberOf(fields)).toBe(`+91${RAW}`)
  })
})

describe('the number', () => {
  test('and an email address are recognized under meaningless names', () => {
    const fields = read({ field_1: 'Asha', field_2: '98123 45678', field_3: 'asha@example.com' })
    expect(fields).toMatchObject({ email: 'asha@example.com', number: 'guessed' })
    expect(numberOf(fields)).toBe(`+91${RAW}`)
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
  ])("%s is not a customer's", (_title, text, name = 'field_1') => {
    expect(read({ [name]: text, field_2: 'Asha' })).toMatchObject({ phone: null, number: 'missing' })
  })

  test.each(['NA', '-', '0', 'N/A', 'none', '.', '12345'])(
    'is found beside a phone field of %s',
    (nothing) => {
      const fields = read({ mobile: nothing, phone: nothing, 'Alternate number': RAW, name: 'Asha' })
      expect(fields).toMatchObject({ phone: RAW, name: 'Asha' })
    },
  )

  test('of a mobile takes precedence over a landline, and the customer’s over an office’s', () => {
    expect(read({ office_phone: '02026123456', phone: '02226123456', mobile: RAW }).phone).toBe(RAW)
  })

  test.each([
    ['country_code', '1'],
    ['countryCode', '+1'],
    ['country', 'US'],
    ['country', 'USA'],
    ['country', 'United States'],
    ['dial_code', '001'],
    ['phone_country', 'us'],
  ])('belongs to the country next to it: %s %s', (name, country) => {
    expect(numberOf(read({ phone: '3125551234', [name]: country, name: 'Ann' }))).toBe('+13125551234')
  })

  test('does not belong to a field that names no country', () => {
    expect(numberOf(read({ phone: RAW, country_code: 'unknown', country: 'India' }))).toBe(`+91${RAW}`)
  })

  test('is unusable if its field has none', () => {
    expect(read({ phone: 'call me', name: 'Asha' })).toMatchObject({ phone: 'call me', number: 'unusable' })
  })
})

describe('a mapping of a teammate (DECISIONS.md "The lead-capture link")', () => {
  const values = { name: 'Green Park', guest: 'Asha', n: RAW, haus: '2 BHK', f: 'x' }
  const mapping = {
    name: 'attributes.project',
    guest: 'name',
    n: 'phone',
    haus: 'attributes.size',
    f: 'ignore',
  }
  const mapped = (more: Record<string, unknown> = {}) =>
    readFields({ ...values, ...more }, INDIA, { guess: true, mapping })

  test('takes precedence over guesses', () => {
    expect(readFields(values, INDIA, { guess: true }).name).toBe('Green Park')
    expect(mapped()).toMatchObject({
      phone: RAW,
      name: 'Asha',
      asked: { project: 'Green Park', size: '2 BHK' },
      number: 'named',
    })
  })

  test('leaves other fields to guesses', () => {
    expect(mapped({ email: 'asha@example.com', city: 'Pune' })).toMatchObject({
      email: 'asha@example.com',
      asked: { project: 'Green Park', size: '2 BHK', city: 'Pune' },
    })
  })

  test.each(['', 'none', '-'])('leaves the number to guesses if its field has the text %j', (n) => {
    expect(mapped({ n, mobile: '9898989898' }).phone).toBe('9898989898')
  })
})

describe('other answers', () => {
  test('are kept by their label, each once, with all their texts', () => {
    const { asked, meanings } = read({
      phone: RAW,
      name: 'Asha',
      rooms: ['2', '3', '2'],
      lift: true,
      floor: 'NA',
    })
    expect(asked).toEqual({ rooms: '2, 3', lift: 'true' })
    expect(meanings).toEqual({ phone: 'phone', name: 'name' })
  })

  test('have the campaign apart from them, which is the source if none is named', () => {
    const fields = read({ phone: RAW, utm_source: 'mail', 'utm-campaign': 'May' })
    expect(fields).toMatchObject({
      utm: { utm_source: 'mail', utm_campaign: 'May' },
      source: 'mail',
      asked: {},
    })
    expect(read({ phone: RAW, utm_source: 'mail', source: 'walk-in' }).source).toBe('walk-in')
  })

  test('are at most 40, of at most 1,000 characters', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`question ${i}`, 'x'.repeat(2_000)]),
    )
    const texts = Object.values(read({ phone: RAW, ...many }).asked)
    expect(texts.length).toBeLessThanOrEqual(40)
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(1_000)
  })

  test('are extra as they arrived, without the fields for the service', () => {
    const { extra } = read({
      phone: RAW,
      _gotcha: '',
      redirect: '/thanks',
      deep: { list: [1, 2] },
      blank: ' ',
    })
    expect(extra).toEqual({ deep: { list: [1, 2] } })
  })
})

test.each([
  [{ 'first name': 'Asha', 'last name': 'Rao' }, 'Asha Rao'],
  [{ nome: 'Asha', cognome: 'Rao' }, 'Asha Rao'],
  [{ nom: 'Rao', prénom: 'Asha' }, 'Asha Rao'],
  [{ name: 'Asha Rao', 'first name': 'Asha' }, 'Asha Rao'],
  [{ surname: 'Rao' }, 'Rao'],
  [{ name: 'NA' }, null],
])('the name in %j is %s', (values, name) => {
  expect(read({ phone: RAW, ...values }).name).toBe(name)
})
