import type { Context } from '../../../core/context.ts'
import { lockHeld } from '../../messages/sending/operations/held-messages.ts'
import { findRequestRow, findRequestRowForUpdate, type RequestRow } from '../queries/requests.ts'

/** Locks the request after its message, in the lock order of all operations. */
export async function lockRequest(ctx: Context, id: string): Promise<RequestRow | undefined> {
  const known = await findRequestRow(ctx, id)
  if (!known) return undefined
  await lockHeld(ctx, known.messageId)
  return findRequestRowForUpdate(ctx, id)
}
