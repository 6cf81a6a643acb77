import { dayOf } from '../../../../core/calendar.ts'

/** The month of `at` in a time zone, as `2026-06`: what a monthly allowance is counted by. */
export const monthOf = (at: Date, timezone: string): string => dayOf(at, timezone).slice(0, '2026-06'.length)
