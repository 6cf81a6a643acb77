/** Handles events outside of any request: signals, and uncaught faults. */
import { systemClock } from '../core/clock.ts'
import { endProcess, type Log, printLine } from '../logging/log.ts'

const ONE_SIGNAL_MS = 1_000
/** Four times as long as the longest regular stop. */
const MAX_STOP_MS = 60_000

/** Stops gracefully by `closeAll` at the first signal; stops immediately at a later one, or after `maxMs`. */
export function stopOnSignals(log: Log, closeAll: () => Promise<void>, maxMs = MAX_STOP_MS): void {
  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      // A terminal signals the whole process group and a launcher forwards it: two signals in short order count as one.
      if (systemClock.monotonicMs() - stoppingSince < ONE_SIGNAL_MS) return
      printLine(log, 'Stopping immediately.')
      endProcess(log, 1, signal)
      return
    }
    stoppingSince = systemClock.monotonicMs()
    printLine(log, `${signal}: finishing running requests and jobs …`)
    setTimeout(() => {
      printLine(log, `The stop took longer than ${maxMs / 1_000} s. Stopping immediately.`)
      endProcess(log, 1, signal)
    }, maxMs).unref()
    closeAll().then(
      () => endProcess(log, 0, signal),
      (error: unknown) => {
        printLine(log, `The stop failed: ${error instanceof Error ? error.message : String(error)}`)
        endProcess(log, 1, signal)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

export function logUncaughtFaults(log: Log): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'))
  // Node itself would print the content of the error, including customers' values.
  process.on('uncaughtException', (error) => {
    // Not `fatal`, which writes synchronously and would hang if the output is blocked.
    log.error({ err: error }, 'uncaught exception')
    endProcess(log, 1, 'SIGKILL')
  })
}
