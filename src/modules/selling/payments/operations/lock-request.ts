import type { Context } from '../../../../core/context.ts'
import { lockHeld } from '../../../messaging/messages/sending/operations/held-messages.ts'
import { findRequestRow, findRequestRowForUpdate, type RequestRow } from '../queries/requests.ts'

/** Locks the request after its message, in the lock order of all operations. */
export async function lockRequest(ctx: Context, id: string): Promise<RequestRow | undefined> {
  const unlocked = await findRequestRow(ctx, id)
  if (!unlocked) return undefined
  await lockHeld(ctx, unlocked.messageId)
  return findRequestRowForUpdate(ctx, id)
}
