import type { Context } from '../../../core/context.ts'
import { notifyMembers } from '../../notifications/operations.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'

/** Notifies the creator of a campaign that it is over, or why it paused automatically. */
export const notifyMaker = (
  ctx: Context,
  { id, name, createdBy }: Pick<BroadcastRow, 'id' | 'name' | 'createdBy'>,
  became: 'completed' | 'paused',
  why: string | null | undefined,
): Promise<void> =>
  notifyMembers(ctx, [
    { kind: `campaign_${became}`, memberId: createdBy, title: name, body: why ?? null, subjectId: id },
  ])
