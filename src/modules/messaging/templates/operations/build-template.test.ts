import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../../core/errors.ts'
import { TemplateSend } from '../send-schema.ts'
import { type BuiltTemplate, buildTemplateContent } from './build-template.ts'
import type { StoredTemplate } from './find-for-send.ts'

const now = new Date('2026-06-01T09:30:00.000Z')

const stored = (patch: Partial<StoredTemplate>): StoredTemplate => ({
  workspaceId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
  id: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11',
  accountId: '102290129340398',
  name: 'order_ok',
  language: 'en_US',
  category: 'UTILITY',
  status: 'approved',
  metaTemplateId: '1689556908129832',
  parameterFormat: 'POSITIONAL',
  components: [],
  rejectedReason: null,
  quality: 'UNKNOWN',
  submission: 'submitted',
  attempt: null,
  submittingUntil: null,
  syncedAt: now,
  statusReportedAt: null,
  categoryReportedAt: null,
  qualityReportedAt: null,
  componentsReportedAt: null,
  createdAt: now,
  updatedAt: now,
  ...patch,
})

type Part = Record<string, unknown>
const body = (text: string) => ({ type: 'BODY', text })
const header = (format: string, text?: string) => ({ type: 'HEADER', format, text })
const buttons = (...list: Record<string, unknown>[]) => ({ type: 'BUTTONS', buttons: list })

function build(
  components: Record<string, unknown>[],
  values: Record<string, unknown> = {},
  patch: Partial<StoredTemplate> = {},
): BuiltTemplate | Refusal {
  const send = TemplateSend.parse({ name: 'order_ok', language: { code: 'en-US' }, ...values })
  return buildTemplateContent(stored({ components, ...patch }), send, { now })
}

function built(...args: Parameters<typeof build>): BuiltTemplate {
  const answer = build(...args)
  if (answer instanceof Refusal) throw answer
  return answer
}

/** Builds the content and returns the refusal's code and its named paths. */
function refused(...args: Parameters<typeof build>): { code: string; paths: string[]; message: string } {
  const answer = build(...args)
  if (!(answer instanceof Refusal)) throw new Error('was not refused')
  return {
    code: answer.code,
    paths: (answer.details.issues ?? []).map((issue) => issue.path),
    message: answer.message,
  }
}

