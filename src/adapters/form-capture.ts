import { batched, HOT_BATCH } from '../core/batch.ts'
import type { Clock } from '../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import { isConnectionFault } from '../database/faults.ts'
import {
  captureForms,
  type FormItem,
  type FormOutcome,
} from '../modules/selling/crm/operations/capture-forms.ts'
import { recordsOf } from '../modules/selling/crm/operations/capture-records.ts'
import type { Sent } from '../modules/selling/crm/operations/capture-store.ts'

type Waiting = Omit<FormItem, 'ctx'> & { workspace: Workspace }

/** Handles submissions at the capture link: concurrent ones share one transaction. */
export function formCapture(database: Database, clock: Clock) {
  const take = batched(
    (items: Waiting[]) =>
      database.tenant(
        items.map((item) => item.workspace),
        (unit) =>
          captureForms(
            items.map(({ workspace, ...item }) => ({
              ctx: platformContext(unit, workspace, clock),
              ...item,
            })),
          ),
      ),
    { ...HOT_BATCH, mayRunAgain: (error) => !isConnectionFault(error) },
  )
  return async (
    workspace: Workspace,
    { sent, content, robot }: { sent: Sent; content: unknown; robot: boolean },
  ): Promise<FormOutcome | Refusal> => {
    if (content instanceof Refusal) return take({ workspace, sent, fields: content })
    const records = recordsOf(content, workspace.countryCode)
    if (records.length === 1) return take({ workspace, sent, fields: records[0]!, robot })
    // Each of several captures is stored separately, so that a member can map those that need it.
    const outcomes = await Promise.all(
      records.map((fields) =>
        take({
          workspace,
          sent: { ...sent, body: Buffer.from(JSON.stringify(fields)), contentType: 'application/json' },
          fields,
          robot,
        }),
      ),
    )
    return outcomes.find((outcome) => !(outcome instanceof Refusal)) ?? outcomes[0]!
  }
}
