import { describe, expect, test } from 'vitest'
import { PAYLOADS } from '../../../../src/operator/message-payload/payloads.ts'
import { emptyPart, isEmptyPart, type Part } from './part-shape.ts'
import { contentOfPart, faultsIn } from './parts.ts'

const buttons = (...titles: string[]): Part => ({
  kind: 'buttons',
  values: { header: '', text: 'Which size?', footer: '', buttons: titles },
})
const rows = (...titles: string[]) => titles.map((title) => ({ title, description: '' }))

describe('messages that are built from parts', () => {
  test.each<[string, Part]>([
    ['reply buttons', buttons('S', 'M', 'L')],
    [
      'a list',
      {
        kind: 'list',
        values: {
          header: 'Menu',
          text: 'What would you like?',
          footer: 'Served until 10 pm',
          button: 'See the menu',
          sections: [
            { title: 'Soups', rows: rows('Dal', 'Rasam') },
            { title: 'Mains', rows: [{ title: 'Dal', description: 'With rice' }] },
          ],
        },
      },
    ],
    [
      'a location',
      {
        kind: 'location',
        values: { name: 'Our shop', address: '12 Hill Road', latitude: '19,05', longitude: '72.829' },
      },
    ],
    ['a product', { kind: 'product', values: { catalogId: '77', productId: 'mug', text: '', footer: '' } }],
  ])('have no faults and fit the format of POST /send: %s', (_name, part) => {
    expect(faultsIn(part)).toEqual({})
    const schema = part.kind === 'location' ? PAYLOADS.location : PAYLOADS.interactive
    expect(schema.safeParse(contentOfPart(part)).error?.issues ?? []).toEqual([])
  })

  test('a row with the title of an earlier row has its own id', () => {
    const list: Part = {
      kind: 'list',
      values: {
        ...emptyPart('list'),
        sections: [
          { title: 'A', rows: rows('Dal') },
          { title: 'B', rows: rows('Dal') },
        ],
      },
    }
    const { action } = contentOfPart(list) as { action: { sections: { rows: { id: string }[] }[] } }
    expect(action.sections.map((section) => section.rows[0]?.id)).toEqual(['Dal', 'Dal (2)'])
  })

  test.each<[string, Part, Record<string, string>]>([
    [
      'nothing typed',
      { kind: 'buttons', values: emptyPart('buttons') },
      { text: 'missing', 'buttons.0': 'missing' },
    ],
    ['a button repeats', buttons('Yes', ' Yes '), { 'buttons.1': 'repeated' }],
    ['a button is too long', buttons('x'.repeat(21)), { 'buttons.0': 'tooLong' }],
    ['20 emoji fit', buttons('🙂'.repeat(20)), {}],
    [
      'several sections need titles',
      {
        kind: 'list',
        values: {
          ...emptyPart('list'),
          text: 'Pick',
          button: 'Open',
          sections: [
            { title: '', rows: rows('A') },
            { title: 'Two', rows: rows('B') },
          ],
        },
      },
      { 'sections.0.title': 'missing' },
    ],
    [
      'a latitude over 90',
      { kind: 'location', values: { ...emptyPart('location'), latitude: '91', longitude: '' } },
      { latitude: 'range', longitude: 'missing' },
    ],
    [
      'a product without ids',
      { kind: 'product', values: emptyPart('product') },
      { catalogId: 'missing', productId: 'missing' },
    ],
  ])('name their faults by field: %s', (_name, part, faults) => {
    expect(faultsIn(part)).toEqual(faults)
  })

  test('are empty until something is typed', () => {
    expect(isEmptyPart({ kind: 'list', values: emptyPart('list') })).toBe(true)
    expect(isEmptyPart(buttons('S'))).toBe(false)
  })
})
