import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { findContact } from '../../contacts/operations/find-contact.ts'
import { findConversationsOfContacts } from '../../conversations/operations/of-contacts.ts'
import { findKeptLeadId, findLeadRow, findLeadRowForUpdate, type LeadRow } from '../queries/leads.ts'
import { type LeadWords, presentLead } from './present-lead.ts'
import { knowsStage } from './read-pipeline.ts'
import { readWords } from './read-words.ts'

const noLead = (): never => refuse('not_found', 'Lead not found. See GET /leads.')

/** The lead with this id, or the one that it became part of. */
async function findLeadById(ctx: Context, id: string): Promise<LeadRow | undefined> {
  const lead = await findLeadRow(ctx, 'id', id)
  const keptId = lead ? undefined : await findKeptLeadId(ctx, id)
  return keptId === undefined ? lead : findLeadRow(ctx, 'id', keptId)
}

/**
 * The lead that `ref` names: our id, or its phone number in any spelling, now or before the customer changed it (spec 4.5).
 * Foreign and missing are the same 404.
 */
export async function getLead(ctx: Context, ref: string): Promise<LeadRow> {
  if (isUuid(ref)) return (await findLeadById(ctx, ref.toLowerCase())) ?? noLead()
  // A lead is a contact too; their number names both.
  const contact = await findContact(ctx, ref)
  return (contact && (await findLeadRow(ctx, 'contactId', contact.id))) ?? noLead()
}

/** The lead of a contact, if they are one. */
export const findLeadOfContact = (ctx: Context, contactId: string): Promise<LeadRow | undefined> =>
  findLeadRow(ctx, 'contactId', contactId)

/** The same, locked until the transaction ends. */
export async function getLeadForUpdate(ctx: Context, ref: string): Promise<LeadRow> {
  const { id } = await getLead(ctx, ref)
  const lead = await findLeadRowForUpdate(ctx, id)
  if (lead) return lead
  // It became part of another while we waited for it.
  const keptId = await findKeptLeadId(ctx, id)
  return (keptId && (await findLeadRowForUpdate(ctx, keptId))) || noLead()
}

/** What leads of this workspace refer to. A lead that is read first stands in a stage that is known then. */
export async function readLeadWords(ctx: Context): Promise<LeadWords> {
  return (await readWords(ctx, [ctx.workspace], ctx.now)).get(ctx.workspace.id)!
}

/** Leads as replies carry them, with the conversations of their contacts. `words` may have been read before the leads. */
export async function showLeads(ctx: Context, leads: LeadRow[], words?: LeadWords) {
  const [known, conversations] = await Promise.all([
    words && leads.every((lead) => knowsStage(words.pipeline, lead.stageId)) ? words : readLeadWords(ctx),
    findConversationsOfContacts(ctx, leads),
  ])
  return leads.map((lead) => presentLead(lead, known, conversations.get(lead.contactId) ?? null))
}

/** One lead as replies carry it. */
export async function showLead(ctx: Context, lead: LeadRow, words?: LeadWords) {
  return (await showLeads(ctx, [lead], words))[0]!
}
