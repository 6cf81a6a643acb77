/** Wraps the operator for requests and jobs: a broken or working connection changes the number's state. */
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { noteConnection } from '../modules/platform/workspaces/operations/note-connection.ts'
import type { Answered, Operator, OperatorNumber } from '../operator/port.ts'
import { numberStateOf } from '../operator/refusals.ts'
import type { OpenedNumber } from './operator-number.ts'

/** A number found through `operatorNumber`, which contains its sealed token. */
const isOpened = (number: OperatorNumber): number is OpenedNumber => 'tokenSealed' in number

/** Returns whether an answer changes the connection's state: it fails, or a broken one works again. */
const reports = (answered: Answered<unknown>, { state }: OpenedNumber): boolean =>
  answered.kind === 'refused'
    ? numberStateOf(answered.error) !== undefined
    : answered.kind === 'done' && state === 'disconnected'

/**
 * Wraps every call except those that react themselves: sends, the regular check of a number, and downloads,
 * whose refusal may only mean an expired address.
 */
export function watchedOperator(
  operator: Operator,
  { database, clock, onError }: { database: Database; clock: Clock; onError(error: unknown): void },
): Operator {
  const watched =
    <Rest extends unknown[], Value>(
      call: (number: OperatorNumber, ...rest: Rest) => Promise<Answered<Value>>,
    ) =>
    async (number: OperatorNumber, ...rest: Rest): Promise<Answered<Value>> => {
      const answered = await call(number, ...rest)
      if (isOpened(number) && reports(answered, number))
        // A failure to record this must not change the caller's answer.
        await database
          .tenantIds([number.workspaceId], (unit) =>
            noteConnection(
              unit,
              { ...number, phoneNumberId: number.id },
              answered.kind === 'refused' ? answered.error : undefined,
              clock.now(),
            ),
          )
          .catch(onError)
      return answered
    }
  return {
    ...operator,
    markRead: watched(operator.markRead),
    block: watched(operator.block),
    unblock: watched(operator.unblock),
    listFlows: watched(operator.listFlows),
    uploadMedia: watched(operator.uploadMedia),
    findMedia: watched(operator.findMedia),
    deleteMedia: watched(operator.deleteMedia),
    createTemplate: watched(operator.createTemplate),
    listTemplates: watched(operator.listTemplates),
    deleteTemplate: watched(operator.deleteTemplate),
    uploadTemplateSample: watched(operator.uploadTemplateSample),
    findPayments: watched(operator.findPayments),
    listPaymentConfigurations: watched(operator.listPaymentConfigurations),
  }
}
