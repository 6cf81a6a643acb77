/** SQL for free entry points (docs/formats.md section 12). */
import { DAY_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'

const FREE_MS = 3 * DAY_MS

/** Our answer in a conversation, and when it was sent. */
export type Answer = { workspaceId: string; conversationId: string; sentAt: Date }

/**
 * Makes messages free for 72 hours from our answer, if it was sent within 24 hours after the customer came
 * through an advertisement. The first such answer counts, in any order of reports.
 */
export const startFreeEntries = (tx: Tx, answers: Answer[]): Promise<unknown> =>
  tx.sql(
    `with first as (
       select c.workspace_id, c.id, min(a.sent_at) as sent_at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as a (workspace_id, conversation_id, sent_at)
       join conversations c on c.workspace_id = a.workspace_id and c.id = a.conversation_id
       where a.sent_at >= c.referred_at and a.sent_at <= after_ms(c.referred_at, ${DAY_MS})
       group by c.workspace_id, c.id
     )
     update conversations c set free_entry_expires_at = after_ms(first.sent_at, ${FREE_MS}) from first
     where c.workspace_id = first.workspace_id and c.id = first.id
       and (c.free_entry_expires_at is null
         or c.free_entry_expires_at < after_ms(c.referred_at, ${FREE_MS})
         or c.free_entry_expires_at > after_ms(first.sent_at, ${FREE_MS}))`,
    [
      answers.map((answer) => answer.workspaceId),
      answers.map((answer) => answer.conversationId),
      answers.map((answer) => answer.sentAt),
    ],
  )
