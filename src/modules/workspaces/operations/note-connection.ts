import { type Unit, wake } from '../../../core/context.ts'
import type { OperatorError } from '../../../operator/port.ts'
import { type NumberKey, setAccountChecks } from '../queries/numbers.ts'
import { NUMBER_CHECKS } from '../work/number-checks-source.ts'
import { setNumberStates } from './number-state.ts'

/** Codes that say: the token itself is not taken any more. */
const TOKEN_REFUSED = [0, 190]

/** The number that a call spoke for, with the token that it carried. */
export type SpeakingNumber = NumberKey & { accountId: string; tokenSealed: Buffer }

/**
 * Draws the consequence of a call, other than a send, that the operator refused for its connection or its account
 * (`troubleOf`). A token that it does not take disconnects the number, as a refused send does. A permission that
 * the call lacks, or an account in trouble, may not concern sends: there the operator is asked at once how the number is.
 * So it is where a number that was disconnected is answered (no `error`), and about the account's other numbers, which
 * mostly have the same token. `at` is real time.
 */
export async function noteConnection(
  unit: Unit,
  { workspaceId, phoneNumberId, accountId, tokenSealed }: SpeakingNumber,
  error: OperatorError | undefined,
  at: Date,
): Promise<void> {
  const refused = error !== undefined && TOKEN_REFUSED.includes(error.code)
  if (refused) {
    const { code, message } = error
    await setNumberStates(unit.tx.sql, [
      { workspaceId, phoneNumberId, state: 'disconnected', reason: message, code, at, tokenSealed },
    ])
  }
  await setAccountChecks(unit.tx.sql, { workspaceId, accountId, at, except: refused ? phoneNumberId : null })
  wake(unit, NUMBER_CHECKS)
}
