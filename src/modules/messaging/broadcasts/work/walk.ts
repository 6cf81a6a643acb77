/**
 * Walks one step of a stretch in a short transaction that also shortens the stretch. So each person is
 * reached once, even if a process dies. Stretches are walked concurrently (DECISIONS.md "Audiences").
 */
import { later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { commitInMemory } from '../../../../database/sql/sql.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { explainNoRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { requiredFieldsIn } from '../../templates/operations/personal-values.ts'
import { type Audience, readAudienceStep } from '../audience.ts'
import {
  addToBroadcastRow,
  type BroadcastRow,
  findBroadcastRow,
  pauseBroadcastRow,
} from '../queries/broadcasts.ts'
import {
  insertRecipients,
  insertSample,
  listReached,
  listReachedByMerge,
  type NewRecipient,
} from '../queries/recipients.ts'
import { claimStretch, shortenStretch } from '../queries/stretches.ts'
import { countSkipped, decide, totals } from './decide.ts'
import { notifyMaker } from './notify-creator.ts'
import { LOOK_AGAIN_MS } from './resume-automatically.ts'
import { findSample, type Sample } from './sample.ts'

/** The real time, and the most people of a step. */
export type Stride = { realNow: Date; people: number }

/**
 * Returns whether the campaign may message new recipients: they were confirmed, and its template is
 * marketing. They can join after the gates, and the template's category can change.
 */
const canMeetNew = (row: BroadcastRow): boolean => row.confirmed && row.category === 'MARKETING'

/**
 * Returns those of the contacts whom the campaign already reached: as another contact that was merged into them, or in its
 * sample.
 */
const findReached = (ctx: Context, row: BroadcastRow, contactIds: string[]): Promise<Set<string>> =>
  row.testPhase === null
    ? listReachedByMerge(ctx, { broadcastId: row.id, startedAt: row.startedAt! }, contactIds)
    : listReached(ctx, row.id, contactIds)

const insertDecided = (
  ctx: Context,
  { id }: BroadcastRow,
  decided: NewRecipient[],
  sample: Sample | undefined,
) => (sample ? insertSample(ctx, id, decided, sample.numbers) : insertRecipients(ctx, id, decided))

/** Returns the audience of a started campaign. */
export const audienceOf = (row: BroadcastRow): Audience => {
  const { segmentId: _, ...segment } = row.segment
  return {
    segment,
    category: row.category,
    phoneNumberId: row.phoneNumberId,
    knownOnly: row.knownOnly || !canMeetNew(row),
    requiredFields: requiredFieldsIn(row.variables?.components ?? []),
    // The audience stays the same during the whole walk.
    at: row.startedAt!,
  }
}

/**
 * Messages the next people of a stretch without a worker. Returns false if there is none, or the campaign
 * does not run.
 */
export async function walkStretch(
  ctx: Context,
  broadcastId: string,
  { realNow, people }: Stride,
): Promise<boolean> {
  const [stretch, row] = await Promise.all([
    claimStretch(ctx, broadcastId),
    findBroadcastRow(ctx, broadcastId),
    holdOffErasures(ctx),
    // A crash restores the stretch together with its people. A message is submitted only after its lease is
    // on disk, and the step before it.
    commitInMemory(ctx.tx),
  ])
  if (!stretch || row?.status !== 'running' || row.testPhase === 'measure') return false
  const { members: passed, reached } = await readAudienceStep(ctx, ctx.workspace, audienceOf(row), {
    ...stretch,
    limit: people,
  })
  const sample = await findSample(ctx, row, passed)
  const found = sample ? passed.filter((member) => sample.numbers.has(member.contactId)) : passed
  const before = await findReached(
    ctx,
    row,
    found.map((member) => member.contactId),
  )
  const members = before.size === 0 ? found : found.filter((member) => !before.has(member.contactId))
  const step = await decide(ctx, row, members, { realNow, sample })
  if (!step) {
    const reason = explainNoRoom(ctx.workspace)
    await pauseBroadcastRow(ctx, row.id, { why: reason, lookAgainAt: later(realNow, LOOK_AGAIN_MS) })
    await notifyMaker(ctx, row, 'paused', reason)
    return true
  }
  const { people: reachedPeople, decided } = step
  const reachedId = reachedPeople.length < members.length ? reachedPeople.at(-1)!.contactId : reached
  const results = totals(decided.length === 0 ? [] : await insertDecided(ctx, row, decided, sample))
  countSkipped(ctx, row, results.skipped)
  // The campaign's row is locked last, because other walkers wait for it until the commit.
  await Promise.all([
    shortenStretch(ctx, row.id, stretch, reachedId),
    addToBroadcastRow(ctx, row.id, results),
  ])
  return true
}
