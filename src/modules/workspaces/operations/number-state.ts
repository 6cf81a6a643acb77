/**
 * How a number stands with the operator (docs/formats.md sections 4 and 7): what it answers to sends, what it
 * reports, and what it says when asked all come here. Only an active number takes new sends.
 */
import { later, MINUTE_MS } from '../../../core/clock.ts'
import type { Query, Tx } from '../../../core/context.ts'
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
/** `reason` in words for people; `code` the operator's error; both null for an active number. `at` is real time. */
export type NumberStateChange = NumberStateRow & { state: NumberState }

/** A number that cannot send is looked at again this soon, so that it recovers by itself. */
export const RECHECK_MS = 5 * MINUTE_MS

/** The operator's states of a number in which nothing can be sent (docs/formats.md section 7). */
const STATES: Record<string, NumberState> = {
  BANNED: 'number_banned',
  RATE_LIMITED: 'sending_blocked',
  DISCONNECTED: 'sending_blocked',
  DELETED: 'sending_blocked',
  MIGRATED: 'sending_blocked',
}

/** The operator's word for a number that may not begin conversations, and may answer. */
export const MAY_ONLY_ANSWER = 'RESTRICTED'

/** Our state for the operator's word, such as CONNECTED or BANNED. */
export const stateOfStatus = (status: string | null): NumberState => STATES[status ?? ''] ?? 'active'

/** Sets states; the last of several for one number counts. Returns those that changed. */
export async function setNumberStates(
  run: Tx['sql'] | Query,
  changes: NumberStateChange[],
): Promise<NumberKey[]> {
  if (changes.length === 0) return []
  const last = [...new Map(changes.map((one) => [one.phoneNumberId, one])).values()]
  const changed = await updateNumberStates(run, last)
  const broken = last.filter(({ state }) => state !== 'active')
  if (broken.length > 0)
    await setNumberChecks(
      run,
      broken.map((one) => ({ ...one, at: later(one.at, RECHECK_MS) })),
      { sooner: true },
    )
  return changed
}

/** Takes over what the operator says of numbers: quality (green, yellow, red), messages a second, daily limit. */
export async function noteNumberFacts(run: Tx['sql'] | Query, facts: NumberFacts[]): Promise<void> {
  if (facts.length > 0) await updateNumberFacts(run, facts)
}