describe('components are built from the approved template', () => {
  test('variables fill the placeholders of the body in order', () => {
    const { content, text } = built([body('Hi {{1}}, total {{2}}.')], { variables: ['Asha', 480] })
    expect(content).toEqual({
      name: 'order_ok',
      language: { code: 'en_US' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Asha' },
            { type: 'text', text: '480' },
          ],
        },
      ],
    })
    expect(text).toBe('Hi Asha, total 480.')
  })

  test('a template without placeholders is sent without components', () => {
    expect(built([body('Hello')]).content).toEqual({ name: 'order_ok', language: { code: 'en_US' } })
  })

  test('placeholders keep their number in any order in the text', () => {
    const { text } = built([body('Total {{2}} for {{1}} today')], { variables: ['Asha', '480'] })
    expect(text).toBe('Total 480 for Asha today')
  })

  test('named placeholders take values by name, or in order of appearance', () => {
    const parts = [body('Hi {{first_name}}, see {{order_id}} now')]
    const byName = built(parts, { variables: { order_id: '7', first_name: 'Asha' } })
    expect(byName.content.components?.[0]?.parameters).toEqual([
      { type: 'text', parameter_name: 'first_name', text: 'Asha' },
      { type: 'text', parameter_name: 'order_id', text: '7' },
    ])
    expect(built(parts, { variables: ['Asha', '7'] })).toEqual(byName)
  })

  test.each(['image', 'video', 'document'])('headerMedia fills a %s header', (kind) => {
    const { content } = built([header(kind.toUpperCase()), body('Hello')], { headerMedia: { id: '103' } })
    expect(content.components).toEqual([
      { type: 'header', parameters: [{ type: kind, [kind]: { id: '103' } }] },
    ])
  })

  test('headerText fills a text header, couponCode the button at its index, offerExpiresAt the offer in milliseconds', () => {
    const { content } = built(
      [
        header('TEXT', 'Our {{1}} is on'),
        body('Hello'),
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
        buttons({ type: 'URL', text: 'See', url: 'https://x.in' }, { type: 'COPY_CODE', example: 'SAVE10' }),
      ],
      { headerText: 'summer sale', couponCode: 'SAVE10', offerExpiresAt: '2026-06-02T09:30:00+00:00' },
    )
    expect(content.components).toEqual([
      { type: 'header', parameters: [{ type: 'text', text: 'summer sale' }] },
      {
        type: 'limited_time_offer',
        parameters: [
          {
            type: 'limited_time_offer',
            limited_time_offer: { expiration_time_ms: Date.UTC(2026, 5, 2, 9, 30) },
          },
        ],
      },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '1',
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
      },
    ])
  })

  test('buttons carry address suffixes, payloads and flow tokens', () => {
    const { content } = built(
      [
        body('Hello'),
        buttons(
          { type: 'QUICK_REPLY', text: 'Ok' },
          { type: 'QUICK_REPLY', text: 'No' },
          { type: 'URL', text: 'Track', url: 'https://x.in/t/{{1}}' },
          { type: 'FLOW', text: 'Open', flow_id: '1' },
        ),
      ],
      {
        buttons: [
          { index: 2, urlSuffix: '1001' },
          { index: 0, payload: 'OK' },
          { index: 3, flowToken: 't', flowData: { a: 1 } },
        ],
      },
    )
    expect(content.components).toEqual([
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: '0',
        parameters: [{ type: 'payload', payload: 'OK' }],
      },
      { type: 'button', sub_type: 'url', index: '2', parameters: [{ type: 'text', text: '1001' }] },
      {
        type: 'button',
        sub_type: 'flow',
        index: '3',
        parameters: [{ type: 'action', action: { flow_token: 't', flow_action_data: { a: 1 } } }],
      },
    ])
  })

  test.each([
    ['without components', []],
    ['with a token', [{ type: 'button', sub_type: 'FLOW', index: 0, parameters: [] }]],
  ])('a form button in full components gets a token once, %s', (_, components) => {
    const { content } = built([body('Hello'), buttons({ type: 'FLOW', text: 'Open', flow_id: '1' })], {
      components,
    })
    expect(content.components).toHaveLength(1)
  })

  test.each([
    ['as it was submitted', { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }, undefined],
    [
      'as the operator shows it',
      { type: 'URL', text: 'Copy code', url: 'https://x.in/otp/?code=otp{{1}}' },
      '*{{1}}* is your verification code.',
    ],
  ])('a verification code is put into body and button, %s', (_, button, text) => {
    const { content } = built(
      [{ type: 'BODY', text, add_security_recommendation: true }, buttons(button)],
      { variables: ['123456'] },
      { category: 'AUTHENTICATION' },
    )
    expect(content.components).toEqual([
      { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '123456' }] },
    ])
  })

  test('each card of a carousel takes its own values', () => {
    const card = {
      components: [
        header('IMAGE'),
        body('Only {{1}} left of these'),
        buttons({ type: 'URL', text: 'Shop', url: 'https://x.in/{{1}}' }),
      ],
    }
    const values = (id: string) => ({
      headerMedia: { id },
      variables: [id],
      buttons: [{ index: 0, urlSuffix: id }],
    })
    const { content } = built([body('Hi {{1}}, look'), { type: 'CAROUSEL', cards: [card, card] }], {
      variables: ['Asha'],
      cards: [values('7'), values('8')],
    })
    expect(content.components?.[1]?.cards).toMatchObject([
      {
        card_index: 0,
        components: [{ type: 'header' }, { type: 'body' }, { type: 'button', sub_type: 'url' }],
      },
      { card_index: 1, components: [{ parameters: [{ image: { id: '8' } }] }, {}, {}] },
    ])
  })
})

