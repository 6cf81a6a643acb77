/**
 * The one place that reads the time. Everything else is given it: `ctx.now` inside an operation,
 * a `Clock` where no operation runs.
 */
export type Clock = {
  /** Real time. */
  now(): Date
  /** Milliseconds for measuring durations; unaffected by steps of the wall clock. */
  monotonicMs(): number
}

/** Real time in milliseconds, where thousands a second are read and nobody asks for a date. */
export const realMs = (): number => Date.now()

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

/** Milliseconds in the units that rules are written in. */
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The end of what has none, where ends are compared. No workspace's time comes so far. */
export const NO_END = new Date('9999-01-01T00:00:00.000Z')

/** `at` moved by `ms` milliseconds (negative moves back). */
export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** What `write` makes of a moment, given in milliseconds, kept until another is asked for: rows and lines of one moment come together. */
export function writeOnce(write: (iso: string) => string): (ms: number) => string {
  let writtenMs = Number.NaN
  let written = ''
  return (ms) => {
    if (ms !== writtenMs) {
      written = write(new Date(ms).toISOString())
      writtenMs = ms
    }
    return written
  }
}

const isoOfMs = writeOnce((iso) => iso)
/** A moment as the API writes it, in UTC with milliseconds. */
export const isoOf = (at: Date): string => isoOfMs(at.getTime())

/** A workspace's time: the real time plus what a sandbox has moved its clock forward. */
export const workspaceTime = (clock: Clock, workspace: { clockOffsetMs: number }): Date =>
  workspace.clockOffsetMs === 0 ? clock.now() : later(clock.now(), workspace.clockOffsetMs)

/** The real moment at which a moment of the workspace's time comes. */
export const realTime = (at: Date, workspace: { clockOffsetMs: number }): Date =>
  later(at, -workspace.clockOffsetMs)
