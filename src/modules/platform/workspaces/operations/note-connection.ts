import { type Unit, wake } from '../../../../core/context.ts'
import type { OperatorError } from '../../../../operator/port.ts'
import { type NumberKey, setAccountChecks } from '../queries/numbers.ts'
import { NUMBER_CHECKS } from '../work/number-checks-source.ts'
import { setNumberStates } from './number-state.ts'

/** Codes for a token that is no longer accepted. */
const TOKEN_REFUSED = [0, 190]

/** The number of a call, with the token that was used. */
export type SpeakingNumber = NumberKey & { accountId: string; tokenSealed: Buffer }

/**
 * Records the answer to a call other than a send. A refused token disconnects the number. Other errors
 * (`numberStateOf`), and answers for a disconnected number, may not apply to sends, so the operator is asked
 * about it and the account's other numbers, which mostly share the token. `at`: real time.
 */
export async function noteConnection(
  unit: Unit,
  { workspaceId, phoneNumberId, accountId, tokenSealed }: SpeakingNumber,
  error: OperatorError | undefined,
  at: Date,
): Promise<void> {
  const isTokenRefused = error !== undefined && TOKEN_REFUSED.includes(error.code)
  if (isTokenRefused) {
    const { code, message } = error
    await setNumberStates(unit.tx.sql, [
      { workspaceId, phoneNumberId, state: 'disconnected', reason: message, code, at, tokenSealed },
    ])
  }
  await setAccountChecks(unit.tx.sql, {
    workspaceId,
    accountId,
    at,
    except: isTokenRefused ? phoneNumberId : null,
  })
  wake(unit, NUMBER_CHECKS)
}
