import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FREE_FORM, INTERACTIVE } from '../../../test/support/payloads.ts'
import { MESSAGE_TYPES, type MessageType, PAYLOADS } from './payloads.ts'

type Json = Record<string, unknown>
const path = (parts: readonly PropertyKey[]): string => parts.map(String).join('.')
/** Returns the paths of all faults; none if the payload is valid. */
const faults = (type: MessageType, payload: unknown): string[] =>
  PAYLOADS[type].safeParse(payload).error?.issues.map((issue) => path(issue.path)) ?? []
/** Returns a copy with the value at a path (`a.0.b`) replaced, or removed if undefined. */
function withValueAt(payload: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(payload)
  const parts = path.split('.')
  const last = parts.pop() as string
  let place = copy as Json
  for (const part of parts) {
    place[part] ??= {}
    place = place[part] as Json
  }
  if (value === undefined) delete place[last]
  else place[last] = value
  return copy
}

/** Characters as people see them: some are two UTF-16 units. */
const character = fc.constantFrom('a', 'é', 'न', '🙏', '\u{1F468}', '中', 'Z')
const textOf = (length: number) =>
  fc.array(character, { minLength: length, maxLength: length }).map((characters) => characters.join(''))

/** Every length limit: kind, message type, payload, path, maximum characters. */
const lengths: [string, MessageType, unknown, string, number][] = [
  ['text', 'text', FREE_FORM.text, 'body', 4096],
  ['image caption', 'image', FREE_FORM.image, 'caption', 1024],
  ['video caption', 'video', FREE_FORM.video, 'caption', 1024],
  ['document caption', 'document', FREE_FORM.document, 'caption', 1024],
  ['button body', 'interactive', INTERACTIVE.button, 'body.text', 1024],
  ['button footer', 'interactive', INTERACTIVE.button, 'footer.text', 60],
  ['button title', 'interactive', INTERACTIVE.button, 'action.buttons.0.reply.title', 20],
  ['button id', 'interactive', INTERACTIVE.button, 'action.buttons.1.reply.id', 256],
  ['list header', 'interactive', INTERACTIVE.list, 'header.text', 60],
  ['list body', 'interactive', INTERACTIVE.list, 'body.text', 4096],
  ['list button', 'interactive', INTERACTIVE.list, 'action.button', 20],
  ['list section title', 'interactive', INTERACTIVE.list, 'action.sections.1.title', 24],
  ['list row id', 'interactive', INTERACTIVE.list, 'action.sections.0.rows.0.id', 200],
  ['list row title', 'interactive', INTERACTIVE.list, 'action.sections.0.rows.0.title', 24],
  ['list row description', 'interactive', INTERACTIVE.list, 'action.sections.0.rows.0.description', 72],
  ['cta_url label', 'interactive', INTERACTIVE.cta_url, 'action.parameters.display_text', 20],
  ['product_list header', 'interactive', INTERACTIVE.product_list, 'header.text', 60],
  ['product_list section title', 'interactive', INTERACTIVE.product_list, 'action.sections.0.title', 24],
  ['flow label', 'interactive', INTERACTIVE.flow, 'action.parameters.flow_cta', 20],
  ['carousel card body', 'interactive', INTERACTIVE.carousel, 'action.cards.1.body.text', 160],
  ['template name', 'template', { name: 'n', language: { code: 'en' } }, 'language.code', 20],
]

describe('lengths are counted in characters, and fields that are too long are named (docs/formats.md section 2)', () => {
  test.each(lengths)('%s: %s', (_name, type, payload, path, max) => {
    fc.assert(
      fc.property(textOf(max), (text) => {
        expect(faults(type, withValueAt(payload, path, text))).toEqual([])
        expect(faults(type, withValueAt(payload, path, `${text}x`))).toEqual([path])
      }),
      { numRuns: 5 },
    )
    for (const empty of ['', ' ', '\n\t'])
      expect(faults(type, withValueAt(payload, path, empty)), JSON.stringify(empty)).toEqual([path])
  })
})

const buttons = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'reply', reply: { id: `b${i}`, title: `B ${i}` } }))
const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: `r${from + i}`, title: `Row ${from + i}` }))
const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ product_retailer_id: `sku-${i}` }))
const cards = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...INTERACTIVE.carousel.action.cards[0], card_index: i }))

