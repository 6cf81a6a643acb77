import { expect, test } from 'vitest'
import { z } from 'zod'
import { Action } from '../action-schema.ts'
import { filled, hasPlaceholders, textsOf, unknownPlaceholders } from './placeholders.ts'

const event = z.object({ lead: z.object({ name: z.string() }) })
const ID = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11'

test.each<[object, [string, string][]]>([
  [
    { type: 'send_template', templateId: ID, variables: ['a', 'b'] },
    [
      ['variables[0]', 'a'],
      ['variables[1]', 'b'],
    ],
  ],
  [
    { type: 'send_text', text: 'Hi', variables: ['a'] },
    [
      ['text', 'Hi'],
      ['variables[0]', 'a'],
    ],
  ],
  [{ type: 'add_note', text: 'Note' }, [['text', 'Note']]],
  [{ type: 'create_task', dueInMinutes: 5 }, []],
  [{ type: 'create_task', dueInMinutes: 5, title: 'Call' }, [['title', 'Call']]],
  [{ type: 'set_field', field: 'lead.name', value: 'Asha' }, [['value', 'Asha']]],
  [{ type: 'set_field', field: 'lead.rating', value: 3 }, []],
  [
    { type: 'create_lead', name: 'Asha', note: 'x' },
    [
      ['name', 'Asha'],
      ['note', 'x'],
    ],
  ],
  [{ type: 'wait', minutes: 5 }, []],
])('the texts of %j', (action, texts) => {
  expect(textsOf(Action.parse(action))).toEqual(texts)
})

test.each<[string, string[]]>([
  ['No placeholder', []],
  [
    '{{lead.name}} {{ contact.phone }} {{event.lead.name}} {{contact.attributes.city}} {{lead.stage.name}}',
    [],
  ],
  ['{{lead.nam}}', ['Unknown placeholder {{lead.nam}}. Known placeholders: lead.id']],
  ['{{lead}}', ['Unknown placeholder {{lead}}']],
  [
    '{{lead.x}} {{lead.x}} {{name}}',
    [
      'Unknown placeholder {{lead.x}}',
      'Unknown placeholder {{name}}. Known placeholders: lead.…, contact.…, event.…',
    ],
  ],
  ['{{constructor.name}}', ['Unknown placeholder {{constructor.name}}']],
])('the unknown placeholders of %j', (text, messages) => {
  expect(unknownPlaceholders(text, 'text', event)).toEqual(
    messages.map((message) => ({ path: 'text', message: expect.stringContaining(message) })),
  )
})

test('a placeholder of an event is unknown without one, and at most 20 are named', () => {
  expect(unknownPlaceholders('{{event.lead.name}}', 'text', undefined)).toHaveLength(1)
  const many = Array.from({ length: 50 }, (_, i) => `{{x${i}}}`).join(' ')
  expect(unknownPlaceholders(many, 'text', event)).toHaveLength(20)
})

test.each([
  ['{{lead.name}}', 'Asha'],
  ['{{ lead.name }} and {{lead.tags}}', 'Asha and new, vip'],
  ['{{lead.rating}} {{lead.open}}', '4 true'],
  ['[{{lead.missing}}{{lead.stage}}]', '[]'],
])('%s is filled in as %s', (text, expected) => {
  const values = { lead: { name: 'Asha', tags: ['new', 'vip'], rating: 4, open: true, stage: { id: '1' } } }
  expect(filled(text, values, 100)).toBe(expected)
  expect(hasPlaceholders(text)).toBe(true)
})

test('a text is cut to its maximum, and a value without placeholders is found', () => {
  expect(filled('{{lead.name}}', { lead: { name: 'x'.repeat(50) } }, 10)).toHaveLength(10)
  expect([hasPlaceholders('Hi'), hasPlaceholders(3), hasPlaceholders(null)]).toEqual([false, false, false])
})
