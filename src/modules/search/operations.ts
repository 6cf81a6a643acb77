/** Looking for something whatever it is (docs/decisions/search.md). */
import type { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { hasScope, type Scope } from '../../core/scopes.ts'
import { searchContacts } from '../contacts/operations/list-contacts.ts'
import { nameOf } from '../contacts/schema.ts'
import { listLeads } from '../crm/operations/list-leads.ts'
import { listTemplates } from '../templates/operations/read-templates.ts'
import type { Found } from './schema.ts'

type Result = z.input<typeof Found>

/** Results of each kind. */
const MAX_OF_KIND = 8

const contacts = async (ctx: Context, q: string): Promise<Result[]> =>
  (await searchContacts(ctx, q, MAX_OF_KIND)).map((contact) => ({
    kind: 'contact',
    id: contact.id,
    title: nameOf(contact) ?? contact.phone,
    snippet: contact.phone,
    at: contact.createdAt.toISOString(),
  }))

async function leads(ctx: Context, q: string): Promise<Result[]> {
  const found = await listLeads(ctx, { q, page: 1, pageSize: MAX_OF_KIND }, async () => undefined)
  return found.leads.map((lead) => ({
    kind: 'lead',
    id: lead.id,
    title: lead.name ?? lead.phone,
    snippet: lead.stage.name,
    at: lead.createdAt,
  }))
}

const templates = async (ctx: Context, q: string): Promise<Result[]> =>
  (await listTemplates(ctx, { search: q, limit: MAX_OF_KIND })).rows.map((template) => ({
    kind: 'template',
    id: template.id,
    title: template.name,
    snippet: template.language,
    at: template.createdAt.toISOString(),
  }))

/** Each kind with the scope that opens it. */
const SEARCHES: [Scope, (ctx: Context, q: string) => Promise<Result[]>][] = [
  ['contacts:read', contacts],
  ['crm:read', leads],
  ['templates:read', templates],
]

/** The newest of each kind that the caller may read and that `q` finds, of any age. */
export async function search(ctx: Context, q: string): Promise<Result[]> {
  const found: Result[] = []
  // One after the other: they share the connection of the transaction, and a refused walk ends them all.
  for (const [scope, of] of SEARCHES) if (hasScope(ctx, scope)) found.push(...(await of(ctx, q)))
  return found
}