describe('invalid_template_parameters', () => {
  const twoVariables = [body('Hi {{1}}, total {{2}}.')]

  test.each([
    ['missing', ['Asha'], 'variables[1]'],
    ['null', ['Asha', null], 'variables[1]'],
    ['blank', ['Asha', '  '], 'variables[1]'],
    ['with a new line', ['As\nha', '480'], 'variables[0]'],
    ['with a tab', ['As\tha', '480'], 'variables[0]'],
    ['with five spaces', ['As     ha', '480'], 'variables[0]'],
    ['one too many', ['Asha', '480', 'x'], 'variables[2]'],
  ])('a variable %s is rejected, naming it', (_, variables, path) => {
    const { code, paths } = refused(twoVariables, { variables })
    expect(code).toBe('invalid_template_parameters')
    expect(paths).toEqual([`payload.template.${path}`])
  })

  test('all missing variables are named in one answer', () => {
    expect(refused(twoVariables).message).toMatch(/\{\{1\}\} is missing.*\{\{2\}\} is missing/)
  })

  test('four spaces in a row are accepted', () => {
    expect(built(twoVariables, { variables: ['As    ha', '480'] }).text).toBe('Hi As    ha, total 480.')
  })

  test('an unknown placeholder name is rejected', () => {
    expect(refused([body('Hi {{name}}!')], { variables: { name: 'Asha', nam: 'x' } }).paths).toEqual([
      'payload.template.variables.nam',
    ])
  })

  test.each([
    ['couponCode', { couponCode: 'A' }],
    ['offerExpiresAt', { offerExpiresAt: '2026-06-02T09:30:00Z' }],
    ['headerText', { headerText: 'A' }],
    ['headerMedia', { headerMedia: { id: '1' } }],
    ['cards', { cards: [{}] }],
    ['buttons[0].index', { buttons: [{ index: 0, payload: 'A' }] }],
  ])('%s that the template does not have is rejected', (path, values) => {
    expect(refused([body('Hello')], values)).toMatchObject({
      code: 'invalid_template_parameters',
      paths: [`payload.template.${path}`],
    })
  })

  test('a missing address suffix, coupon code or offer end is named', () => {
    const { paths } = refused([
      body('Hello'),
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'x', has_expiration: true } },
      buttons({ type: 'COPY_CODE' }, { type: 'URL', text: 'Go', url: 'https://x.in/{{1}}' }),
    ])
    expect(paths.map((path) => path.replace('payload.template.', ''))).toEqual([
      'offerExpiresAt',
      'couponCode',
      'buttons',
    ])
  })

  test('an offer that has ended is rejected', () => {
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'x', has_expiration: true } }
    expect(refused([body('Hello'), offer], { offerExpiresAt: now.toISOString() }).paths).toEqual([
      'payload.template.offerExpiresAt',
    ])
  })

  test('A verification code has at most 15 characters.', () => {
    const args = [[{ type: 'BODY' }, buttons({ type: 'OTP' })], { variables: ['1'.repeat(16)] }] as const
    expect(refused([...args[0]], args[1], { category: 'AUTHENTICATION' }).code).toBe(
      'invalid_template_parameters',
    )
  })

  test('a media header without media: template_header_media_required', () => {
    expect(refused([header('IMAGE'), body('Hello')])).toMatchObject({
      code: 'template_header_media_required',
      paths: ['payload.template.headerMedia'],
    })
  })
})

describe('components in full', () => {
  const template = [
    header('IMAGE'),
    body('Hi {{1}}, total {{2}}.'),
    buttons({ type: 'QUICK_REPLY', text: 'Ok' }, { type: 'URL', text: 'Track', url: 'https://x.in/{{1}}' }),
  ]
  const image = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://x.in/a.png' } }] }
  const texts = (...list: string[]) => ({
    type: 'body',
    parameters: list.map((text) => ({ type: 'text', text })),
  })
  const url = { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '1001' }] }

  test('are sent unchanged', () => {
    const components = [image, texts('Asha', '480'), url]
    expect(built(template, { components })).toEqual({
      content: { name: 'order_ok', language: { code: 'en_US' }, components },
      text: 'Hi Asha, total 480.',
    })
  })

  test('amounts and dates in the format of older clients count as parameters', () => {
    const amount = {
      type: 'currency',
      currency: { fallback_value: '₹480', code: 'INR', amount_1000: 480000 },
    }
    const components = [image, { type: 'body', parameters: [{ type: 'text', text: 'Asha' }, amount] }, url]
    expect(built(template, { components }).text).toBe('Hi Asha, total ₹480.')
  })

  test.each([
    ['too few parameters', [image, texts('Asha'), url]],
    ['too many parameters', [image, texts('Asha', '1', '2'), url]],
    ['a blank parameter', [image, texts('Asha', ' '), url]],
    ['no component for a dynamic address', [image, texts('Asha', '1')]],
    ['a button that the template does not have', [image, texts('Asha', '1'), url, { ...url, index: '7' }]],
    ['a button of another kind', [image, texts('Asha', '1'), { ...url, sub_type: 'flow' }]],
    [
      'another kind of header',
      [{ type: 'header', parameters: [{ type: 'video', video: {} }] }, texts('A', '1'), url],
    ],
    ['a second body', [image, texts('Asha', '1'), texts('Asha', '1'), url]],
    ['an unknown component', [image, texts('Asha', '1'), url, { type: 'sidebar' }]],
  ])('with %s are rejected', (_, components) => {
    expect(refused(template, { components }).code).toBe('invalid_template_parameters')
  })

  test('without the media of the header fail with template_header_media_required', () => {
    expect(refused(template, { components: [texts('Asha', '1'), url] }).code).toBe(
      'template_header_media_required',
    )
  })
})

