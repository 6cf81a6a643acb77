/** Ends the sample of a campaign, and chooses the variant for the rest (DECISIONS.md "Comparing templates"). */
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { allowLongReads } from '../../../../database/sql/costly-reads.ts'
import { hasQueuedMessages } from '../../messages/sending/operations/skip-messages.ts'
import { compareVariants } from '../operations/compare-variants.ts'
import { emitChoice, winnerColumns } from '../operations/variants.ts'
import type { BroadcastRow, updateBroadcastRow } from '../queries/broadcasts.ts'
import { countVariantResults, listVariants } from '../queries/variants.ts'
import type { Decider } from '../variant-schema.ts'
import { notifyMaker } from './notify-creator.ts'
import { LOOK_AGAIN_MS } from './resume-automatically.ts'

type Patch = Parameters<typeof updateBroadcastRow>[2]

/**
 * Starts to measure after the last message of the sample was submitted. The walk starts again from the first contact, so
 * that the gates of other campaigns count the rest as people to come. From then on a variant can be chosen by hand.
 */
export async function endSample(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  if (await hasQueuedMessages(ctx, row.id)) return { runAt: later(realNow, LOOK_AGAIN_MS) }
  const isManual = row.decideBy === 'manual'
  if (isManual) await notifyMaker(ctx, row, 'to_decide')
  const decidesAt = isManual ? null : later(ctx.now, row.waitMinutes! * MINUTE_MS)
  return {
    testPhase: 'measure',
    decidesAt,
    walked: false,
    walkedTo: null,
    runAt: decidesAt && realTime(decidesAt, ctx.workspace),
  }
}

/** Chooses the variant with the highest rate when its time has come. Without a time, an admin chooses it. */
export async function decideWinner(ctx: Context, row: BroadcastRow, realNow: Date): Promise<Patch> {
  const { decidesAt } = row
  if (!decidesAt) return { runAt: null }
  if (ctx.now < decidesAt) return { runAt: realTime(decidesAt, ctx.workspace) }
  await allowLongReads(ctx.tx)
  const counts = await countVariantResults(ctx, row.id)
  const variants = await listVariants(ctx, row.id)
  const metric = row.decideBy as Exclude<Decider, 'manual'>
  const { leader } = compareVariants(
    variants.map(({ number }) => {
      const counted = counts.find((count) => count.number === number)
      return { number, sent: counted?.sent ?? 0, hits: counted?.[metric] ?? 0 }
    }),
  )
  const winner = variants.find(({ number }) => number === leader)!
  emitChoice(ctx, row, winner, metric)
  return { ...winnerColumns(ctx, winner), runAt: realNow }
}
