import type { Conversation } from '../../sdk/api.ts'
import { t } from './texts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/**
 * The remaining times at which the page mentions the window's end, and at which it shows the end as urgent.
 */
const [SPOKEN_MS, PRESSING_MS] = [4 * HOUR_MS, HOUR_MS]

export type WindowState = { open: boolean; leftMs: number; tone: 'quiet' | 'spoken' | 'pressing' }

/**
 * Returns the state of a chat's 24-hour window at `now`. A window that the server reported closed is closed,
 * even if the local clock differs.
 */
export function windowStateAt(
  { windowOpen, windowExpiresAt }: Pick<Conversation, 'windowOpen' | 'windowExpiresAt'>,
  now: number,
): WindowState {
  const leftMs = windowExpiresAt === null ? 0 : Date.parse(windowExpiresAt) - now
  const tone = leftMs > SPOKEN_MS ? 'quiet' : leftMs > PRESSING_MS ? 'spoken' : 'pressing'
  return { open: windowOpen && leftMs > 0, leftMs, tone }
}

/** Formats a duration such as `3 h 20 min`; at least one minute. */
export function timeLeft(leftMs: number): string {
  const minutes = Math.max(1, Math.floor(leftMs / MINUTE_MS))
  return minutes < 60
    ? t('window.minutes', { minutes })
    : t('window.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}
