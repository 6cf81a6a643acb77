/** The weeks of the weekly mail, in a workspace's time zone. Pure. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import { dayOf, daysBefore, startOfDay } from '../../../../core/values/calendar.ts'

/** The mail goes out on Monday at this hour. */
const SEND_HOUR = 7

/** Returns the Monday of the week of a moment. */
function mondayOf(time: Date, timezone: string): string {
  const today = dayOf(time, timezone)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7
  return daysBefore(today, weekday - 1)
}

/** Returns the last whole week before a moment: Monday to Sunday. */
export function lastWeek(time: Date, timezone: string): { from: string; to: string } {
  const monday = mondayOf(time, timezone)
  return { from: daysBefore(monday, 7), to: daysBefore(monday, 1) }
}

/** Returns when the next mail goes out: on a Monday morning after `time`. */
export function nextSending(time: Date, timezone: string): Date {
  const monday = mondayOf(time, timezone)
  // The clocks change at night on Sundays, so that hours of a Monday morning are counted from midnight.
  const sendingOn = (day: string) => later(startOfDay(day, timezone)!, SEND_HOUR * HOUR_MS)
  const sending = sendingOn(monday)
  return sending > time ? sending : sendingOn(daysBefore(monday, -7))
}
