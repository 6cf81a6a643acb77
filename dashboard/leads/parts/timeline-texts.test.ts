import { expect, test } from 'vitest'
import type { TimelineEntry } from '../../../sdk/api.ts'
import { formatEntry } from './timeline-texts.ts'

const textOf = (entry: Partial<TimelineEntry>): string | undefined =>
  formatEntry(
    { id: 'entry', createdAt: '2026-01-05T10:00:00.000Z', actor: null, ...entry } as TimelineEntry,
    'Asia/Kolkata',
  ).text

test('a changed deal value has its currency', () => {
  expect(textOf({ kind: 'deal_value_changed', data: { from: 0, to: 150_000 } })).toBe('₹1,50,000')
  expect(textOf({ kind: 'deal_value_changed', data: { from: 99.5, to: 100 } })).toBe('₹99.50 → ₹100')
})

test('other changes show both values', () => {
  expect(textOf({ kind: 'rating_changed', data: { from: 2, to: 4 } })).toBe('2 stars → 4 stars')
  expect(textOf({ kind: 'rating_changed', data: { from: 4, to: 0 } })).toBe('4 stars → —')
  expect(textOf({ kind: 'name_changed', data: { from: 'Asha', to: 'Asha Rao' } })).toBe('Asha → Asha Rao')
})

test('a first value is shown alone', () => {
  expect(textOf({ kind: 'name_changed', data: { from: null, to: 'Asha' } })).toBe('Asha')
  expect(textOf({ kind: 'tags_changed', data: { from: [], to: ['silk', 'gifts'] } })).toBe('silk, gifts')
})
