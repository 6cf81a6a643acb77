/**
 * One step of a campaign's fan-out, in one short transaction that also moves its cursor: whatever dies, each person of the
 * audience is come to once (docs/decisions/fan-out.md). The campaign's row is locked by the caller.
 */
import { dayOf, nextMidnight } from '../../../core/calendar.ts'
import { later, MINUTE_MS, realTime, SECOND_MS } from '../../../core/clock.ts'
import { type Context, wake } from '../../../core/context.ts'
import { count } from '../../../core/count.ts'
import { emit } from '../../../core/event.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { lockMessageRoom, queueCampaignMessages } from '../../messages/operations/queue-campaign.ts'
import { HANDOVER } from '../../messages/operations/send-messages.ts'
import { hasQueuedMessages } from '../../messages/operations/skip-messages.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import { type Audience, readAudienceStep } from '../audience.ts'
import { broadcastCompleted } from '../events.ts'
import { countsOf } from '../operations/present-broadcast.ts'
import { obstacleOf } from '../operations/steer-broadcast.ts'
import {
  type BroadcastRow,
  lockNewRecipientRoom,
  raiseNewRecipientDay,
  updateBroadcastRow,
} from '../queries.ts'
import { insertRecipients, listWaiting, type NewRecipient, settleWaiting } from '../recipient-queries.ts'
import { listTallies } from '../tally-queries.ts'
import { skipUnsent } from './skip-unsent.ts'

/** How often a campaign is looked after whose last messages are still being handed over. */
const LOOK_AGAIN_MS = MINUTE_MS
const UNDER_WAY_MS = 10 * SECOND_MS

type Patch = Parameters<typeof updateBroadcastRow>[2]
/** A person whom a step comes to. */
type Met = { contactId: string; skip: string | null; isNew: boolean }

/** What a step goes by: the real time, and how many people it comes to at most. */
export type Stride = { realNow: Date; people: number }

/** Does the next thing that is due for the campaign, and writes when the one after it is. */
export async function stepBroadcast(ctx: Context, row: BroadcastRow, stride: Stride): Promise<void> {
  const patch = await nextOf(ctx, row, stride)
  await updateBroadcastRow(ctx, row.id, { ...patch, updatedAt: ctx.now })
}

