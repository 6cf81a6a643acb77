/** Reports faults of background work: all of them, after the database had time to start. */
import type { Clock } from '../core/clock.ts'
import { SECOND_MS } from '../core/clock.ts'
import { isConnectionFault, wasRolledBack } from '../database/faults.ts'
import type { Metrics } from '../http/server/metrics.ts'
import type { Log } from '../logging/log.ts'
import type { OnFault } from './start-options.ts'

/**
 * On a busy machine, a database that has just started plans its first statements slowly. Every source retries by itself, so
 * these faults need no attention.
 */
const START_PATIENCE_MS = 30 * SECOND_MS

type Parts = { log: Pick<Log, 'error' | 'info'>; metrics: Pick<Metrics, 'countFault'>; clock: Clock }

/**
 * Counts and logs faults. While the service starts, one line covers all faults of a database that is not
 * ready yet.
 */
export function reportFaults({ log, metrics, clock }: Parts): OnFault {
  const startedMs = clock.monotonicMs()
  let isReported = false
  return (source, error) => {
    metrics.countFault(source)
    const isStarting = clock.monotonicMs() - startedMs < START_PATIENCE_MS
    if (!isStarting || !(isConnectionFault(error) || wasRolledBack(error))) {
      log.error({ err: error, source }, 'background work failed')
      return
    }
    if (isReported) return
    isReported = true
    log.info('background work is waiting: database slow to respond')
  }
}
