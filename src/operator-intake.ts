import type { Clock } from './core/clock.ts'
import type { Database } from './core/context.ts'
import { newId } from './core/ids.ts'
import type { Sealer } from './core/sealing.ts'
import type { CallbackOptions } from './http/operator-callback.ts'
import { takeInUpdates } from './modules/messages/operations/intake.ts'
import type { Directory } from './modules/workspaces/directory.ts'
import { webhookChanges } from './operator/cloud/changes.ts'
import { verifyWebhookSignature } from './operator/webhook-signature.ts'

/** What the operator's callback needs: its signature, its words, and the intake that stores them. */
export const operatorIntake = (parts: {
  database: Database
  directory: Directory
  sealer: Sealer
  clock: Clock
}): CallbackOptions => ({
  directory: parts.directory,
  sealer: parts.sealer,
  verify: verifyWebhookSignature,
  changesOf: webhookChanges,
  takeIn: (workspaceId, changes) =>
    parts.database.tenantIds([workspaceId], (unit) => {
      const now = parts.clock.now()
      return takeInUpdates(
        unit,
        changes.map(({ phoneNumberId, field, value, accountId, at }) => ({
          workspaceId,
          id: newId(),
          phoneNumberId,
          body: { field, value, accountId, ...(at === null ? {} : { at: at.toISOString() }) },
          reference: null,
          runAt: now,
          receivedAt: now,
        })),
      )
    }),
})