describe('counts', () => {
  const faultsOf = (kind: keyof typeof INTERACTIVE, path: string, value: unknown) =>
    faults('interactive', withValueAt(INTERACTIVE[kind], path, value))

  test('1 to 3 buttons', () => {
    for (const count of [1, 2, 3]) expect(faultsOf('button', 'action.buttons', buttons(count))).toEqual([])
    for (const count of [0, 4])
      expect(faultsOf('button', 'action.buttons', buttons(count))).toEqual(['action.buttons'])
  })

  test('at most 10 sections with at most 10 rows in total', () => {
    const spread = (counts: number[]) =>
      counts.map((count, i) => ({ title: `S ${i}`, rows: rows(count, 100 * i) }))
    expect(faultsOf('list', 'action.sections', [{ rows: rows(10) }])).toEqual([])
    expect(faultsOf('list', 'action.sections', spread(Array(10).fill(1)))).toEqual([])
    expect(faultsOf('list', 'action.sections', spread([5, 5]))).toEqual([])
    expect(faultsOf('list', 'action.sections', [{ rows: rows(11) }])).toEqual(['action.sections.0.rows'])
    expect(faultsOf('list', 'action.sections', spread([5, 6]))).toEqual(['action.sections'])
    expect(faultsOf('list', 'action.sections', spread(Array(11).fill(1)))).toEqual(['action.sections'])
    expect(faultsOf('list', 'action.sections', [])).toEqual(['action.sections'])
    expect(faultsOf('list', 'action.sections', [{ rows: [] }])).toEqual(['action.sections.0.rows'])
  })

  test('at most 10 sections with at most 30 products in total', () => {
    const spread = (counts: number[]) =>
      counts.map((count, i) => ({ title: `S ${i}`, product_items: items(count) }))
    expect(faultsOf('product_list', 'action.sections', spread([30]))).toEqual([])
    expect(faultsOf('product_list', 'action.sections', spread(Array(10).fill(3)))).toEqual([])
    expect(faultsOf('product_list', 'action.sections', spread([15, 16]))).toEqual(['action.sections'])
    expect(faultsOf('product_list', 'action.sections', spread([31]))).toEqual([
      'action.sections.0.product_items',
    ])
    expect(faultsOf('product_list', 'action.sections', spread(Array(11).fill(1)))).toEqual([
      'action.sections',
    ])
  })

  test('2 to 10 cards', () => {
    for (const count of [2, 10]) expect(faultsOf('carousel', 'action.cards', cards(count))).toEqual([])
    for (const count of [0, 1])
      expect(faultsOf('carousel', 'action.cards', cards(count))).toEqual(['action.cards'])
    expect(faultsOf('carousel', 'action.cards', cards(11))).toContain('action.cards')
  })
})

