/** What becomes of people when a campaign comes to them: a message, a skip with its reason, or a place among those who wait. */
import { dayOf } from '../../../core/calendar.ts'
import type { Context } from '../../../core/context.ts'
import { count } from '../../../core/count.ts'
import { lockMessageRoom, queueCampaignMessages } from '../../messages/sending/operations/queue-campaign.ts'
import { coolOffSince } from '../audience.ts'
import { type BroadcastRow, lockNewRecipientRoom, raiseNewRecipientDay } from '../queries/broadcasts.ts'
import { holdNewRecipients, listCooling } from '../queries/cool-offs.ts'
import type { NewRecipient } from '../queries/recipients.ts'

/** A person whom a step comes to. */
export type Met = { contactId: string; skip: string | null; isNew: boolean }

/**
 * Queues the messages of those who may have one now, and says of each what became of them: queued, skipped, or waiting
 * for a day with room for people who never wrote. Where the month's allowance has no room for all it is the first of them
 * only, as many as there is room for (`people` are those); undefined when it is used up.
 */
export async function decide<One extends Met>(
  ctx: Context,
  row: BroadcastRow,
  people: One[],
  realNow: Date,
): Promise<{ people: One[]; decided: NewRecipient[] } | undefined> {
  const all = await decideAll(ctx, row, people, realNow)
  if (typeof all !== 'number') return { people, decided: all }
  if (all === 0) return undefined
  const first = people.slice(0, all)
  return { people: first, decided: (await decideAll(ctx, row, first, realNow)) as NewRecipient[] }
}

/** The same for everybody, or how many messages the allowance leaves where it leaves too few. */
async function decideAll(
  ctx: Context,
  row: BroadcastRow,
  people: Met[],
  realNow: Date,
): Promise<NewRecipient[] | number> {
  const cooling = await coolingOf(ctx, people)
  const open = people.filter((one) => one.skip === null && !cooling.has(one.contactId))
  const day = dayOf(ctx.now, ctx.workspace.timezone)
  const newRecipients = open.filter((one) => one.isNew).map((one) => one.contactId)
  const room = newRecipients.length > 0 ? await lockNewRecipientRoom(ctx, row.phoneNumberId, day) : 0
  const first = new Set(newRecipients.slice(0, room))
  const going = open.filter((one) => !one.isNew || first.has(one.contactId)).map((one) => one.contactId)
  const messages = going.length > 0 ? await lockMessageRoom(ctx) : 0
  if (messages < going.length) return messages
  const { queued, capped } = await queueCampaignMessages(
    ctx,
    {
      workspaceId: ctx.workspace.id,
      broadcastId: row.id,
      phoneNumberId: row.phoneNumberId,
      content: row.content,
      templateText: row.templateText,
      at: ctx.now,
      runAt: realNow,
    },
    { contactIds: going, marketing: row.category === 'MARKETING' },
  )
  const taken = first.size === 0 ? 0 : queued.contactIds.filter((id) => first.has(id)).length
  if (taken > 0) await raiseNewRecipientDay(ctx, row.phoneNumberId, day, taken)
  const none = { reason: null, messageId: null, newAt: null }
  const skipped = (contactId: string, reason: string): NewRecipient => ({
    ...none,
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
        newAt: taken > 0 && first.has(contactId) ? ctx.now : null,
      }),
    ),
    ...newRecipients.slice(room).map((contactId): NewRecipient => ({ ...none, contactId, state: 'waiting' })),
    ...people.flatMap(({ contactId, skip }) => (skip === null ? [] : [skipped(contactId, skip)])),
    ...[...cooling].map((contactId) => skipped(contactId, 'cool_off')),
    ...capped.map((contactId) => skipped(contactId, 'marketing_cap')),
  ]
}

/**
 * Who never wrote and got a campaign too lately for another: two that reach for one person at once cannot both write to
 * them, from whatever numbers.
 */
async function coolingOf(ctx: Context, people: Met[]): Promise<Set<string>> {
  const newRecipients = people.flatMap((one) => (one.skip === null && one.isNew ? [one.contactId] : []))
  const since = coolOffSince(ctx.workspace, ctx.now)
  if (newRecipients.length === 0 || since === undefined) return new Set()
  await holdNewRecipients(ctx)
  return new Set(await listCooling(ctx, newRecipients, since))
}

export type Made = { waiting: number; queued: number; skipped: number }

/** How many of each state a statement made. */
export const totals = (rows: { state: NewRecipient['state']; count: number }[]): Made => {
  const of = (state: NewRecipient['state']) => rows.find((one) => one.state === state)?.count ?? 0
  return { waiting: of('waiting'), queued: of('queued'), skipped: of('skipped') }
}

/** People of the audience to whom no message was made are counted like messages that were not sent. */
export function countSkipped(ctx: Context, row: Pick<BroadcastRow, 'phoneNumberId'>, skipped: number): void {
  for (let i = 0; i < skipped; i++)
    count(ctx, 'skipped', { phoneNumberId: row.phoneNumberId, type: 'template' })
}
