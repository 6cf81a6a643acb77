/** Numbers of documents by series and financial year. */

/** The length and characters that the tax office allows. */
const NUMBER_FORM = /^[A-Za-z0-9][A-Za-z0-9/-]{0,15}$/

export type Series = { prefix: string; digits: number }

/** Returns the first day of the financial year of `day`. Years begin on `start`, such as `04-01`. */
export function financialYearOf(day: string, start: string): string {
  const year = Number(day.slice(0, 4))
  return `${day.slice(5) >= start ? year : year - 1}-${start}`
}

/** Returns the first day after a financial year that begins on `firstDay`. */
export const nextFinancialYear = (firstDay: string, years = 1): string =>
  `${Number(firstDay.slice(0, 4)) + years}${firstDay.slice(4)}`

/** Returns 26-27 for the year that begins on 2026-04-01, and 2026 for a calendar year. */
export function financialYearName(firstDay: string): string {
  const year = Number(firstDay.slice(0, 4))
  const twoDigits = (calendarYear: number) => String(calendarYear % 100).padStart(2, '0')
  return firstDay.endsWith('-01-01') ? String(year) : `${twoDigits(year)}-${twoDigits(year + 1)}`
}

export const documentNumber = ({ prefix, digits }: Series, firstDay: string, count: number): string =>
  `${prefix.replaceAll('{FY}', financialYearName(firstDay))}${String(count).padStart(digits, '0')}`

export const isDocumentNumber = (text: string): boolean => NUMBER_FORM.test(text)