describe('values and full components are checked by the same rules', () => {
  const fixed = { type: 'URL', text: 'Site', url: 'https://x.in' }
  const open = { type: 'URL', text: 'Track', url: 'https://x.in/{{1}}' }
  const button = (subType: string, parameter: object, index = 0) => ({
    type: 'button',
    sub_type: subType,
    index,
    parameters: [parameter],
  })
  const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'x', has_expiration: true } }
  const expiry = (timeMs: number) => ({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: timeMs } }],
  })
  const past = now.getTime() - 1
  const card = (...own: Part[]) => ({ components: [header('IMAGE'), body('Nice'), ...own] })
  const carousel = (...cards: object[]) => [body('Look'), { type: 'CAROUSEL', cards }]
  const sentCard = (place: number, ...overrides: object[]) => ({
    card_index: place,
    components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '7' } }] }, ...overrides],
  })
  const media = { headerMedia: { id: '7' } }

  test.each<[string, Part[], Part, Part[], Partial<StoredTemplate>?]>([
    [
      'a value for a button with a fixed address',
      [body('Hello'), buttons(fixed)],
      { buttons: [{ index: 0, urlSuffix: 'a' }] },
      [button('url', { type: 'text', text: 'a' })],
    ],
    [
      'a value with a line break for the address of a button',
      [body('Hello'), buttons(open)],
      { buttons: [{ index: 0, urlSuffix: 'a\nb' }] },
      [button('url', { type: 'text', text: 'a\nb' })],
    ],
    [
      'a coupon code of 16 characters',
      [body('Hello'), buttons({ type: 'COPY_CODE' })],
      { couponCode: 'A'.repeat(16) },
      [button('copy_code', { type: 'coupon_code', coupon_code: 'A'.repeat(16) })],
    ],
    [
      'a coupon code with a tab',
      [body('Hello'), buttons({ type: 'COPY_CODE' })],
      { couponCode: 'A\tB' },
      [button('copy_code', { type: 'coupon_code', coupon_code: 'A\tB' })],
    ],
    [
      'a payload for a button that is no quick reply',
      [body('Hello'), buttons(open)],
      { buttons: [{ index: 0, urlSuffix: 'a', payload: 'P' }] },
      [button('url', { type: 'payload', payload: 'P' })],
    ],
    [
      'an address for a quick reply',
      [body('Hello'), buttons({ type: 'QUICK_REPLY', text: 'Ok' })],
      { buttons: [{ index: 0, urlSuffix: 'a' }] },
      [button('quick_reply', { type: 'text', text: 'a' })],
    ],
    [
      'a value for a button that calls',
      [body('Hello'), buttons({ type: 'PHONE_NUMBER', text: 'Call' })],
      { buttons: [{ index: 0, payload: 'P' }] },
      [button('voice_call', { type: 'payload', payload: 'P' })],
    ],
    [
      'a form without its action',
      [body('Hello'), buttons({ type: 'FLOW', text: 'Open' })],
      { buttons: [{ index: 0, payload: 'P' }] },
      [button('flow', { type: 'payload', payload: 'P' })],
    ],
    [
      'products without sections',
      [body('Hello'), buttons({ type: 'MPM', text: 'See' })],
      { buttons: [{ index: 0, productRetailerId: '1' }] },
      [button('mpm', { type: 'action', action: { thumbnail_product_retailer_id: '1' } })],
    ],
    [
      'a button that the template does not have',
      [body('Hello'), buttons(fixed)],
      { buttons: [{ index: 3, payload: 'P' }] },
      [button('quick_reply', { type: 'payload', payload: 'P' }, 3)],
    ],
    [
      'an offer that has ended',
      [body('Hello'), offer],
      { offerExpiresAt: new Date(past).toISOString() },
      [expiry(past)],
    ],
    [
      'an offer that the template does not have',
      [body('Hello')],
      { offerExpiresAt: new Date(now.getTime() + 1_000).toISOString() },
      [expiry(now.getTime() + 1_000)],
    ],
    [
      'a header that the template does not have',
      [body('Hello')],
      { headerText: 'x' },
      [{ type: 'header', parameters: [{ type: 'text', text: 'x' }] }],
    ],
    [
      'a header that is filled to more than 60 characters',
      [header('TEXT', 'Order {{1}}'), body('Hello')],
      { headerText: 'x'.repeat(60) },
      [{ type: 'header', parameters: [{ type: 'text', text: 'x'.repeat(60) }] }],
    ],
    [
      'a value whose name is no placeholder',
      [body('Hi {{name}}!')],
      { variables: { name: 'A', other: 'B' } },
      [
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'name', text: 'A' },
            { type: 'text', parameter_name: 'other', text: 'B' },
          ],
        },
      ],
    ],
    [
      'a name where placeholders are numbered',
      [body('Hi {{1}}!')],
      { variables: { name: 'A' } },
      [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'name', text: 'A' }] }],
    ],
    [
      'a verification code of 16 characters',
      [{ type: 'BODY' }, buttons({ type: 'OTP' })],
      { variables: ['1'.repeat(16)] },
      [
        { type: 'body', parameters: [{ type: 'text', text: '1'.repeat(16) }] },
        button('url', { type: 'text', text: '1'.repeat(16) }),
      ],
      { category: 'AUTHENTICATION' },
    ],
    [
      'too few cards',
      carousel(card(), card()),
      { cards: [media] },
      [{ type: 'carousel', cards: [sentCard(0)] }],
    ],
    [
      'a value for the fixed button of a card',
      carousel(card(buttons(fixed))),
      { cards: [{ ...media, buttons: [{ index: 0, urlSuffix: 'a' }] }] },
      [{ type: 'carousel', cards: [sentCard(0, button('url', { type: 'text', text: 'a' }))] }],
    ],
  ])('%s is rejected in both forms', (_, components, values, inFull, patch = {}) => {
    for (const value of [values, { components: inFull }])
      expect(refused(components, value, patch).code, JSON.stringify(value)).toBe(
        'invalid_template_parameters',
      )
  })

  test('in full components, a code must be the same in the body and on the button', () => {
    const components = [
      { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
      button('url', { type: 'text', text: '654321' }),
    ]
    const template = [{ type: 'BODY' }, buttons({ type: 'OTP' })]
    expect(refused(template, { components }, { category: 'AUTHENTICATION' }).code).toBe(
      'invalid_template_parameters',
    )
  })

  test('in full components, each card is named once, in any order', () => {
    const template = carousel(card(), card())
    const cards = (...places: number[]) => [
      { type: 'carousel', cards: places.map((place) => sentCard(place)) },
    ]
    expect(built(template, { components: cards(1, 0) }).text).toBe('Look')
    expect(refused(template, { components: cards(0, 0) }).code).toBe('invalid_template_parameters')
    expect(refused(template, { components: cards(0, 5) }).code).toBe('invalid_template_parameters')
  })
})

