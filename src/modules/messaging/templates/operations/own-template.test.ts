/** Parley's own values always fit into a template (src/modules/messaging/messages/DECISIONS.md). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../../core/errors.ts'
import { buildTemplateContent } from './build-template.ts'
import type { StoredTemplate } from './find-for-send.ts'
import { flatten, ownTemplate } from './own-template.ts'

const stored = (components: object[]): StoredTemplate & { components: Record<string, unknown>[] } =>
  ({ name: 'soon', language: 'en', status: 'approved', category: 'UTILITY', components }) as never

test.each([
  ['Tower B\n2nd floor', 'Tower B, 2nd floor'],
  ['Tower B,\r\n2nd floor', 'Tower B, 2nd floor'],
  ['one\ttwo', 'one two'],
  ['one      two', 'one two'],
  ['  one \u00a0 two  ', 'one two'],
  ['\n\nAt:\n\nPune\n', 'At: Pune'],
  ['one\u2028two', 'one, two'],
  ['', '-'],
  ['  \n\t ', '-'],
  [null, '-'],
  [undefined, '-'],
])('%j becomes %j', (value, flat) => {
  expect(flatten(value)).toBe(flat)
})

test('with any values, the template is accepted', () => {
  const text = fc.option(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 1500 }),
      fc.stringMatching(/^[a\n\r\t \u2028]{0,40}$/),
      fc.constant('x'.repeat(3000)),
    ),
    { nil: undefined },
  )
  const template = stored([
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: `${'y'.repeat(900)} {{1}} and {{2}} and {{1}}, bye` },
  ])
  fc.assert(
    fc.property(text, text, text, (first, second, headline) => {
      const filledSend = ownTemplate(template, { body: [first, second], headline: headline ?? null })
      const built = buildTemplateContent(template, filledSend, { now: new Date() })
      expect(built instanceof Refusal ? built.message : undefined).toBeUndefined()
    }),
  )
})

test('values by name are adjusted, and a value for an unknown placeholder is still refused', () => {
  const template = stored([{ type: 'BODY', text: 'Hello {{name}}, see you at {{place}} soon' }])
  const build = (body: Record<string, string>) =>
    buildTemplateContent(template, ownTemplate(template, { body }), { now: new Date() })
  expect(build({ name: 'Asha\nRao', place: '' })).toMatchObject({
    text: 'Hello Asha, Rao, see you at - soon',
  })
  expect(build({ name: 'Asha', place: 'Pune', other: 'x' })).toBeInstanceOf(Refusal)
})
