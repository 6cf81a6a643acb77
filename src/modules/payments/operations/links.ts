/**
 * Payment links for what other modules are paid for outside of a chat. The module that opens one learns what becomes of it by a job,
 * enqueued in the transaction that writes it: once it can be paid, when it is paid, and when it is over. A payment counts once.
 */
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { enqueue } from '../../../core/job.ts'
import { endOpenLink } from '../cancel-jobs.ts'
import { checkOpenLink, makeOpenLink } from '../link-jobs.ts'
import {
  findLinkForUpdate,
  findLinkOfSubject,
  findLinkRow,
  insertLinkRow,
  type LinkRow,
  updateLinkRow,
} from '../queries/links.ts'
import { nextCheckAt } from './check-times.ts'
import { findGateway } from './gateway-connection.ts'

export type { LinkRow }

export type NewPaymentLink = {
  subjectId: string
  /** The name of the job that follows the link. */
  followJob: string
  amountPaise: number
  description: string
  /** In the workspace's time. */
  expiresAt: Date
}

/** Why nothing can be collected just now; undefined when it can. */
async function gatewayOf(ctx: Context): Promise<{ provider: string } | Refusal> {
  return (
    (await findGateway(ctx.tx.sql, ctx.workspace)) ??
    new Refusal('conflict', 'No payment gateway is connected. An admin can connect one in Settings.')
  )
}

/** Opens a link: a job has the gateway make it. */
export async function openPaymentLink(ctx: Context, asked: NewPaymentLink): Promise<LinkRow | Refusal> {
  const gateway = await gatewayOf(ctx)
  if (gateway instanceof Refusal) return gateway
  const row: LinkRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    ...asked,
    status: 'open',
    provider: gateway.provider,
    linkAskedAt: null,
    linkId: null,
    linkUrl: null,
    failure: null,
    paidAt: null,
    paidPaise: null,
    paymentMethod: null,
    paymentId: null,
    furtherPayments: [],
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await insertLinkRow(ctx, row)
  await enqueue(ctx, makeOpenLink, { paymentLinkId: row.id })
  const at = nextCheckAt(row, ctx.now)
  if (at) await enqueue(ctx, checkOpenLink, { paymentLinkId: row.id }, at)
  return row
}

export const findPaymentLink = findLinkRow
export const findPaymentLinkOf = findLinkOfSubject

/** Ends a link that is not to be paid any more. What is on its way still counts. */
export async function endPaymentLink(
  ctx: Context,
  id: string,
  status: 'expired' | 'cancelled',
): Promise<void> {
  const row = await findLinkForUpdate(ctx, id)
  if (row?.status !== 'open') return
  await updateLinkRow(ctx, row, { status, updatedAt: ctx.now })
  if (row.linkAskedAt !== null) await enqueue(ctx, endOpenLink, { paymentLinkId: id })
}
