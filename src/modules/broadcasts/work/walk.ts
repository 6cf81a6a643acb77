/**
 * One step along a stretch of a campaign's audience, in one short transaction that also shortens the stretch: whatever
 * dies, each person of the audience is come to once. Stretches are walked beside each other (docs/decisions/audiences.md).
 */
import { later } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { commitInMemory } from '../../../core/sql.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { whyNoRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { type Audience, readAudienceStep } from '../audience.ts'
import {
  addToBroadcastRow,
  type BroadcastRow,
  findBroadcastRow,
  pauseBroadcastRow,
} from '../queries/broadcasts.ts'
import { insertRecipients, listMetByMerge } from '../queries/recipients.ts'
import { claimStretch, shortenStretch } from '../queries/stretches.ts'
import { countSkipped, decide, totals } from './decide.ts'
import { LOOK_AGAIN_MS } from './go-on-by-itself.ts'
import { notifyMaker } from './notify-maker.ts'

/** What a step goes by: the real time, and how many people it comes to at most. */
export type Stride = { realNow: Date; people: number }

/**
 * Whether it may write to people who never wrote: somebody confirmed them, and no notice goes to them. They may have become
 * part of the audience after the gates were passed, and the template may have another category than it had then.
 */
const mayMeetNew = (row: BroadcastRow): boolean => row.confirmed && row.category === 'MARKETING'

/** Whom a campaign that was started is for. */
export const audienceOf = (row: BroadcastRow): Audience => {
  const { segmentId: _, ...segment } = row.segment
  return {
    segment,
    category: row.category,
    phoneNumberId: row.phoneNumberId,
    knownOnly: row.knownOnly || !mayMeetNew(row),
    // The audience stays what it was, however long the walk takes.
    at: row.startedAt!,
  }
}

/** Comes to the next people of a stretch that nobody else walks. False: there is none, or the campaign does not run. */
export async function walkStretch(
  ctx: Context,
  broadcastId: string,
  { realNow, people }: Stride,
): Promise<boolean> {
  const [stretch, row] = await Promise.all([
    claimStretch(ctx, broadcastId),
    findBroadcastRow(ctx, broadcastId),
    holdOffErasures(ctx),
    // A crash puts the stretch back with its people. Before a message goes out, the lease of its hand-over is on disk, and the step with it.
    commitInMemory(ctx.tx),
  ])
  if (!stretch || row?.status !== 'running') return false
  const { members: all, reached } = await readAudienceStep(ctx, ctx.workspace, audienceOf(row), {
    ...stretch,
    limit: people,
  })
  const before = await listMetByMerge(
    ctx,
    { broadcastId: row.id, startedAt: row.startedAt! },
    all.map((one) => one.contactId),
  )
  const members = before.size === 0 ? all : all.filter((one) => !before.has(one.contactId))
  const step = await decide(ctx, row, members, realNow)
  if (!step) {
    const why = whyNoRoom(ctx.workspace)
    await pauseBroadcastRow(ctx, row.id, { why, lookAgainAt: later(realNow, LOOK_AGAIN_MS) })
    await notifyMaker(ctx, row, 'paused', why)
    return true
  }
  const { people: met, decided } = step
  const on = met.length < members.length ? met.at(-1)!.contactId : reached
  const made = totals(decided.length === 0 ? [] : await insertRecipients(ctx, row.id, decided))
  countSkipped(ctx, row, made.skipped)
  // The campaign's row comes last: others who walk along it wait for it until the commit.
  await Promise.all([shortenStretch(ctx, row.id, stretch, on), addToBroadcastRow(ctx, row.id, made)])
  return true
}
