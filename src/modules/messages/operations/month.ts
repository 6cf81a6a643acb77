const formats = new Map<string, Intl.DateTimeFormat>()

/** The month of `at` in a time zone, as `2026-06`: what a monthly allowance is counted by. */
export function monthOf(at: Date, timezone: string): string {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit' })
    formats.set(timezone, format)
  }
  return format.format(at).slice(0, 7)
}
