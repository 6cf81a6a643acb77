/** Creates another module's link at the gateway, only one, even after crashes. */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import type { PaymentLink } from '../../../../payment-gateway/port.ts'
import { endOpenLink } from '../cancel-jobs.ts'
import { findLinkForUpdate, type LinkRow, updateLinkRow } from '../queries/links.ts'
import { followLink } from './follow-link.ts'
import { linkFor } from './payment-link.ts'

type Finish = (ctx: Context) => Promise<void>
const nothingToDo: Finish = async () => {}

/** The gateway's shortest life of a link (docs/formats.md section 15). */
const MIN_LINK_MS = 16 * MINUTE_MS

type LinkAttempt = { row: LinkRow; askedBefore: boolean }

/** Records that the gateway is about to be called; returns undefined if no link is needed any more. */
async function begin(ctx: Context, id: string): Promise<LinkAttempt | undefined> {
  const row = await findLinkForUpdate(ctx, id)
  if (row?.status !== 'open' || row.linkId !== null) return undefined
  const askedBefore = row.linkAskedAt !== null
  if (!askedBefore) await updateLinkRow(ctx, row, { linkAskedAt: ctx.now })
  return { row, askedBefore }
}

/** Creates the link, or finds it. Throws if a retry may help. */
export async function makeLinkOf(ctx: OutsideContext, id: string): Promise<Finish> {
  const started = await ctx.transaction((txCtx) => begin(txCtx, id))
  if (!started) return nothingToDo
  const { row, askedBefore } = started
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (connection?.provider !== row.provider)
    return (txCtx) => failLink(txCtx, id, 'The payment gateway is no longer connected.')
  const soonest = later(ctx.clock.now(), ctx.workspace.clockOffsetMs + MIN_LINK_MS)
  const answer = await linkFor(ctx, connection, {
    askedBefore,
    link: {
      reference: id,
      amountPaise: row.amountPaise,
      description: row.description,
      customer: { name: null, phone: null },
      // A link that must end earlier is cancelled at its time.
      expiresAt: new Date(Math.max(row.expiresAt.getTime(), soonest.getTime())),
      notes: { payment_request_id: id },
    },
  })
  if (answer.kind === 'done') return (txCtx) => useLink(txCtx, id, answer.value)
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (!answer.permanent) throw new Error(answer.message)
  return (txCtx) => failLink(txCtx, id, answer.message)
}

async function useLink(ctx: Context, id: string, link: PaymentLink): Promise<void> {
  const row = await findLinkForUpdate(ctx, id)
  if (!row) return
  await updateLinkRow(ctx, row, { linkId: link.id, linkUrl: link.url, updatedAt: ctx.now })
  if (row.status === 'open') await followLink(ctx, row)
  else if (row.status !== 'paid') await enqueue(ctx, endOpenLink, { paymentLinkId: id })
}

/** Marks the link as failed. */
export async function failLink(ctx: Context, id: string, why: string): Promise<void> {
  const row = await findLinkForUpdate(ctx, id)
  if (row?.status !== 'open') return
  await updateLinkRow(ctx, row, { status: 'failed', failure: why, updatedAt: ctx.now })
  await followLink(ctx, row)
}
