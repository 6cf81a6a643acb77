import { describe, expect, test } from 'vitest'
import { BotDefinition } from '../schema.ts'
import {
  type Place,
  type Played,
  playAfterAssistantFailure,
  playNext,
  playStart,
  type Situation,
} from './play-script.ts'

const script = (nodes: object[], more: object = {}): BotDefinition =>
  BotDefinition.parse({
    idleMinutes: 30,
    fallback: { text: 'Please tap.', maxMisses: 2 },
    start: 'a',
    nodes,
    ...more,
  })
const situation = (more: Partial<Situation['subject']> = {}, assistant = true): Situation => ({
  subject: {
    contact: { name: 'Asha', phone: '+919812345678', tags: ['new'], attributes: {} },
    open: true,
    countryCode: '91',
    ...more,
  },
  assistant,
})
const texts = ({ said }: Played) => said.map(({ text }) => text)
const at = (node: string, more: Partial<Place> = {}): Place => ({ node, answers: {}, misses: 0, ...more })
const next = (nodes: object[], text: string | undefined, place = at('a'), more = situation()) =>
  playNext(script(nodes), place, { text }, more)
const start = (nodes: object[], text?: string, more = situation()) => playStart(script(nodes), { text }, more)

const message = (id: string, text: string, next: string | null = null) => ({
  id,
  type: 'message',
  text,
  next,
})
const menu = (id: string, next: string | null = null) => ({
  id,
  type: 'buttons',
  text: 'Which?',
  options: [
    { id: 'red', title: 'Dark Red', next },
    { id: 'blue', title: 'Blue', next: null },
  ],
})
const ask = (saveTo: string, kind = 'text', next: string | null = null) => ({
  id: 'a',
  type: 'ask',
  text: 'Which?',
  saveTo,
  kind,
  next,
})
const action = (id: string, values: object, next: string | null = null) => ({
  id,
  type: 'action',
  action: values,
  next,
})
const assistant = { id: 'a', type: 'ai', instructions: 'A shop.', otherwise: null }

describe('a start', () => {
  test('sends messages until the bot ends', () => {
    const played = start([message('a', 'Hello {{contact.name}}.', 'b'), message('b', 'Bye.')])
    expect(texts(played)).toEqual(['Hello Asha.', 'Bye.'])
    expect(played).toMatchObject({ state: 'ended', node: null, understood: true })
  })

  test('waits at a menu', () => {
    const played = start([message('a', 'Hello.', 'b'), menu('b')])
    expect(played).toMatchObject({
      state: 'waiting',
      node: 'b',
      said: [{ menu: null }, { menu: { id: 'b' } }],
    })
  })

  test('leaves out empty texts, but a menu has a text above its options', () => {
    const nodes = [message('a', '{{answers.none}}', 'b'), { ...menu('b'), text: '{{answers.none}}' }]
    expect(texts(start(nodes))).toEqual(['…'])
  })

  test('gives the customer’s text to an assistant that comes first', () => {
    expect(start([assistant], 'Is it in stock?')).toMatchObject({ state: 'waiting', asks: { id: 'a' } })
    expect(start([assistant])).toMatchObject({ state: 'waiting', asks: null })
  })

  test('misses if the assistant may not be asked', () => {
    const played = start([assistant], 'Is it in stock?', situation({}, false))
    expect(played).toMatchObject({ state: 'waiting', understood: false, misses: 1, asks: null })
    expect(texts(played)).toEqual(['Please tap.'])
  })

  test.each([
    ['true', 'Open.'],
    ['false', 'Closed.'],
  ])('follows a condition that compares with %s', (value, text) => {
    const condition = {
      id: 'a',
      type: 'condition',
      field: 'now.open',
      is: 'equals',
      value,
      next: 'b',
      otherwise: 'c',
    }
    expect(texts(start([condition, message('b', 'Open.'), message('c', 'Closed.')]))).toEqual([text])
  })

  test('hands over with a note', () => {
    const played = start([{ id: 'a', type: 'handover', note: 'From {{contact.name}}' }])
    expect(played).toMatchObject({ state: 'handed_over', handover: { assign: null, note: 'From Asha' } })
  })
})

