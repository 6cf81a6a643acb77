/**
 * Decides the result for each person whom a campaign reaches: a message, a skip with its reason, or waiting.
 */

import type { Context } from '../../../../core/context.ts'
import { count } from '../../../../core/count.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { lockMessageRoom, queueCampaignMessages } from '../../messages/sending/operations/queue-campaign.ts'
import {
  type FilledContent,
  fillPersonal,
  type PersonalContent,
} from '../../templates/operations/personal-values.ts'
import { coolOffSince } from '../audience.ts'
import { type BroadcastRow, lockNewRecipientRoom, raiseNewRecipientDay } from '../queries/broadcasts.ts'
import { holdNewRecipients, listCooling } from '../queries/cool-offs.ts'
import { listPersonalContacts } from '../queries/personal-contacts.ts'
import type { NewRecipient } from '../queries/recipients.ts'
import { fillVariants, type Sample } from './sample.ts'

/** A person whom a step reaches. */
export type Candidate = { contactId: string; skip: string | null; isNew: boolean }

/** The real time; and the sample that these people belong to, while the campaign sends one. */
type Turn = { realNow: Date; sample?: Sample | undefined }

/**
 * Queues messages, and returns the result for each person: queued, skipped, or waiting for a day with room
 * for new recipients. If the month's allowance is too small, only the first people are processed (`people`).
 * Returns undefined if it is used up.
 */
export async function decide<One extends Candidate>(
  ctx: Context,
  row: BroadcastRow,
  people: One[],
  turn: Turn,
): Promise<{ people: One[]; decided: NewRecipient[] } | undefined> {
  const decision = await decideAll(ctx, row, people, turn)
  if (typeof decision !== 'number') return { people, decided: decision }
  if (decision === 0) return undefined
  const first = people.slice(0, decision)
  return { people: first, decided: (await decideAll(ctx, row, first, turn)) as NewRecipient[] }
}

/** Decides for all people, or returns the rest of the allowance if it is too small for them. */
async function decideAll(
  ctx: Context,
  row: BroadcastRow,
  people: Candidate[],
  { realNow, sample }: Turn,
): Promise<NewRecipient[] | number> {
  const cooling = await findCooling(ctx, people)
  const allowed = people.filter((person) => person.skip === null && !cooling.has(person.contactId))
  const personal = sample
    ? await fillVariants(
        ctx,
        sample,
        allowed.map((person) => person.contactId),
      )
    : row.personal && (await fillForContacts(ctx, row.personal, allowed))
  const open = personal ? allowed.filter((person) => personal.has(person.contactId)) : allowed
  const day = dayOf(ctx.now, ctx.workspace.timezone)
  const newRecipients = open.filter((person) => person.isNew).map((person) => person.contactId)
  const room = newRecipients.length > 0 ? await lockNewRecipientRoom(ctx, row.phoneNumberId, day) : 0
  const first = new Set(newRecipients.slice(0, room))
  const toSend = open
    .filter((person) => !person.isNew || first.has(person.contactId))
    .map((person) => person.contactId)
  const messages = toSend.length > 0 ? await lockMessageRoom(ctx) : 0
  if (messages < toSend.length) return messages
  const { queued, capped } = await queueCampaignMessages(
    ctx,
    {
      workspaceId: ctx.workspace.id,
      broadcastId: row.id,
      name: row.name,
      phoneNumberId: row.phoneNumberId,
      content: row.content,
      templateText: row.templateText,
      at: ctx.now,
      runAt: realNow,
      personal,
    },
    { contactIds: toSend, marketing: row.category === 'MARKETING' },
  )
  const newCount = first.size === 0 ? 0 : queued.contactIds.filter((id) => first.has(id)).length
  if (newCount > 0) await raiseNewRecipientDay(ctx, row.phoneNumberId, day, newCount)
  const undecided = { reason: null, messageId: null, newAt: null }
  const skipped = (contactId: string, reason: string): NewRecipient => ({
    ...undecided,
    contactId,
    state: 'skipped',
    reason,
  })
  return [
    ...queued.contactIds.map(
      (contactId, i): NewRecipient => ({
        contactId,
        state: 'queued',
        reason: null,
        messageId: queued.messageIds[i]!,
        newAt: newCount > 0 && first.has(contactId) ? ctx.now : null,
      }),
    ),
    ...newRecipients
      .slice(room)
      .map((contactId): NewRecipient => ({ ...undecided, contactId, state: 'waiting' })),
    ...people.flatMap(({ contactId, skip }) => (skip === null ? [] : [skipped(contactId, skip)])),
    ...[...cooling].map((contactId) => skipped(contactId, 'cool_off')),
    ...allowed.flatMap(({ contactId }) =>
      personal?.has(contactId) === false ? [skipped(contactId, 'missing_value')] : [],
    ),
    ...capped.map((contactId) => skipped(contactId, 'marketing_cap')),
  ]
}

/** Returns the content for each of these people; without those who lack a value. */
async function fillForContacts(
  ctx: Context,
  personal: PersonalContent,
  people: Candidate[],
): Promise<Map<string, FilledContent>> {
  const contacts = await listPersonalContacts(
    ctx,
    people.map((person) => person.contactId),
  )
  return new Map(
    contacts.flatMap((contact) => {
      const filled = fillPersonal(personal, contact)
      return filled ? [[contact.id, filled] as const] : []
    }),
  )
}

/**
 * Returns new recipients in a cool-off. The lock keeps two campaigns, from any numbers, from messaging the
 * same person.
 */
async function findCooling(ctx: Context, people: Candidate[]): Promise<Set<string>> {
  const newRecipients = people.flatMap((person) =>
    person.skip === null && person.isNew ? [person.contactId] : [],
  )
  const since = coolOffSince(ctx.workspace, ctx.now)
  if (newRecipients.length === 0 || since === undefined) return new Set()
  await holdNewRecipients(ctx)
  return new Set(await listCooling(ctx, newRecipients, since))
}

export type StateCounts = { waiting: number; queued: number; skipped: number }

/** Returns the counts by state of a statement. */
export const totals = (rows: { state: NewRecipient['state']; count: number }[]): StateCounts => {
  const countOf = (state: NewRecipient['state']) => rows.find((row) => row.state === state)?.count ?? 0
  return { waiting: countOf('waiting'), queued: countOf('queued'), skipped: countOf('skipped') }
}

/** Counts skipped people of the audience like messages that were not sent. */
export function countSkipped(ctx: Context, row: Pick<BroadcastRow, 'phoneNumberId'>, skipped: number): void {
  for (let i = 0; i < skipped; i++)
    count(ctx, 'skipped', { phoneNumberId: row.phoneNumberId, type: 'template' })
}
