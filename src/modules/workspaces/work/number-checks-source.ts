/**
 * Asks the operator how numbers are: hourly, and every few minutes while nothing can be sent from one,
 * so that whatever was repaired there counts here by itself (docs/formats.md section 7).
 */
import { type Clock, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { Answered, Operator, OperatorNumber, OperatorNumberState } from '../../../operator/port.ts'
import { ACCOUNT_RESTRICTED, blockedStateOf } from '../../../operator/refusals.ts'
import {
  MAY_ONLY_ANSWER,
  type NumberState,
  noteNumberFacts,
  RECHECK_MS,
  setNumberStates,
  stateOfStatus,
  THROUGHPUT,
} from '../operations/number-state.ts'
import { type Restrictions, restrictionsAt } from '../operations/restrictions.ts'
import {
  blockBeginnings,
  claimNumberChecks,
  liftEndless,
  type NumberKey,
  setNumberChecks,
} from '../queries/numbers.ts'

export type NumberChecksOptions = {
  database: Database
  clock: Clock
  operator: Pick<Operator, 'findNumber'>
  /** A number with its credentials in the clear; undefined when it is gone. */
  number(
    workspaceId: string,
    phoneNumberId: string,
  ): Promise<(OperatorNumber & Restrictions & { tokenSealed: Buffer }) | undefined>
}

export const NUMBER_CHECKS = 'number-checks'

const AT_ONCE = 16
const SOUND_RECHECK_MS = HOUR_MS
/** Whoever dies while it asks leaves the number to be asked about again. */
const LEASE_MS = 2 * MINUTE_MS

type Finding = { state: NumberState; reason: string | null; code: number | null }
const SOUND: Finding = { state: 'active', reason: null, code: null }
/** What an answer says of the number's state; undefined when it says nothing. `restricted`: a restriction of it is known. */
function findingOf(answered: Answered<OperatorNumberState>, restricted: boolean): Finding | undefined {
  if (answered.kind === 'not_sent' || answered.kind === 'unknown') return undefined
  if (answered.kind === 'refused') {
    const { code, message, category } = answered.error
    const state = category === 'auth' ? 'disconnected' : blockedStateOf(code)
    return state && { state, reason: message, code }
  }
  const { status, canSend, obstacles } = answered.value
  const byStatus = stateOfStatus(status)
  if (byStatus === 'active' && canSend !== 'BLOCKED') return SOUND
  const [first] = obstacles
  const blocked = blockedStateOf(first?.code ?? 0)
  // That something is blocked is known, and what: only a reason of its own says more.
  if (byStatus === 'active' && restricted && (blocked === undefined || first?.code === ACCOUNT_RESTRICTED))
    return undefined
  return {
    state: byStatus === 'active' ? (blocked ?? 'sending_blocked') : byStatus,
    reason: first?.message ?? `The operator says that the number is ${status ?? 'blocked'}.`,
    code: first?.code ?? null,
  }
}

/** The source of background work that keeps the numbers' states true. */
export function numberChecksSource(options: NumberChecksOptions): WorkSource {
  const { database, clock, operator } = options

  const check = async (key: NumberKey): Promise<void> => {
    const number = await options.number(key.workspaceId, key.phoneNumberId)
    if (!number) return
    const answered = await operator.findNumber(number)
    const at = clock.now()
    const finding = findingOf(answered, restrictionsAt(number, at).length > 0)
    const onlyAnswers = answered.kind === 'done' && answered.value.status === MAY_ONLY_ANSWER
    const nextMs = finding?.state === 'active' && !onlyAnswers ? SOUND_RECHECK_MS : RECHECK_MS
    await setNumberChecks(database.query, [{ ...key, at: later(at, nextMs) }], { sooner: false })
    if (answered.kind === 'done') {
      const { quality, throughput, messagingLimit } = answered.value
      await noteNumberFacts(database.query, [
        {
          ...key,
          quality: quality?.toLowerCase() ?? null,
          throughput: THROUGHPUT[throughput as keyof typeof THROUGHPUT] ?? null,
          messagingLimit,
        },
      ])
    }
    if (!finding) return
    await setNumberStates(database.query, [{ ...key, ...finding, at, tokenSealed: number.tokenSealed }])
    if (onlyAnswers) await blockBeginnings(database.query, key, at)
    else if (finding.state === 'active') await liftEndless(database.query, [key])
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
