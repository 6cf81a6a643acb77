import { type Context, wake } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import {
  type BroadcastRow,
  findBroadcastRow,
  findBroadcastRowForUpdate,
  updateBroadcastRow,
} from '../queries/broadcasts.ts'
import { BROADCASTS } from './create-broadcast.ts'

/** Returns the campaign, locked. Refuses `not_found`. */
export async function lockBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = isUuid(id) ? await findBroadcastRowForUpdate(ctx, id) : undefined
  return row ?? refuse('not_found', 'Campaign not found. See GET /broadcasts.')
}

/** Changes a locked campaign, and wakes its background work. Returns its new row. */
export async function applyChange(
  ctx: Context,
  { id }: Pick<BroadcastRow, 'id'>,
  patch: Parameters<typeof updateBroadcastRow>[2],
): Promise<BroadcastRow> {
  await updateBroadcastRow(ctx, id, { ...patch, updatedAt: ctx.now })
  touch(ctx, { broadcast: id })
  wake(ctx, BROADCASTS)
  return (await findBroadcastRow(ctx, id))!
}
