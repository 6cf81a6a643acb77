import { expect, test } from 'vitest'
import { bodyOf, type Draft, draftOf, moved, namesOf, newField } from './draft.ts'

const field = (label: string, more: object = {}) => ({ ...newField(), label, ...more })
const draft = (...fields: ReturnType<typeof field>[]): Draft => ({
  name: ' Visits ',
  category: 'OTHER',
  account: null,
  screens: [{ key: 's', title: 'Visit', text: ' ', button: 'Send', fields }],
})

test.each([
  ['Day of your visit', 'day_of_your_visit'],
  ['Téléphone', 'telephone'],
  ['2nd name', 'f_2nd_name'],
  ['दिन', 'field'],
  ['x'.repeat(60), 'x'.repeat(37)],
])('the label %s gives the name %s', (label, name) => {
  const { screens } = draft(field(label))
  expect([...namesOf(screens).values()]).toEqual([name])
})

test('each name exists once, and typed names stay', () => {
  const { screens } = draft(field('Size'), field('Size'), field('Other', { name: 'size' }))
  expect([...namesOf(screens).values()]).toEqual(['size_2', 'size_3', 'size'])
})

test('options have one line each; help and options appear only for kinds that have them', () => {
  const { screens, ...rest } = bodyOf(
    draft(
      field('Part', { kind: 'choice', options: ' Morning \n\nEvening', help: 'unused' }),
      field('Name', { options: 'unused', help: 'As on your card', isRequired: false }),
    ),
  )
  expect(rest).toEqual({ name: 'Visits', categories: ['OTHER'] })
  expect(screens[0]!.fields).toEqual([
    { name: 'part', kind: 'choice', label: 'Part', required: true, options: ['Morning', 'Evening'] },
    { name: 'name', kind: 'text', label: 'Name', required: false, help: 'As on your card' },
  ])
})

test('a stored form becomes the same body again', () => {
  const body = bodyOf(draft(field('Part', { kind: 'choice', options: 'Morning\nEvening' })))
  const stored = { ...body, categories: body.categories! } as Parameters<typeof draftOf>[0]
  expect(bodyOf(draftOf(stored))).toEqual(body)
})

test('an item moves up and down', () => {
  expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
})
