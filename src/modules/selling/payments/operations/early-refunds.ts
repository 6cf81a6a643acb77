/**
 * Refunds that the gateway reports before their payments: kept until the payment is known, and then read
 * again.
 */
import { z } from 'zod'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { outsideJob } from '../../../../core/job.ts'
import { enqueue, enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { insertEarlyRefund, type PaymentKey, takeEarlyRefunds } from '../queries/early-refunds.ts'

export const READ_REFUNDS = 'readRefunds'

/** Refers to the job by its name, because the job applies payments, and applying payments queues the job. */
const rereadRefunds = outsideJob({
  name: READ_REFUNDS,
  payload: z.object({ paymentId: z.string() }),
  retrySeconds: [],
  runOutside: async () => async () => {},
})

/**
 * Stores a refund of an unknown payment. A concurrent transaction that stores the payment does not see this
 * row yet, so Parley checks again a minute later.
 */
export async function keepEarlyRefund(ctx: Context, paymentId: string): Promise<void> {
  if (await insertEarlyRefund(ctx, paymentId))
    await enqueue(ctx, rereadRefunds, { paymentId }, later(ctx.now, MINUTE_MS))
}

/** Reads the refunds of payments that have just become known, if any were reported before. */
export async function readEarlyRefunds(
  unit: Unit,
  payments: { ctx: Context; paymentId: string | null }[],
): Promise<void> {
  const paymentKeys = payments.flatMap(({ ctx, paymentId }) =>
    paymentId === null ? [] : [{ ctx, paymentId, workspaceId: ctx.workspace.id }],
  )
  if (paymentKeys.length === 0) return
  const keyOf = ({ workspaceId, paymentId }: PaymentKey): string => `${workspaceId} ${paymentId}`
  const early = new Set((await takeEarlyRefunds(unit, paymentKeys)).map(keyOf))
  await enqueueAll(
    rereadRefunds,
    paymentKeys
      .filter((refund) => early.has(keyOf(refund)))
      .map(({ ctx, paymentId }) => ({ ctx, payload: { paymentId } })),
  )
}
