import { expect, test } from 'vitest'
import type { TemplateRow } from '../queries/templates.ts'
import { type Facts, takesDocument, valuesFromFacts } from './values-from-facts.ts'

const facts: Facts = {
  inOrder: ['Asha', 'INV-1', '₹500.00'],
  byName: { name: 'Asha', number: 'INV-1' },
  headline: 'INV-1',
  file: { id: 'm1', filename: 'INV-1.pdf' },
  urlSuffix: 'd/abc',
}
const template = (...components: object[]) =>
  ({
    id: 't1',
    name: 'invoice',
    language: 'en',
    parameterFormat: 'positional',
    components,
  }) as unknown as TemplateRow
const body = (text: string) => ({ type: 'BODY', text })
const fill = (...components: object[]) => JSON.stringify(valuesFromFacts(template(...components), facts))

test.each<[string, object[], string[], string[]]>([
  ['placeholders by position, in order', [body('Hi {{1}}, {{2}} is ready.')], ['Asha', 'INV-1'], ['500']],
  ['placeholders by name', [body('{{number}} for {{name}}.')], ['Asha', 'INV-1'], []],
  ['no unknown names', [body('{{number}} {{other}}')], ['INV-1'], ['other']],
  [
    'a text header',
    [{ type: 'HEADER', format: 'TEXT', text: 'Invoice {{1}}' }, body('Hi.')],
    ['INV-1'],
    ['Asha'],
  ],
  ['the file of a document header', [{ type: 'HEADER', format: 'DOCUMENT' }, body('Hi.')], ['INV-1.pdf'], []],
  ['no file for an image', [{ type: 'HEADER', format: 'IMAGE' }, body('Hi.')], [], ['INV-1.pdf']],
  [
    'the address of a button with a placeholder',
    [
      body('Hi.'),
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Site', url: 'https://shop.example' },
          { type: 'URL', text: 'Pay', url: 'https://shop.example/{{1}}' },
        ],
      },
    ],
    ['d/abc'],
    ['https'],
  ],
])('a template gets %s', (_title, components, included, excluded) => {
  const values = fill(...components)
  for (const text of included) expect(values).toContain(text)
  for (const text of excluded) expect(values).not.toContain(text)
})

test('whether a template has a document header', () => {
  expect(takesDocument(template({ type: 'HEADER', format: 'DOCUMENT' }, body('Hi.')))).toBe(true)
  expect(takesDocument(template({ type: 'HEADER', format: 'TEXT', text: 'Hi' }, body('Hi.')))).toBe(false)
  expect(takesDocument(template(body('Hi.')))).toBe(false)
})
