/** What failed receipts say beside the failure (docs/formats.md section 4). */
import type { OperatorError } from '../../../../operator/port.ts'
import { troubleOf } from '../../../../operator/refusals.ts'
import type { ConsentWord } from '../../../contacts/operations/consent.ts'
import type { NumberNewsItem } from '../../../workspaces/operations/changed-numbers.ts'
import type { AppliedReceipt } from './apply-receipts.ts'

/** The customer stopped marketing messages. */
const STOPPED = 131050

const errorOf = ({ row }: AppliedReceipt): OperatorError | null => row.error

/** The stops that failures report. */
export const stopsOf = (failures: AppliedReceipt[]): ConsentWord[] =>
  failures
    .filter((failure) => errorOf(failure)?.code === STOPPED)
    .map(({ ctx, row, receipt }) => ({
      ctx,
      contactId: row.contactId,
      word: 'opted_out',
      source: 'user_preferences',
      at: receipt.at,
    }))

/** The numbers that failures say are banned, blocked or disconnected. */
export const numberTroubles = (failures: AppliedReceipt[]): NumberNewsItem[] =>
  failures.flatMap((failure) => {
    const error = errorOf(failure)
    const state = error && troubleOf(error)
    if (!state) return []
    const news = { state, stateReason: error.message, stateCode: error.code }
    const { ctx, row, receipt } = failure
    return [
      {
        ctx,
        phoneNumberId: row.phoneNumberId,
        report: { number: null, accountId: '', news, at: receipt.at },
      },
    ]
  })
