import { later, MINUTE_MS } from '../../../../core/clock.ts'

/** Returns the reminders of a booking that are still to come, with their times. */
export const reminderTimes = (
  reminders: readonly { minutesBefore: number }[],
  startAt: Date,
  now: Date,
): { minutesBefore: number; at: Date }[] =>
  reminders
    .map(({ minutesBefore }) => ({ minutesBefore, at: later(startAt, -minutesBefore * MINUTE_MS) }))
    .filter(({ at }) => at > now)
