import { expect, test } from 'vitest'
import { formatDue } from './due.tsx'
import { formatDay, workspaceNow } from './time.tsx'

const yearsFromNow = (years: number): Date => {
  const at = new Date(workspaceNow())
  return new Date(at.getFullYear() + years, 5, 15, 10)
}

test('a day of another year includes its year', () => {
  for (const years of [-1, 1]) {
    const at = yearsFromNow(years)
    expect(formatDay(at.toISOString())).toContain(String(at.getFullYear()))
    expect(formatDue(at.toISOString(), workspaceNow())).toContain(String(at.getFullYear()))
  }
  expect(formatDay(yearsFromNow(0).toISOString())).not.toMatch(/\d{4}/)
  expect(formatDue(yearsFromNow(0).toISOString(), workspaceNow())).not.toMatch(/\d{4}/)
})
