/**
 * Runs the campaign's own work in short transactions: starts, creates stretches for walk.ts, messages people
 * who waited, completes, and winds up (DECISIONS.md "Audiences"). The caller has locked its row.
 */

import { later, realTime, SECOND_MS } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { emit, touch } from '../../../../core/event.ts'
import { nextMidnight } from '../../../../core/values/calendar.ts'
import { commitInMemory } from '../../../../database/sql/sql.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { explainNoRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { HANDOVER } from '../../messages/sending/operations/send-messages.ts'
import { hasQueuedMessages } from '../../messages/sending/operations/skip-messages.ts'
import { layOutAudience } from '../audience.ts'
import { broadcastCompleted } from '../events.ts'
import { beginPlanned } from '../operations/begin-planned.ts'
import { obstacleOf } from '../operations/control-broadcast.ts'
import { countsOf } from '../operations/present-broadcast.ts'
import { isWholeAudience } from '../operations/variants.ts'
import { type BroadcastRow, paused, updateBroadcastRow } from '../queries/broadcasts.ts'
import { listWaiting, settleWaiting } from '../queries/recipients.ts'
import { countStretches, dropStretches, insertStretches } from '../queries/stretches.ts'
import { listTallies } from '../queries/tallies.ts'
import { decideWinner, endSample } from './compare.ts'
import { countSkipped, decide, totals } from './decide.ts'
import { notifyMaker } from './notify-creator.ts'
import { LOOK_AGAIN_MS, pauseFor, resumeAutomatically } from './resume-automatically.ts'
import { findSample } from './sample.ts'
import { skipUnsent } from './skip-unsent.ts'
import { audienceOf, type Stride } from './walk.ts'

const UNDER_WAY_MS = 10 * SECOND_MS
/**
 * The time after which a canceled campaign checks again whether the last steps on its stretches have ended.
 */
const WALKED_WITHIN_MS = 100

type Patch = Parameters<typeof updateBroadcastRow>[2]

/**
 * Does the next due work of a campaign, and writes when the following is due. Returns false if only stretches
 * are left to walk.
 */
export async function stepBroadcast(ctx: Context, row: BroadcastRow, stride: Stride): Promise<boolean> {
  const patch = await nextOf(ctx, row, stride)
  if (patch) await updateBroadcastRow(ctx, row.id, { updatedAt: ctx.now, ...patch })
  if (patch?.status === 'completed' || patch?.status === 'paused')
    await notifyMaker(ctx, row, patch.status, patch.pausedReason)
  if (patch) touch(ctx, { broadcast: row.id })
  return patch !== undefined
}

