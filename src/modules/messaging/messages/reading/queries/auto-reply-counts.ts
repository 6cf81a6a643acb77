import type { Selectable } from 'kysely'
import type { Context } from '../../../../../core/context.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

export type AutoReplyCount = {
  sourceId: NonNullable<Selectable<Tables['messages']>['sourceId']>
  sent: number
  lastSentAt: Selectable<Tables['messages']>['createdAt']
}

/** Returns how many messages each auto-reply sent since a time, by the index of these messages. */
export const countBySource = ({ tx, workspace }: Context, since: Date): Promise<AutoReplyCount[]> =>
  tx.sql(
    `select source_id, count(*)::int4 as sent, max(created_at) as last_sent_at from messages
     where workspace_id = $1 and source_kind = 'auto_reply' and created_at >= $2
     group by source_id`,
    [workspace.id, since],
  )
