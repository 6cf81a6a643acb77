/** Further facts in failed receipts: template states, number states (docs/formats.md section 4). */
import type { Unit } from '../../../../../core/context.ts'
import type { NumberState, OperatorError } from '../../../../../operator/port.ts'
import { numberStateOf } from '../../../../../operator/refusals.ts'
import type { NumberNewsItem } from '../../../../platform/workspaces/operations/changed-numbers.ts'
import { recordUnsendable, type Unsendable } from '../../../templates/operations/record-unsendable.ts'
import { listTemplatesOfMessages } from '../queries/receipts.ts'
import type { AppliedReceipt } from './judge-receipts.ts'

const errorOf = ({ row }: AppliedReceipt): OperatorError | null => row.error

/** The template state that each error code reports. */
const TEMPLATE_STATES: Record<number, Unsendable['status']> = { 132015: 'paused', 132016: 'disabled' }

/** Records templates that failures report as paused or disabled; the next send checks this. */
export async function recordTemplateFaults(unit: Unit, failures: AppliedReceipt[]): Promise<void> {
  const troubles = failures.flatMap((failure) => {
    const status = TEMPLATE_STATES[errorOf(failure)?.code ?? 0]
    return status ? [{ ...failure, status }] : []
  })
  if (troubles.length === 0) return
  const named = await listTemplatesOfMessages(
    unit,
    troubles.map(({ row }) => row),
  )
  const byMessage = new Map(named.map(({ id, ...template }) => [id, template]))
  await recordUnsendable(
    unit,
    troubles.flatMap(({ ctx, row, receipt, status }) => {
      const template = byMessage.get(row.id)
      return template ? [{ ctx, ...template, status, at: receipt.at }] : []
    }),
  )
}

/** Returns the number state that a failure reports; a missing permission may concern only the message. */
const stateFromError = (error: OperatorError): NumberState | undefined =>
  error.category === 'auth' && error.permanent ? undefined : numberStateOf(error)

/** Returns the numbers that failures report as banned, blocked or disconnected. */
export const numberTroubles = (failures: AppliedReceipt[]): NumberNewsItem[] =>
  failures.flatMap((failure) => {
    const error = errorOf(failure)
    const state = error && stateFromError(error)
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