async function nextOf(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch | undefined> {
  const { realNow } = stride
  if (row.status === 'cancelled') return skipRest(ctx, row, stride)
  if (row.status === 'completed') return checkAfterEnd(ctx, row, realNow)
  if (row.status === 'paused' && row.pausedReason !== null) return resumeAutomatically(ctx, row, realNow)
  if (row.status !== 'running' && row.status !== 'scheduled') return { runAt: null }
  const obstacle = await obstacleOf(ctx, row)
  if (obstacle) return paused(pauseFor(obstacle, realNow))
  if (row.status === 'scheduled') return begin(ctx, row, realNow)
  if (row.testPhase === 'measure') return decideWinner(ctx, row, realNow)
  const left = await countStretches(ctx, row.id)
  const isShort = !row.walked && left <= AHEAD / 2
  // Steps wait for this commit because of the campaign's row, but need not wait for the disk. A crash also
  // undoes the position up to which stretches were created.
  if (isShort || left > 0) await commitInMemory(ctx.tx)
  if (isShort) return layOut(ctx, row, stride)
  if (left > 0) return undefined
  if (row.waiting > 0) return sendWaiting(ctx, row, stride)
  const hasRest = row.testPhase === 'sample' && !isWholeAudience(row)
  return hasRest ? endSample(ctx, row, realNow) : complete(ctx, row, realNow)
}

/** Starts a scheduled campaign at its time. */
async function begin(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  const started = await beginPlanned(ctx, row)
  if (started instanceof Refusal) return paused(pauseFor({ why: started.message }, realNow))
  return { ...started, status: 'running', sending: true, runAt: realNow }
}

/** The number of stretches created ahead of the walkers. */
const AHEAD = 4

/** Creates the next stretches of the audience, for concurrent walkers. */
async function layOut(ctx: Context, row: BroadcastRow, { realNow }: Stride): Promise<Patch> {
  const { segment } = audienceOf(row)
  const { stretches, isComplete } = await layOutAudience(ctx, segment, { after: row.walkedTo, max: AHEAD })
  await insertStretches(ctx, row.id, stretches)
  return { walkedTo: stretches.at(-1)?.until ?? row.walkedTo, walked: isComplete, runAt: realNow }
}

/** Messages people who waited, up to today's allowance of new recipients. */
async function sendWaiting(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch> {
  const { realNow } = stride
  await holdOffErasures(ctx)
  const waiting = await listWaiting(ctx, row.id, stride.people)
  const step = await decide(
    ctx,
    row,
    waiting.map((person) => ({ ...person, isNew: !person.known })),
    { realNow, sample: await findSample(ctx, row, waiting) },
  )
  if (!step) return paused(pauseFor({ why: explainNoRoom(ctx.workspace) }, realNow))
  const { decided } = step
  const settled = decided.filter((recipient) => recipient.state !== 'waiting')
  const results = totals(settled.length === 0 ? [] : await settleWaiting(ctx, row.id, settled))
  countSkipped(ctx, row, results.skipped)
  const full = settled.length < decided.length
  // People erased while they waited no longer count. The difference is exact only if this list has all who
  // wait.
  const erased = waiting.length < stride.people ? row.waiting - waiting.length : 0
  return {
    recipients: row.recipients - erased,
    waiting: row.waiting - erased - results.queued - results.skipped,
    queued: row.queued + results.queued,
    skipped: row.skipped + results.skipped,
    runAt: full ? realTime(nextMidnight(ctx.now, ctx.workspace.timezone), ctx.workspace) : realNow,
  }
}

/** Completes a campaign, because every person is queued, skipped, or excluded. */
async function complete(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  const [reported] = await listTallies(ctx, [row.id])
  const { recipients, waiting: _, ...counts } = countsOf(row, reported)
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

/** Checks the number and the template of a completed campaign while its messages wait for submission. */
async function checkAfterEnd(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  if (!(await hasQueuedMessages(ctx, row.id))) return { sending: false, runAt: null }
  const obstacle = await obstacleOf(ctx, row)
  return obstacle ? paused(pauseFor(obstacle, realNow)) : { runAt: later(realNow, LOOK_AGAIN_MS) }
}

/** Skips the unsubmitted messages of a canceled campaign. */
async function skipRest(ctx: Context, row: BroadcastRow, stride: Stride): Promise<Patch> {
  const { realNow, people } = stride
  if ((await dropStretches(ctx, row.id)) > 0) return { runAt: later(realNow, WALKED_WITHIN_MS) }
  const waiting = await listWaiting(ctx, row.id, people)
  if (waiting.length > 0) {
    const results = await settleWaiting(
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
    const { skipped } = totals(results)
    countSkipped(ctx, row, skipped)
    return { waiting: row.waiting - skipped, skipped: row.skipped + skipped, runAt: realNow }
  }
  // People erased while they waited no longer count.
  const counts = { waiting: 0, recipients: row.recipients - row.waiting }
  const left = await skipUnsent(ctx, row, stride)
  if (left === 'done') return { ...counts, runAt: null }
  return { ...counts, runAt: left === 'more' ? realNow : later(realNow, UNDER_WAY_MS) }
}
