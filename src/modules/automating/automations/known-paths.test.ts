import { expect, test } from 'vitest'
import { z } from 'zod'
import { knowsPath, namesAt, valueAt } from './known-paths.ts'

const schema = z.object({
  lead: z.object({ name: z.string().nullable(), stage: z.object({ id: z.string() }).optional() }),
  extra: z.record(z.string(), z.unknown()),
  payload: z.union([z.object({ text: z.string() }), z.object({ file: z.object({ name: z.string() }) })]),
})
const path = (text: string) => (text === '' ? [] : text.split('.'))

test.each([
  ['lead.name', true],
  ['lead.stage.id', true],
  ['lead.stage.name', false],
  ['lead.name.length', false],
  ['lead.constructor', false],
  ['extra.anything.at.all', true],
  ['payload.text', true],
  ['payload.file.name', true],
  ['payload.other', false],
  ['', true],
])('whether the schema knows %j: %s', (text, expected) => {
  expect(knowsPath(schema, path(text))).toBe(expected)
})

test.each([
  ['leed', ['lead', 'extra', 'payload']],
  ['lead.nam', ['lead.name', 'lead.stage']],
  ['lead.stage.x', ['lead.stage.id']],
  ['lead.name.length', ['lead.name', 'lead.stage']],
])('the names near %s', (text, names) => {
  expect(namesAt(schema, path(text))).toEqual(names)
})

test.each([
  ['lead.name', 'Asha'],
  ['lead.tags.1', 'vip'],
  ['lead.missing.name', undefined],
  ['lead.name.length', undefined],
  ['lead.constructor', undefined],
  ['nothing.name', undefined],
])('the value at %s is %s', (text, value) => {
  expect(valueAt({ lead: { name: 'Asha', tags: ['new', 'vip'] }, nothing: null }, path(text))).toBe(value)
})
