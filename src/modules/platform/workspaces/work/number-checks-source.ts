/**
 * Checks numbers at the operator: hourly, and every few minutes while a number cannot send, so that repairs
 * there take effect here without help (docs/formats.md section 7).
 */
import { type Clock, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import type { Operator, OperatorNumber } from '../../../../operator/port.ts'
import { applyNumberAnswer, type CheckedNumber } from '../operations/number-finding.ts'
import { claimNumberChecks, type NumberKey } from '../queries/numbers.ts'

export type NumberChecksOptions = {
  database: Database
  clock: Clock
  operator: Pick<Operator, 'findNumber'>
  /** Returns a number with its decrypted credentials; undefined if it was removed. */
  number(workspaceId: string, phoneNumberId: string): Promise<(OperatorNumber & CheckedNumber) | undefined>
}

export const NUMBER_CHECKS = 'number-checks'

const AT_ONCE = 16
/** If a process crashes during a check, the number is checked again after this time. */
const LEASE_MS = 2 * MINUTE_MS

/** Builds the source of background work that keeps the numbers' states current. */
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
      // Numbers at the operator use real time: a sandbox's clock does not affect them.
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
