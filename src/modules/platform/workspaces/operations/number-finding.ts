/** Applies the operator's answer about a number. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import type { Query, Tx } from '../../../../core/context.ts'
import type { Answered, OperatorNumberState } from '../../../../operator/port.ts'
import { ACCOUNT_RESTRICTED, blockedStateOf } from '../../../../operator/refusals.ts'
import {
  blockNewConversations,
  liftEndlessRestrictions,
  type NumberKey,
  setNumberChecks,
} from '../queries/numbers.ts'
import {
  MAY_ONLY_ANSWER,
  type NumberState,
  noteNumberFacts,
  RECHECK_MS,
  setNumberStates,
  stateOfStatus,
  THROUGHPUT,
} from './number-state.ts'
import { type Restrictions, restrictionsAt } from './restrictions.ts'

const SOUND_RECHECK_MS = HOUR_MS

type Finding = { state: NumberState; reason: string | null; code: number | null }
const SOUND: Finding = { state: 'active', reason: null, code: null }
/**
 * Returns the number's state in an answer; undefined if it has none. `restricted`: a restriction of it is
 * known.
 */
function findingOf(answer: Answered<OperatorNumberState>, restricted: boolean): Finding | undefined {
  if (answer.kind === 'not_sent' || answer.kind === 'unknown') return undefined
  if (answer.kind === 'refused') {
    const { code, message, category } = answer.error
    const state = category === 'auth' ? 'disconnected' : blockedStateOf(code)
    return state && { state, reason: message, code }
  }
  const { status, canSend, obstacles } = answer.value
  const byStatus = stateOfStatus(status)
  if (byStatus === 'active' && canSend !== 'BLOCKED') return SOUND
  const [first] = obstacles
  const blocked = blockedStateOf(first?.code ?? 0)
  // The extent of the block is already known: only a different reason adds anything.
  if (byStatus === 'active' && restricted && (blocked === undefined || first?.code === ACCOUNT_RESTRICTED))
    return undefined
  return {
    state: byStatus === 'active' ? (blocked ?? 'sending_blocked') : byStatus,
    reason: first?.message ?? `The operator reports that the number is ${status ?? 'blocked'}.`,
    code: first?.code ?? null,
  }
}

/** A checked number, with the token that was used. */
export type CheckedNumber = Restrictions & { tokenSealed: Buffer }

export type NumberAnswer = {
  key: NumberKey
  number: CheckedNumber
  answered: Answered<OperatorNumberState>
  /** Real time. */
  at: Date
}

/** Stores the operator's answer about a number, and when to check it next. */
export async function applyNumberAnswer(
  run: Tx['sql'] | Query,
  { key, number, answered, at }: NumberAnswer,
): Promise<void> {
  const finding = findingOf(answered, restrictionsAt(number, at).length > 0)
  const onlyAnswers = answered.kind === 'done' && answered.value.status === MAY_ONLY_ANSWER
  const nextMs = finding?.state === 'active' && !onlyAnswers ? SOUND_RECHECK_MS : RECHECK_MS
  if (answered.kind === 'done') {
    const { quality, throughput, messagingLimit } = answered.value
    await noteNumberFacts(run, [
      {
        ...key,
        quality: quality?.toLowerCase() ?? null,
        throughput: THROUGHPUT[throughput as keyof typeof THROUGHPUT] ?? null,
        messagingLimit,
      },
    ])
  }
  if (finding) await setNumberStates(run, [{ ...key, ...finding, at, tokenSealed: number.tokenSealed }])
  if (finding && onlyAnswers) await blockNewConversations(run, key, at)
  else if (finding?.state === 'active') await liftEndlessRestrictions(run, [key])
  // All operations lock numbers before their lanes.
  await setNumberChecks(run, [{ ...key, at: later(at, nextMs) }], { sooner: false })
}
