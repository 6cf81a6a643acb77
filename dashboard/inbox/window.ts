import type { Conversation } from '../../sdk/api.ts'
import { t } from './words.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** From when on the end of the window is spoken of, and from when on it presses. */
const [SPOKEN_MS, PRESSING_MS] = [4 * HOUR_MS, HOUR_MS]

export type WindowState = { open: boolean; leftMs: number; tone: 'quiet' | 'spoken' | 'pressing' }

/** How the 24 hours of a chat stand at `now`. What the server has seen closed is closed, whatever the clock here says. */
export function windowAt(
  { windowOpen, windowExpiresAt }: Pick<Conversation, 'windowOpen' | 'windowExpiresAt'>,
  now: number,
): WindowState {
  const leftMs = windowExpiresAt === null ? 0 : Date.parse(windowExpiresAt) - now
  const tone = leftMs > SPOKEN_MS ? 'quiet' : leftMs > PRESSING_MS ? 'spoken' : 'pressing'
  return { open: windowOpen && leftMs > 0, leftMs, tone }
}

/** `3 h 20 min`; never less than a minute. */
export function timeLeft(leftMs: number): string {
  const minutes = Math.max(1, Math.floor(leftMs / MINUTE_MS))
  return minutes < 60
    ? t('window.minutes', { minutes })
    : t('window.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}
