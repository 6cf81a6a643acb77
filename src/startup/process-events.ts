/** What reaches the process from outside of any request: signals, and faults that nobody caught. */
import { systemClock } from '../core/clock.ts'
import { endProcess, type Log, sayAmid } from '../logging/log.ts'

const ONE_SIGNAL_MS = 1_000
/** Four times as long as a stop takes that waits for all that it may. */
const MAX_STOP_MS = 60_000

/** The first signal stops gracefully, by `closeAll`; a later one at once, and so does the end of `maxMs`. */
export function stopOnSignals(log: Log, closeAll: () => Promise<void>, maxMs = MAX_STOP_MS): void {
  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      // A terminal signals the whole group and a launcher passes it on: that is one signal sent twice.
      if (systemClock.monotonicMs() - stoppingSince < ONE_SIGNAL_MS) return
      sayAmid(log, 'Stopping immediately.')
      endProcess(log, 1, signal)
      return
    }
    stoppingSince = systemClock.monotonicMs()
    sayAmid(log, `${signal}: finishing running requests and jobs …`)
    setTimeout(() => {
      sayAmid(log, `The stop took longer than ${maxMs / 1_000} s. Stopping immediately.`)
      endProcess(log, 1, signal)
    }, maxMs).unref()
    closeAll().then(
      () => endProcess(log, 0, signal),
      (error: unknown) => {
        sayAmid(log, `The stop failed: ${error instanceof Error ? error.message : String(error)}`)
        endProcess(log, 1, signal)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

export function logUncaughtFaults(log: Log): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'))
  // Node itself would print what the error holds, values of customers among it.
  process.on('uncaughtException', (error) => {
    // Not `fatal`: that writes at once, and for ever where nothing can be written.
    log.error({ err: error }, 'uncaught exception')
    endProcess(log, 1, 'SIGKILL')
  })
}