/** Invalid payloads: the fault, the message type, the payload, and the path that is named. */
const refusals: [string, MessageType, unknown, string][] = [
  ['neither id nor link', 'image', { caption: 'x' }, ''],
  ['both id and link', 'image', { id: '1', link: 'https://a.example/b' }, ''],
  ['a link of another kind', 'video', { link: 'ftp://a.example/b' }, 'link'],
  ['a link that is none', 'audio', { link: 'a.ogg' }, 'link'],
  ['a script for a link', 'image', { link: 'javascript:alert(1)' }, 'link'],
  ['a caption on audio', 'audio', { id: '1', caption: 'x' }, ''],
  ['a caption on a sticker', 'sticker', { id: '1', caption: 'x' }, ''],
  ['a filename on an image', 'image', { id: '1', filename: 'x' }, ''],
  ['an id that is a number', 'image', { id: 1 }, 'id'],
  ['no place', 'location', {}, 'latitude'],
  ['a latitude past the pole', 'location', { latitude: 90.01, longitude: 0 }, 'latitude'],
  ['a longitude past the date line', 'location', { latitude: '0', longitude: '-180.5' }, 'longitude'],
  ['words for a latitude', 'location', { latitude: 'north', longitude: 0 }, 'latitude'],
  ['an infinite latitude', 'location', { latitude: Number.POSITIVE_INFINITY, longitude: 0 }, 'latitude'],
  ['no contacts', 'contacts', [], ''],
  ['contacts that are no list', 'contacts', { name: {} }, ''],
  ['a contact without name', 'contacts', [{ phones: [] }], '0.name'],
  ['a formatted name alone', 'contacts', [{ name: { formatted_name: 'A B' } }], '0.name'],
  ['an odd birthday', 'contacts', withValueAt(FREE_FORM.contacts, '0.birthday', '31.1.1990'), '0.birthday'],
  [
    'an e-mail that is none',
    'contacts',
    withValueAt(FREE_FORM.contacts, '0.emails.0.email', 'asha'),
    '0.emails.0.email',
  ],
  ['no message to react to', 'reaction', { emoji: '👍' }, 'message_id'],
  ['no emoji at all', 'reaction', { message_id: 'wamid.X' }, 'emoji'],
  ['a word as reaction', 'reaction', { message_id: 'wamid.X', emoji: 'nice' }, 'emoji'],
  ['two emoji', 'reaction', { message_id: 'wamid.X', emoji: '👍👍' }, 'emoji'],
  ['no kind', 'interactive', {}, 'type'],
  ['an unknown kind', 'interactive', { type: 'quiz' }, 'type'],
  ['order_details, which have their own endpoint', 'interactive', { type: 'order_details' }, 'type'],
  [
    'twice the same button id',
    'interactive',
    withValueAt(INTERACTIVE.button, 'action.buttons.1.reply.id', 'blue'),
    'action.buttons.1.reply.id',
  ],
  [
    'twice the same button title',
    'interactive',
    withValueAt(INTERACTIVE.button, 'action.buttons.1.reply.title', 'Blue'),
    'action.buttons.1.reply.title',
  ],
  [
    'twice the same row id',
    'interactive',
    withValueAt(INTERACTIVE.list, 'action.sections.1.rows.0.id', 's'),
    'action.sections.1.rows.0.id',
  ],
  [
    'several sections without titles',
    'interactive',
    withValueAt(INTERACTIVE.list, 'action.sections.1.title', undefined),
    'action.sections.1.title',
  ],
  [
    'a picture over a list',
    'interactive',
    withValueAt(INTERACTIVE.list, 'header', INTERACTIVE.button.header),
    'header.type',
  ],
  [
    'a header over a product',
    'interactive',
    withValueAt(INTERACTIVE.product, 'header', INTERACTIVE.list.header),
    '',
  ],
  [
    'a footer under a request for a location',
    'interactive',
    withValueAt(INTERACTIVE.location_request_message, 'footer', { text: 'x' }),
    '',
  ],
  [
    'a product list without header',
    'interactive',
    withValueAt(INTERACTIVE.product_list, 'header', undefined),
    'header',
  ],
  ['no body', 'interactive', withValueAt(INTERACTIVE.cta_url, 'body', undefined), 'body'],
  [
    'a button that opens a script',
    'interactive',
    withValueAt(INTERACTIVE.cta_url, 'action.parameters.url', 'javascript:alert(1)'),
    'action.parameters.url',
  ],
  [
    'flow_id and flow_name',
    'interactive',
    withValueAt(INTERACTIVE.flow, 'action.parameters.flow_name', 'n'),
    'action.parameters.flow_id',
  ],
  [
    'neither flow_id nor flow_name',
    'interactive',
    withValueAt(INTERACTIVE.flow, 'action.parameters.flow_id', undefined),
    'action.parameters.flow_id',
  ],
  [
    'an odd flow mode',
    'interactive',
    withValueAt(INTERACTIVE.flow, 'action.parameters.mode', 'live'),
    'action.parameters.mode',
  ],
  [
    'a screen for a data exchange',
    'interactive',
    withValueAt(INTERACTIVE.flow, 'action.parameters.flow_action', 'data_exchange'),
    'action.parameters.flow_action_payload',
  ],
  [
    'an address elsewhere',
    'interactive',
    withValueAt(INTERACTIVE.address_message, 'action.parameters.country', 'US'),
    'action.parameters.country',
  ],
  [
    'a text over a card',
    'interactive',
    withValueAt(INTERACTIVE.carousel, 'action.cards.0.header', INTERACTIVE.list.header),
    'action.cards.0.header.type',
  ],
  [
    'cards with different headers',
    'interactive',
    withValueAt(INTERACTIVE.carousel, 'action.cards.1.header', { type: 'video', video: { id: '1' } }),
    'action.cards.1.header.type',
  ],
  [
    'two cards in one place',
    'interactive',
    withValueAt(INTERACTIVE.carousel, 'action.cards.1.card_index', 0),
    'action.cards.1.card_index',
  ],
  ['a template name in capitals', 'template', { name: 'Order', language: { code: 'en' } }, 'name'],
  ['a template without language', 'template', { name: 'order' }, 'language'],
  [
    'an unknown component',
    'template',
    { name: 'order', language: { code: 'en' }, components: [{ type: 'tail' }] },
    'components.0.type',
  ],
  [
    'an unknown parameter',
    'template',
    {
      name: 'order',
      language: { code: 'en' },
      components: [{ type: 'body', parameters: [{ type: 'song' }] }],
    },
    'components.0.parameters.0.type',
  ],
]

