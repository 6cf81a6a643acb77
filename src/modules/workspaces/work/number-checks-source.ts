/**
 * Asks the operator how numbers are: hourly, and every few minutes while nothing can be sent from one,
 * so that whatever was repaired there counts here by itself (docs/formats.md section 7).
 */
import { type Clock, later, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { Operator, OperatorNumber } from '../../../operator/port.ts'
import { applyNumberAnswer, type CheckedNumber } from '../operations/number-finding.ts'
import { claimNumberChecks, type NumberKey } from '../queries/numbers.ts'

export type NumberChecksOptions = {
  database: Database
  clock: Clock
  operator: Pick<Operator, 'findNumber'>
  /** A number with its credentials in the clear; undefined when it is gone. */
  number(workspaceId: string, phoneNumberId: string): Promise<(OperatorNumber & CheckedNumber) | undefined>
}

export const NUMBER_CHECKS = 'number-checks'

const AT_ONCE = 16
/** Whoever dies while it asks leaves the number to be asked about again. */
const LEASE_MS = 2 * MINUTE_MS

/** The source of background work that keeps the numbers' states true. */
export function numberChecksSource(options: NumberChecksOptions): WorkSource {
  const { database, clock, operator } = options

  const check = async (key: NumberKey): Promise<void> => {
    const number = await options.number(key.workspaceId, key.phoneNumberId)
    if (!number) return
    const answered = await operator.findNumber(number)
    await applyNumberAnswer(database.query, { key, number, answered, at: clock.now() })
  }

  return {
    name: NUMBER_CHECKS,
    pollMs: 5 * SECOND_MS,
    async runDue({ workspaceId }) {
      // Numbers at the operator keep real time: a sandbox's clock has no part in them.
      if (workspaceId) return 0
      const now = clock.now()
      const due = await claimNumberChecks(database.query, {
        now,
        nextAt: later(now, LEASE_MS),
        limit: AT_ONCE,
      })
      await Promise.all(due.map(check))
      return due.length
    },
  }
}