async function nextOf(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch> {
  const { realNow } = stride
  if (row.status === 'cancelled') return windUp(ctx, row, stride)
  if (row.status === 'completed') return lookAfter(ctx, row, realNow)
  if (row.status !== 'running' && row.status !== 'scheduled') return { runAt: null }
  const obstacle = await obstacleOf(ctx, row)
  if (obstacle) return pause(obstacle.why)
  if (row.status === 'scheduled') return begin(ctx, row, realNow)
  if (!row.walked) return walk(ctx, row, stride)
  return row.waiting > 0 ? sendWaiting(ctx, row, stride) : complete(ctx, row, realNow)
}

/** Its time has come. The operator may have moved the template to another category since it was planned. */
async function begin(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  const { category } = await getTemplate(ctx, row.templateId)
  return { status: 'running', sending: true, category, startedAt: ctx.now, runAt: realNow }
}

/** It goes on when somebody resumes it. */
const pause = (why: string): Patch => ({ status: 'paused', sending: false, pausedReason: why, runAt: null })
const NO_ROOM = "The month's message allowance is used up."

const audienceOf = (row: BroadcastRow): Audience => {
  const { segmentId: _, ...segment } = row.segment
  return {
    segment,
    category: row.category,
    phoneNumberId: row.phoneNumberId,
    knownOnly: row.knownOnly,
    // The audience stays what it was, however long the walk takes.
    at: row.startedAt!,
  }
}

/** Comes to the next people of the audience. */
async function walk(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch> {
  const { realNow } = stride
  await holdOffErasures(ctx)
  const { members, reached } = await readAudienceStep(ctx, ctx.workspace, audienceOf(row), {
    after: row.walkedTo,
    limit: stride.people,
  })
  const decided = await decide(ctx, row, members, realNow)
  if (!decided) return pause(NO_ROOM)
  const listed = decided.length === 0 ? [] : await insertRecipients(ctx, row.id, decided)
  const made = totals(listed)
  countSkipped(ctx, row, made.skipped)
  return {
    recipients: row.recipients + made.waiting + made.queued + made.skipped,
    waiting: row.waiting + made.waiting,
    queued: row.queued + made.queued,
    skipped: row.skipped + made.skipped,
    walkedTo: reached ?? row.walkedTo,
    walked: reached === null,
    runAt: realNow,
  }
}

/** Sends to people who waited, as far as today has room for them. */
async function sendWaiting(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch> {
  const { realNow } = stride
  await holdOffErasures(ctx)
  const waiting = await listWaiting(ctx, row.id, stride.people)
  const decided = await decide(
    ctx,
    row,
    waiting.map((one) => ({ ...one, isNew: !one.known })),
    realNow,
  )
  if (!decided) return pause(NO_ROOM)
  const settled = decided.filter((one) => one.state !== 'waiting')
  const made = totals(settled.length === 0 ? [] : await settleWaiting(ctx, row.id, settled))
  countSkipped(ctx, row, made.skipped)
  const left = waiting.length === 0 ? 0 : row.waiting - made.queued - made.skipped
  const full = settled.length < decided.length
  return {
    // Whoever was erased while they waited is nobody's any more.
    recipients: row.recipients - (waiting.length === 0 ? row.waiting : 0),
    waiting: left,
    queued: row.queued + made.queued,
    skipped: row.skipped + made.skipped,
    runAt: full ? realTime(nextMidnight(ctx.now, ctx.workspace.timezone), ctx.workspace) : realNow,
  }
}

const totals = (rows: { state: NewRecipient['state']; count: number }[]) => {
  const of = (state: NewRecipient['state']) => rows.find((one) => one.state === state)?.count ?? 0
  return { waiting: of('waiting'), queued: of('queued'), skipped: of('skipped') }
}

/** People of the audience to whom no message was made are counted like messages that were not sent. */
function countSkipped(ctx: Context, row: BroadcastRow, skipped: number): void {
  for (let i = 0; i < skipped; i++)
    count(ctx, 'skipped', { phoneNumberId: row.phoneNumberId, type: 'template' })
}

/**
 * Queues the messages of those who may have one now, and says of each what became of them: queued, skipped, or waiting
 * for a day with room for people who never wrote. Undefined, and nothing queued, when the month's allowance is too small.
 */
async function decide(
  ctx: Context,
  row: BroadcastRow,
  people: Met[],
  realNow: Date,
): Promise<NewRecipient[] | undefined> {
  const open = people.filter((one) => one.skip === null)
  const day = dayOf(ctx.now, ctx.workspace.timezone)
  const strangers = open.filter((one) => one.isNew).map((one) => one.contactId)
  const room = strangers.length > 0 ? await lockNewRecipientRoom(ctx, row.phoneNumberId, day) : 0
  const first = new Set(strangers.slice(0, room))
  const going = open.filter((one) => !one.isNew || first.has(one.contactId)).map((one) => one.contactId)
  if (going.length > 0 && (await lockMessageRoom(ctx)) < going.length) return undefined
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
    ...strangers.slice(room).map((contactId): NewRecipient => ({ ...none, contactId, state: 'waiting' })),
    ...people.flatMap(({ contactId, skip }) => (skip === null ? [] : [skipped(contactId, skip)])),
    ...capped.map((contactId) => skipped(contactId, 'marketing_cap')),
  ]
}

/** Everybody is queued, skipped or excluded. */
async function complete(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  const [told] = await listTallies(ctx, [row.id])
  const { recipients, waiting: _, ...counts } = countsOf(row, told)
  emit(ctx, broadcastCompleted, {
    broadcastId: row.id,
    name: row.name,
    templateName: row.templateName,
    totals: counts,
    recipients,
    startedAt: row.startedAt!.toISOString(),
    completedAt: ctx.now.toISOString(),
  })
  wake(ctx, HANDOVER)
  return { status: 'completed', completedAt: ctx.now, runAt: later(realNow, LOOK_AGAIN_MS) }
}

/** While messages of a completed campaign wait for their hand-over its number looks for them. */
async function lookAfter(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  if (await hasQueuedMessages(ctx, row.id)) return { runAt: later(realNow, LOOK_AGAIN_MS) }
  return { sending: false, runAt: null }
}

/** Skips what a cancelled campaign has not handed over. */
async function windUp(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch> {
  const { realNow, people } = stride
  const waiting = await listWaiting(ctx, row.id, people)
  if (waiting.length > 0) {
    const made = await settleWaiting(
      ctx,
      row.id,
      waiting.map(({ contactId }) => ({
        contactId,
        state: 'skipped',
        reason: 'cancelled',
        messageId: null,
        newAt: null,
      })),
    )
    const { skipped } = totals(made)
    countSkipped(ctx, row, skipped)
    return { waiting: row.waiting - skipped, skipped: row.skipped + skipped, runAt: realNow }
  }
  // Whoever was erased while they waited is nobody's any more.
  const gone = { waiting: 0, recipients: row.recipients - row.waiting }
  const left = await skipUnsent(ctx, row, stride)
  if (left === 'done') return { ...gone, runAt: null }
  return { ...gone, runAt: left === 'more' ? realNow : later(realNow, UNDER_WAY_MS) }
}
