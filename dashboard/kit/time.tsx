import { useSyncExternalStore } from 'react'
import { formatLocale } from '../texts.ts'
import { t } from './texts.ts'

const MINUTE_MS = 60_000
const clock = new Intl.DateTimeFormat(formatLocale, { hour: 'numeric', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'short' })
const day = new Intl.DateTimeFormat(formatLocale, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(formatLocale, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'full', timeStyle: 'medium' })

/** The difference between the workspace's clock and this machine's: a sandbox's clock can be moved. */
let aheadMs = 0
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Follows the workspace's clock from now on. */
export function setWorkspaceNow(now: string): void {
  aheadMs = Date.parse(now) - Date.now()
  for (const listener of listeners) listener()
}

export const workspaceNow = (): number => Date.now() + aheadMs

/** Returns the workspace's time, to the second or minute, and redraws the component when it changes. */
export function useNow(everyMs = MINUTE_MS): number {
  const snapshot = () => Math.floor(workspaceNow() / everyMs) * everyMs
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    timer ??= setInterval(() => {
      for (const notify of listeners) notify()
    }, 1_000)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) {
        clearInterval(timer)
        timer = undefined
      }
    }
  }, snapshot)
}

/** Returns a function that formats times by `options`, with the year if it is not the current year. */
export function withYear(options: Intl.DateTimeFormatOptions): (ms: number, now?: number) => string {
  const { timeZone } = options
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone })
  const ofThisYear = new Intl.DateTimeFormat(formatLocale, options)
  const ofAnother = new Intl.DateTimeFormat(formatLocale, { ...options, year: 'numeric' })
  return (ms, now = workspaceNow()) =>
    (year.format(ms) === year.format(now) ? ofThisYear : ofAnother).format(ms)
}

const longDay = withYear({ weekday: 'long', day: 'numeric', month: 'long' })
const dayAndClock = withYear({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

const startOfDay = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)
const daysBetween = (from: number, to: number): number =>
  Math.round((startOfDay(to) - startOfDay(from)) / (24 * 60 * MINUTE_MS))

export const formatClock = (iso: string): string => clock.format(Date.parse(iso))
export const formatFull = (iso: string): string => full.format(Date.parse(iso))

/** Formats a time for a list: the hour today, the weekday this week, otherwise the date. */
export function formatShort(iso: string, now: number): string {
  const time = Date.parse(iso)
  if (Math.abs(now - time) < MINUTE_MS) return t('now')
  const days = daysBetween(time, now)
  if (days === 0) return clock.format(time)
  if (days === 1) return t('yesterday')
  if (days > 1 && days < 7) return weekday.format(time)
  return new Date(time).getFullYear() === new Date(now).getFullYear()
    ? day.format(time)
    : dayOfYear.format(time)
}

/** Formats a future time: the hour if it is today, otherwise also the day. */
export function formatDue(iso: string, now: number): string {
  const isToday = new Date(iso).toDateString() === new Date(now).toDateString()
  return isToday ? clock.format(Date.parse(iso)) : dayAndClock(Date.parse(iso), now)
}

/** Formats a day for the line between messages. */
export const formatDay = (iso: string): string => longDay(Date.parse(iso))

const date = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium' })

/** Shows the date of a time, with the full time as its tooltip. */
export const DateOf = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={formatFull(at)} className={className}>
    {date.format(Date.parse(at))}
  </time>
)

/** Shows a short time, with the full time as its tooltip. */
export function Time({ at, className }: { at: string; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatFull(at)} className={className}>
      {formatShort(at, now)}
    </time>
  )
}
