import type { Context } from '../../../../core/context.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'

/** Notifies the creator of a campaign that it is over, why it paused automatically, or that it waits for a choice. */
export const notifyMaker = (
  ctx: Context,
  { id, name, createdBy }: Pick<BroadcastRow, 'id' | 'name' | 'createdBy'>,
  change: 'completed' | 'paused' | 'to_decide',
  reason?: string | null,
): Promise<void> =>
  notifyMembers(ctx, [
    { kind: `campaign_${change}`, memberId: createdBy, title: name, body: reason ?? null, subjectId: id },
  ])
