/** Search across all kinds of data (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { hasScope, type Scope } from '../../../core/scopes.ts'
import { searchBroadcasts } from '../../messaging/broadcasts/operations/read-broadcasts.ts'
import { listContacts, searchContacts } from '../../messaging/contacts/operations/list-contacts.ts'
import { nameOf } from '../../messaging/contacts/schema.ts'
import { searchMessages } from '../../messaging/messages/reading/operations/search-messages.ts'
import { listTemplates } from '../../messaging/templates/operations/read-templates.ts'
import { listLeads } from '../../selling/crm/operations/list-leads.ts'
import { searchTasks } from '../../selling/crm/operations/list-tasks.ts'
import { searchDirectMessages } from '../../selling/social/chats/operations/search-messages.ts'
import type { Found } from './schema.ts'

type Result = z.input<typeof Found>

/** The maximum of results of each kind. */
const MAX_OF_KIND = 8

const contacts = async (ctx: Context, q: string): Promise<Result[]> =>
  (await searchContacts(ctx, q, { max: MAX_OF_KIND })).map((contact) => ({
    kind: 'contact',
    id: contact.id,
    title: nameOf(contact) ?? contact.phone,
    snippet: contact.phone,
    parentId: null,
    at: contact.createdAt.toISOString(),
  }))

type FoundText = { id: string; conversationId: string; contactId: string; snippet: string; createdAt: Date }

/** Returns messages of one network with the names of their customers. */
async function textResults(
  ctx: Context,
  found: FoundText[],
  { kind, channel }: { kind: 'message' | 'direct_message'; channel: 'chat' | 'social' },
): Promise<Result[]> {
  const ids = [...new Set(found.map(({ contactId }) => contactId))]
  const { rows } =
    ids.length === 0 ? { rows: [] } : await listContacts(ctx, { ids, limit: MAX_OF_KIND, channel })
  const names = new Map(rows.map((contact) => [contact.id, nameOf(contact) ?? contact.phone]))
  return found.map((message) => ({
    kind,
    id: message.id,
    title: names.get(message.contactId) ?? '',
    snippet: message.snippet,
    parentId: message.conversationId,
    at: message.createdAt.toISOString(),
  }))
}

const messages = async (ctx: Context, q: string): Promise<Result[]> =>
  textResults(ctx, await searchMessages(ctx, q, MAX_OF_KIND), { kind: 'message', channel: 'chat' })

const directMessages = async (ctx: Context, q: string): Promise<Result[]> =>
  textResults(ctx, await searchDirectMessages(ctx, q, MAX_OF_KIND), {
    kind: 'direct_message',
    channel: 'social',
  })

async function leads(ctx: Context, q: string): Promise<Result[]> {
  const found = await listLeads(ctx, { q, page: 1, pageSize: MAX_OF_KIND }, async () => undefined)
  return found.leads.map((lead) => ({
    kind: 'lead',
    id: lead.id,
    title: lead.name ?? lead.phone,
    snippet: lead.stage.name,
    parentId: null,
    at: lead.createdAt,
  }))
}

const tasks = async (ctx: Context, q: string): Promise<Result[]> =>
  (await searchTasks(ctx, q, MAX_OF_KIND)).map(({ task, lead }) => ({
    kind: 'task',
    id: task.id,
    title: task.title,
    snippet: lead.name ?? lead.phone,
    parentId: lead.id,
    at: task.createdAt.toISOString(),
  }))

const templates = async (ctx: Context, q: string): Promise<Result[]> =>
  (await listTemplates(ctx, { search: q, limit: MAX_OF_KIND })).rows.map((template) => ({
    kind: 'template',
    id: template.id,
    title: template.name,
    snippet: template.language,
    parentId: null,
    at: template.createdAt.toISOString(),
  }))

const broadcasts = async (ctx: Context, q: string): Promise<Result[]> =>
  (await searchBroadcasts(ctx, q, MAX_OF_KIND)).map((campaign) => ({
    kind: 'broadcast',
    id: campaign.id,
    title: campaign.name,
    snippet: campaign.status,
    parentId: null,
    at: campaign.createdAt.toISOString(),
  }))

/** Each kind with its required scope, in the order of the answer. */
const SEARCHES: [Scope, (ctx: Context, q: string) => Promise<Result[]>][] = [
  ['contacts:read', contacts],
  ['messages:read', messages],
  ['social:read', directMessages],
  ['crm:read', leads],
  ['crm:read', tasks],
  ['templates:read', templates],
  ['broadcasts:read', broadcasts],
]

/** Returns the newest results of each kind that the caller may read, of any age. */
export async function search(ctx: Context, q: string): Promise<Result[]> {
  const found: Result[] = []
  // One after the other, because they share the connection of the transaction, and a refused walk ends them
  // all.
  for (const [scope, of] of SEARCHES) if (hasScope(ctx, scope)) found.push(...(await of(ctx, q)))
  return found
}
