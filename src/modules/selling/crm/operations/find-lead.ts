import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { findContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { findConversationsOfContacts } from '../../../messaging/conversations/operations/find-contact-conversations.ts'
import { findKeptLeadId, findLeadRow, findLeadRowForUpdate, type LeadRow } from '../queries/leads.ts'
import { knowsStage } from './pipeline.ts'
import { type LeadWords, presentLead } from './present-lead.ts'
import { readWords } from './read-words.ts'

const noLead = (): never => refuse('not_found', 'Lead not found. See GET /leads.')

/** Returns the lead with this id, or the lead that it was merged into. */
async function findLeadById(ctx: Context, id: string): Promise<LeadRow | undefined> {
  const lead = await findLeadRow(ctx, 'id', id)
  const keptId = lead ? undefined : await findKeptLeadId(ctx, id)
  return keptId === undefined ? lead : findLeadRow(ctx, 'id', keptId)
}

/**
 * Returns the lead that `ref` names: our id, or its current or former phone number in any spelling (spec
 * 4.5). A lead of another workspace returns the same 404 as a missing lead.
 */
export async function getLead(ctx: Context, ref: string): Promise<LeadRow> {
  if (isUuid(ref)) return (await findLeadById(ctx, ref.toLowerCase())) ?? noLead()
  // A lead is a contact too, so the number identifies both.
  const contact = await findContact(ctx, ref)
  return (contact && (await findLeadRow(ctx, 'contactId', contact.id))) ?? noLead()
}

/** Returns the lead of a contact, if it has one. */
export const findLeadOfContact = (ctx: Context, contactId: string): Promise<LeadRow | undefined> =>
  findLeadRow(ctx, 'contactId', contactId)

/** Returns the same lead, locked until the transaction ends. */
export async function getLeadForUpdate(ctx: Context, ref: string): Promise<LeadRow> {
  const { id } = await getLead(ctx, ref)
  const lead = await findLeadRowForUpdate(ctx, id)
  if (lead) return lead
  // The lead was merged into another while we waited.
  const keptId = await findKeptLeadId(ctx, id)
  return (keptId && (await findLeadRowForUpdate(ctx, keptId))) || noLead()
}

/**
 * Returns the data that leads of this workspace refer to. Read the leads first: then their stages are in the
 * result.
 */
export async function readLeadWords(ctx: Context): Promise<LeadWords> {
  return (await readWords(ctx, [ctx.workspace], ctx.now)).get(ctx.workspace.id)!
}

/**
 * Returns leads in the form for responses, with the conversations of their contacts. `words` may have been
 * read before the leads.
 */
export async function showLeads(ctx: Context, leads: LeadRow[], words?: LeadWords) {
  const [currentWords, conversations] = await Promise.all([
    words && leads.every((lead) => knowsStage(words.pipeline, lead.stageId)) ? words : readLeadWords(ctx),
    findConversationsOfContacts(ctx, leads),
  ])
  return leads.map((lead) => presentLead(lead, currentWords, conversations.get(lead.contactId) ?? null))
}

/** Returns one lead in the form for responses. */
export async function showLead(ctx: Context, lead: LeadRow, words?: LeadWords) {
  return (await showLeads(ctx, [lead], words))[0]!
}