describe('a template that is not approved', () => {
  test.each([
    ['pending', 132001],
    ['rejected', 132001],
    ['paused', 132015],
    ['disabled', 132016],
  ] as const)('%s returns meta_error %s', (status, code) => {
    const answer = build([body('Hello')], {}, { status })
    expect(answer).toMatchObject({ code: 'meta_error', details: { code } })
  })

  test('that the account does not have returns meta_error 132001', () => {
    const request = TemplateSend.parse({ name: 'gone', language: 'en' })
    expect(buildTemplateContent(undefined, request, { now })).toMatchObject({
      code: 'meta_error',
      details: { code: 132001 },
    })
  })
})

test('for any values, either all placeholders are filled or the refusal names one', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), fc.integer({ min: 0, max: 4 }), (variables, count) => {
      const text = `Start ${Array.from({ length: count }, (_, i) => `and {{${i + 1}}}`).join(' ')} end`
      const answer = build([body(text)], { variables })
      if (answer instanceof Refusal) {
        expect(answer.code).toBe('invalid_template_parameters')
        expect(answer.details.issues).not.toHaveLength(0)
        return
      }
      expect(variables).toHaveLength(count)
      expect((answer.content.components?.[0]?.parameters as unknown[] | undefined)?.length ?? 0).toBe(count)
      expect(answer.text).toBe(`Start ${variables.map((variable) => `and ${variable}`).join(' ')} end`)
    }),
  )
})
