/**
 * A number's state at the operator (docs/formats.md sections 4 and 7), from answers to sends, reports, and
 * checks. Only an active number accepts new sends.
 */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Query, Tx } from '../../../../core/context.ts'
import {
  type NumberFacts,
  type NumberKey,
  type NumberStateRow,
  setNumberChecks,
  updateNumberFacts,
  updateNumberStates,
} from '../queries/numbers.ts'

export type { NumberFacts, NumberKey } from '../queries/numbers.ts'
export { NUMBER_NOTICE, SHARED_THROUGHPUT, THROUGHPUT } from '../queries/numbers.ts'

export type NumberState = 'active' | 'number_banned' | 'sending_blocked' | 'disconnected'
/**
 * `reason`: text for people; `code`: the operator's error; both null for an active number. `at`: real time.
 */
export type NumberStateChange = NumberStateRow & { state: NumberState }

/** The time after which a number that cannot send is checked again, so that it recovers without help. */
export const RECHECK_MS = 5 * MINUTE_MS

/** The operator's states of a number that cannot send (docs/formats.md section 7). */
const STATES: Record<string, NumberState> = {
  BANNED: 'number_banned',
  RATE_LIMITED: 'sending_blocked',
  DISCONNECTED: 'sending_blocked',
  DELETED: 'sending_blocked',
  MIGRATED: 'sending_blocked',
}

/** The operator's word for a number that may answer but not begin conversations. */
export const MAY_ONLY_ANSWER = 'RESTRICTED'

/** Returns our state for the operator's word, such as CONNECTED or BANNED. */
export const stateOfStatus = (status: string | null): NumberState => STATES[status ?? ''] ?? 'active'

/** Sets states; the last one of a number counts. Returns those that changed. */
export async function setNumberStates(
  run: Tx['sql'] | Query,
  changes: NumberStateChange[],
): Promise<NumberKey[]> {
  if (changes.length === 0) return []
  const last = [...new Map(changes.map((change) => [change.phoneNumberId, change])).values()]
  const changedStates = await updateNumberStates(run, last)
  const broken = last.filter(({ state }) => state !== 'active')
  if (broken.length > 0)
    await setNumberChecks(
      run,
      broken.map((change) => ({ ...change, at: later(change.at, RECHECK_MS) })),
      { sooner: true },
    )
  return changedStates
}

/**
 * Stores the operator's facts about numbers: quality (green, yellow, red), messages a second, daily limit.
 */
export async function noteNumberFacts(run: Tx['sql'] | Query, facts: NumberFacts[]): Promise<void> {
  if (facts.length > 0) await updateNumberFacts(run, facts)
}