describe('a menu', () => {
  const nodes = [menu('a', 'b'), message('b', 'Red it is.')]
  test.each([
    ['the title, in any case', 'dark  RED'],
    ['the number', '1'],
  ])('understands %s', (_title, text) => {
    expect(texts(next(nodes, text))).toEqual(['Red it is.'])
  })

  test('understands a tap, whatever its text', () => {
    expect(texts(playNext(script(nodes), at('a'), { text: 'Blue', option: 'red' }, situation()))).toEqual([
      'Red it is.',
    ])
  })

  test.each([undefined, '', 'green', '3'])('misses %j', (text) => {
    const played = next(nodes, text)
    expect(played).toMatchObject({ state: 'waiting', node: 'a', understood: false, misses: 1 })
    expect(texts(played)).toEqual(['Please tap.'])
  })

  test('hands over after the maximum of misses', () => {
    expect(next(nodes, 'green', at('a', { misses: 1 }))).toMatchObject({ state: 'waiting', misses: 2 })
    expect(next(nodes, 'green', at('a', { misses: 2 }))).toMatchObject({
      state: 'handed_over',
      understood: false,
      handover: { note: "The bot didn't understand the customer." },
    })
  })
})

describe('a question', () => {
  test('stores the answer for later texts and turns', () => {
    const played = next(
      [ask('answers.size', 'text', 'b'), message('b', 'Size {{answers.size}}.')],
      'L',
      at('a', { answers: { color: 'red' } }),
    )
    expect(played).toMatchObject({ answers: { color: 'red', size: 'L' }, effects: [] })
    expect(texts(played)).toEqual(['Size L.'])
  })

  test('changes the name of the contact', () => {
    const played = next([ask('contact.name', 'text', 'b'), message('b', 'Hi {{contact.name}}.')], 'Ravi')
    expect(played.effects).toEqual([{ type: 'set_name', name: 'Ravi' }])
    expect(texts(played)).toEqual(['Hi Ravi.'])
  })

  test('changes a custom field, with the value of its kind', () => {
    expect(next([ask('contact.attributes.rooms', 'number')], '२५').effects).toEqual([
      { type: 'set_attribute', key: 'rooms', value: 25 },
    ])
  })

  test.each([
    ['number', 'two'],
    ['email', 'asha'],
    ['phone', '12'],
    ['date', 'soon'],
  ])('misses an answer that is no %s', (kind, text) => {
    expect(next([ask('answers.x', kind)], text)).toMatchObject({ understood: false, misses: 1 })
  })

  test('misses a message without a text', () => {
    expect(next([ask('answers.x')], undefined).understood).toBe(false)
  })
})

describe('actions', () => {
  test('are effects, and count for later nodes', () => {
    const isVip = {
      id: 'c',
      type: 'condition',
      field: 'contact.tags',
      is: 'equals',
      value: 'vip',
      next: 'd',
      otherwise: null,
    }
    const nodes = [
      action('a', { type: 'add_tags', tags: ['vip'] }, 'b'),
      action('b', { type: 'set_attribute', key: 'city', value: 'Pune for {{contact.name}}' }, 'c'),
      isVip,
      message('d', '{{contact.attributes.city}}'),
    ]
    const played = start(nodes)
    expect(played.effects).toEqual([
      { type: 'add_tags', tags: ['vip'] },
      { type: 'set_attribute', key: 'city', value: 'Pune for Asha' },
    ])
    expect(texts(played)).toEqual(['Pune for Asha'])
  })

  test('change no contact of the caller', () => {
    const before = situation()
    start([action('a', { type: 'remove_tags', tags: ['new'] })], undefined, before)
    expect(before.subject.contact.tags).toEqual(['new'])
  })

  test('have filled notes', () => {
    const nodes = [
      action('a', { type: 'add_note', note: 'Of {{contact.name}}' }, 'b'),
      action('b', { type: 'create_lead', note: 'For {{contact.name}}' }, 'c'),
      action('c', { type: 'create_lead', source: 'bot' }, 'd'),
      action('d', { type: 'set_attribute', key: 'city', value: null }),
    ]
    expect(start(nodes).effects).toEqual([
      { type: 'add_note', note: 'Of Asha' },
      { type: 'create_lead', note: 'For Asha' },
      { type: 'create_lead', source: 'bot' },
      { type: 'set_attribute', key: 'city', value: null },
    ])
  })
})

describe('an assistant', () => {
  test.each<[string | undefined, boolean, boolean]>([
    ['Is it in stock?', true, true],
    [undefined, true, false],
    ['Is it in stock?', false, false],
  ])('is asked about %j, if it may be (%s): %s', (text, isAllowed, isAsked) => {
    expect(next([assistant], text, at('a'), situation({}, isAllowed)).asks !== null).toBe(isAsked)
  })

  test('that failed hands over with the reason, or continues at its node for that', () => {
    const failed = (nodes: object[]) =>
      playAfterAssistantFailure(script(nodes), at('a'), situation(), 'It failed.')
    expect(failed([assistant])).toMatchObject({
      state: 'handed_over',
      handover: { assign: null, note: 'It failed.' },
    })
    expect(
      texts(failed([{ ...assistant, otherwise: 'b' }, message('b', 'A teammate will answer.')])),
    ).toEqual(['A teammate will answer.'])
  })
})
