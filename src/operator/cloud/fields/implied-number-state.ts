import { isObject } from '../../../core/values/storable.ts'
import type { OperatorError } from '../../port.ts'
import { numberStateOf } from '../../refusals.ts'
import type { NumberReport, NumberState } from '../../report.ts'
import { type Json, shownDigits, type ValueSource } from './webhook-value.ts'

/** Returns the state of a number that an error without a message implies; undefined if it implies none. */
export function impliedNumberState(
  error: OperatorError,
  value: Json,
  source: ValueSource,
): NumberReport | undefined {
  const state: NumberState | undefined = numberStateOf(error)
  const metadata = isObject(value.metadata) ? value.metadata : {}
  return (
    state && {
      kind: 'number',
      number: shownDigits(metadata.display_phone_number) || null,
      accountId: source.accountId,
      news: { state, stateReason: error.message, stateCode: error.code },
      at: source.at,
    }
  )
}
