import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LaterReport, Report } from '../queries/updates.ts'
import { laterReport, readLater } from './later-reports.ts'

/** Returns the value as the database would return it. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

const part = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.record({ category: fc.string() }))
const status = fc.dictionary(fc.constantFrom('id', 'status', 'timestamp', 'pricing', 'errors'), part)
const value = fc.record(
  { metadata: fc.record({ id: fc.constantFrom('1', '2') }), statuses: fc.array(status, { maxLength: 2 }) },
  { requiredKeys: ['metadata'] },
)
const report: fc.Arbitrary<Report> = fc.record({ field: fc.constantFrom('messages', 'calls'), value })

test('reports of any kind are restored unchanged, one after the other', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(report, fc.nat()), { minLength: 1, maxLength: 4 }), (reports) => {
      const [[first], ...others] = reports as [[Report, number], ...[Report, number][]]
      const laterReports: LaterReport[] = stored(
        others.map(([report, afterMs], i) => laterReport(reports[i]![0], { ...report, afterMs })),
      )
      let before = stored(first)
      for (const [i, later] of laterReports.entries()) {
        before = readLater(before, later)
        expect(before).toEqual(stored(others[i]![0]))
        expect(later.afterMs).toBe(others[i]![1])
      }
    }),
  )
})

test("only the new fields of a later receipt's status are kept", () => {
  const receipt = (status: object): Report => ({
    field: 'messages',
    value: { metadata: { phone_number_id: '1' }, statuses: [{ id: 'wamid.1', ...status }] },
  })
  const sent = receipt({ status: 'sent', timestamp: '1', pricing: { billable: false } })
  const read = receipt({ status: 'read', timestamp: '5' })
  expect(laterReport(sent, { ...read, afterMs: 4_000 })).toEqual({
    afterMs: 4_000,
    change: { status: 'read', timestamp: '5', pricing: null },
  })
})
