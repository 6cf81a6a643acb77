import { batched, HOT_BATCH } from '../core/batch.ts'
import type { Clock } from '../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import { isConnectionFault } from '../database/faults.ts'
import { captureForms, type FormOutcome } from '../modules/crm/operations/capture-forms.ts'
import { recordsOf } from '../modules/crm/operations/capture-records.ts'

/** Takes enquiries of the capture link in: those that arrive together share one transaction. */
export function formCapture(database: Database, clock: Clock) {
  const take = batched(
    (items: { workspace: Workspace; values: Record<string, unknown> }[]) =>
      database.tenant(
        items.map((item) => item.workspace),
        (unit) =>
          captureForms(
            items.map(({ workspace, values }) => ({ ctx: platformContext(unit, workspace, clock), values })),
          ),
      ),
    { ...HOT_BATCH, mayRunAgain: (error) => !isConnectionFault(error) },
  )
  return async (workspace: Workspace, content: unknown): Promise<FormOutcome | Refusal> => {
    const records = recordsOf(content, workspace.countryCode)
    const outcomes = await Promise.all(records.map((values) => take({ workspace, values })))
    return outcomes.find((outcome) => !(outcome instanceof Refusal)) ?? outcomes[0]!
  }
}