describe('payloads that the operator would refuse are rejected, and the path is named', () => {
  test.each(refusals)('%s', (_name, type, payload, path) => {
    expect(faults(type, payload)).toContain(path)
  })
})

describe('payloads that the operator accepts are accepted', () => {
  test.each(['👍', '👍🏽', '❤', '❤️', '👨‍👩‍👧‍👦', '🇮🇳', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', ''])('the reaction %s', (emoji) => {
    expect(faults('reaction', { message_id: 'wamid.X', emoji })).toEqual([])
  })

  test('links with TLS and without', () => {
    for (const link of ['http://a.example/b', 'https://a.example/b'])
      for (const type of ['image', 'video', 'audio', 'document', 'sticker'] as const)
        expect(faults(type, { link })).toEqual([])
    const header = { type: 'image', image: { link: 'http://a.example/b' } }
    expect(faults('interactive', { ...(INTERACTIVE.button as Json), header })).toEqual([])
  })

  test('a longer label on a draft of a form, which does not show it', () => {
    const draft = withValueAt(INTERACTIVE.flow, 'action.parameters.mode', 'draft')
    const label = 'Not shown in draft mode'
    expect(faults('interactive', withValueAt(draft, 'action.parameters.flow_cta', label))).toEqual([])
    const published = withValueAt(INTERACTIVE.flow, 'action.parameters.mode', 'published')
    for (const form of [INTERACTIVE.flow, published])
      expect(faults('interactive', withValueAt(form, 'action.parameters.flow_cta', label))).toEqual([
        'action.parameters.flow_cta',
      ])
  })

  test('numbers written as texts, parsed to numbers', () => {
    expect(PAYLOADS.location.parse({ latitude: '12.97', longitude: '-77' })).toEqual({
      latitude: 12.97,
      longitude: -77,
    })
    expect(PAYLOADS.text.parse({ body: 'Hi', preview_url: 'true' })).toEqual({
      body: 'Hi',
      preview_url: true,
    })
    const card = withValueAt(INTERACTIVE.carousel, 'action.cards.1.card_index', '1')
    expect(PAYLOADS.interactive.parse(card)).toEqual(INTERACTIVE.carousel)
  })

  test('cards with quick replies', () => {
    const action = { buttons: [{ type: 'quick_reply', quick_reply: { id: 'a', title: 'Like' } }] }
    const message = withValueAt(
      withValueAt(INTERACTIVE.carousel, 'action.cards.0.action', action),
      'action.cards.1.action',
      action,
    )
    expect(faults('interactive', message)).toEqual([])
    const mixed = withValueAt(INTERACTIVE.carousel, 'action.cards.0.action', action)
    expect(faults('interactive', mixed)).toEqual(['action.cards.1.action'])
  })
})

test('no value makes a schema throw', () => {
  fc.assert(
    fc.property(fc.constantFrom(...MESSAGE_TYPES), fc.jsonValue({ maxDepth: 4 }), (type, value) => {
      expect(() => PAYLOADS[type].safeParse(value)).not.toThrow()
    }),
    { numRuns: 300 },
  )
  const places = fc.constantFrom(...Object.values(INTERACTIVE))
  fc.assert(
    fc.property(places, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (payload, seed, value) => {
      const places = placesIn(payload)
      const broken = withValueAt(payload, places[seed % places.length] as string, value)
      expect(() => PAYLOADS.interactive.safeParse(broken)).not.toThrow()
    }),
    { numRuns: 500 },
  )
})

/** Returns every path inside a value. */
function placesIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerPath = path ? `${path}.${key}` : key
    return [innerPath, ...placesIn(inner, innerPath)]
  })
}
