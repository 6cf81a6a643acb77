import { expect, test } from 'vitest'
import { formatDay, formatDue, workspaceNow } from './time.tsx'

const yearsFromNow = (years: number): Date => {
  const now = new Date(workspaceNow())
  return new Date(now.getFullYear() + years, 5, 15, 10)
}

test('a day of another year includes its year', () => {
  for (const years of [-1, 1]) {
    const date = yearsFromNow(years)
    expect(formatDay(date.toISOString())).toContain(String(date.getFullYear()))
    expect(formatDue(date.toISOString(), workspaceNow())).toContain(String(date.getFullYear()))
  }
  expect(formatDay(yearsFromNow(0).toISOString())).not.toMatch(/\d{4}/)
  expect(formatDue(yearsFromNow(0).toISOString(), workspaceNow())).not.toMatch(/\d{4}/)
})
