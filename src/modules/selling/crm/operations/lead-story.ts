import type { Context } from '../../../../core/context.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { messagesOfContact } from '../../../messaging/messages/reading/operations/messages-of-contact.ts'
import type { LeadRow } from '../queries/leads.ts'
import { listTimelineRows } from '../queries/timeline.ts'
import { getLead } from './find-lead.ts'

/**
 * Returns one page of a lead's timeline, newest first: captures, stage moves, owners, notes, tasks, and
 * messages, with actor and `via` (spec 2.3). Ids of both kinds are UUIDv7, so they sort by time.
 */
export async function readLeadStory(ctx: Context, ref: string, page: CursorQuery) {
  const lead = await getLead(ctx, ref)
  const [entries, messages] = await Promise.all([
    listTimelineRows(ctx, lead.id, { ...page, limit: page.limit + 1 }),
    listMessageEntries(ctx, lead, page),
  ])
  const changes = entries.map(({ id, kind, actor, via, data, createdAt }) => ({
    id,
    kind,
    actor,
    via,
    data,
    createdAt: createdAt.toISOString(),
  }))
  const story = [...changes, ...messages].sort((a, b) => (a.id < b.id ? 1 : -1))
  const { rows, nextCursor } = cutPage(story, page.limit, (entry) => entry.id)
  return { entries: rows, nextCursor }
}

async function listMessageEntries(ctx: Context, lead: LeadRow, page: CursorQuery) {
  // Other callers see only that there are messages.
  const showsContent = hasScope(ctx, 'messages:read')
  return (await messagesOfContact(ctx, lead.contactId, page)).map((message) => ({
    id: message.id,
    kind: message.direction === 'inbound' ? 'message_received' : 'message_sent',
    actor:
      message.direction === 'inbound'
        ? { kind: 'customer' as const, id: lead.contactId, name: lead.name ?? lead.phone }
        : null,
    via: 'chat',
    data: {
      messageId: message.id,
      type: message.type,
      ...(showsContent ? { content: message.content, status: message.status } : {}),
    },
    createdAt: message.createdAt.toISOString(),
  }))
}
