/** Carries out a bot's changes of the contact and of the chat. */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { updateContact } from '../../../messaging/contacts/operations/change-contact.ts'
import { type FoundContact, getContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { type ContactPatch, nameOf, TAGS_MAX } from '../../../messaging/contacts/schema.ts'
import { handToTeam } from '../../../messaging/conversations/operations/automatic-messages.ts'
import { updateConversation } from '../../../messaging/conversations/operations/change-conversation.ts'
import { addNote } from '../../../messaging/conversations/operations/notes.ts'
import type { ConversationPatch } from '../../../messaging/conversations/schema.ts'
import { captureLeads } from '../../../selling/crm/operations/capture-leads.ts'
import type { Effect, Handover, Played } from '../script/play-script.ts'

type Doing = { ctx: Context; contact: FoundContact; conversationId: string; played: Played }

const NAME_MAX = 200

/**
 * Carries out effects in order. A refused effect becomes a note in the chat, so that the customer's message
 * is not lost.
 */
export async function applyEffects({ ctx, contact, conversationId, played }: Doing): Promise<void> {
  const { effects, handover } = played
  if (effects.length === 0 && handover === null) return
  const notes = effects.flatMap((effect) => (effect.type === 'add_note' ? [effect.note] : []))
  const contactPatch = contactPatchOf(contact, effects)
  if (Object.keys(contactPatch).length > 0)
    notes.push(...(await unlessRefused(() => updateContact(ctx, contact.id, contactPatch))))
  for (const effect of effects)
    if (effect.type === 'create_lead') notes.push(...(await makeLead(ctx, contact, effect)))
  const patch = chatPatchOf(effects, handover)
  if (Object.keys(patch).length > 0) notes.push(...(await changeChat(ctx, conversationId, patch)))
  if (handover) await handToTeam(ctx, [conversationId])
  if (handover?.note) notes.push(handover.note)
  // A note of placeholders only can be empty.
  for (const body of notes) if (body.trim() !== '') await addNote(ctx, conversationId, { body })
}

/** Runs a change that checks before it writes. Returns the reason if it was refused. */
async function unlessRefused(work: () => Promise<unknown>): Promise<string[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (error instanceof Refusal) return [refusedBecause(error)]
    throw error
  }
}

/** Creates a lead of the customer, or records another enquiry of a known lead. */
async function makeLead(
  ctx: Context,
  { id, phone }: FoundContact,
  { stage, source, note }: Extract<Effect, { type: 'create_lead' }>,
): Promise<string[]> {
  // The same step may have set the name.
  const name = nameOf(await getContact(ctx, id)) ?? undefined
  const body = { phone, name, stage, source, note: note?.trim() || undefined }
  const [captured] = await captureLeads([{ ctx, body, via: 'whatsapp', form: null }])
  return captured instanceof Refusal ? [refusedBecause(captured)] : []
}

const refusedBecause = ({ message }: Refusal): string => `The bot couldn't finish this step: ${message}`

function contactPatchOf(contact: FoundContact, effects: Effect[]): ContactPatch {
  const patch: ContactPatch = {}
  for (const effect of effects) {
    const tags = patch.tags ?? contact.tags
    if (effect.type === 'add_tags') patch.tags = [...new Set([...tags, ...effect.tags])].slice(0, TAGS_MAX)
    if (effect.type === 'remove_tags') patch.tags = tags.filter((tag) => !effect.tags.includes(tag))
    if (effect.type === 'set_attribute')
      patch.attributes = { ...patch.attributes, [effect.key]: effect.value }
    if (effect.type === 'set_name') patch.displayName = cutText(effect.name, NAME_MAX)
  }
  return patch
}

function chatPatchOf(effects: Effect[], handover: Handover | null): ConversationPatch {
  const patch: ConversationPatch = {}
  for (const effect of effects) {
    if (effect.type === 'assign_conversation') {
      patch.assignedAgentId = effect.memberId
      if (effect.teamId) patch.teamId = effect.teamId
    }
    if (effect.type !== 'set_conversation') continue
    if (effect.state) patch.state = effect.state
    if (effect.priority) patch.priority = effect.priority
  }
  if (!handover) return patch
  return {
    ...patch,
    state: 'open',
    isArchived: false,
    ...(handover.assign === null ? {} : { assignedAgentId: handover.assign }),
    ...(handover.teamId ? { teamId: handover.teamId } : {}),
  }
}

/** Changes a chat. If the assignment fails because the member left or the team was deleted, makes the other changes. */
async function changeChat(ctx: Context, id: string, patch: ConversationPatch): Promise<string[]> {
  const refused = await unlessRefused(() => updateConversation(ctx, id, patch))
  if (refused.length === 0 || (patch.assignedAgentId === undefined && patch.teamId === undefined))
    return refused
  const { assignedAgentId: _member, teamId: _team, ...rest } = patch
  const retried =
    Object.keys(rest).length === 0 ? [] : await unlessRefused(() => updateConversation(ctx, id, rest))
  return [...refused, ...retried]
}
