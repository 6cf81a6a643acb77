/** The only place that reads the time. All other code receives it: `ctx.now` inside an operation, a `Clock` elsewhere. */
export type Clock = {
  /** Real time. */
  now(): Date
  /** Milliseconds for measuring durations; unaffected by steps of the wall clock. */
  monotonicMs(): number
}

/** Returns real time in milliseconds, for code that reads it thousands of times a second and needs no Date. */
export const realMs = (): number => Date.now()

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

/** Milliseconds in the units of the spec's rules. */
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Means "no end" where ends are compared. No workspace's time reaches it. */
export const NO_END = new Date('9999-01-01T00:00:00.000Z')

/** Returns `time` moved by `ms` milliseconds (negative moves back). */
export const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms)

/** Caches the result of `write` for the last moment, in milliseconds: rows and log lines of one moment are written together. */
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
/** Returns a moment as the API writes it, in UTC with milliseconds. */
export const isoOf = (time: Date): string => isoOfMs(time.getTime())

/** Returns a workspace's time: the real time plus the offset of a sandbox's clock. */
export const workspaceTime = (clock: Clock, workspace: { clockOffsetMs: number }): Date =>
  workspace.clockOffsetMs === 0 ? clock.now() : later(clock.now(), workspace.clockOffsetMs)

/** Returns the real moment of a moment in the workspace's time. */
export const realTime = (time: Date, workspace: { clockOffsetMs: number }): Date =>
  later(time, -workspace.clockOffsetMs)
