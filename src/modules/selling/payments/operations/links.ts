/**
 * Payment links for payments to other modules outside a chat. The module that opens a link is notified of
 * changes by a job, queued in the same transaction: when it can be paid, when it is paid, and when it has
 * ended. A payment counts once.
 */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
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
  /** The name of the job that is notified. */
  followJob: string
  amountPaise: number
  description: string
  /** In the workspace's time. */
  expiresAt: Date
}

/** Returns why payments are not possible now; undefined if they are. */
async function gatewayOf(ctx: Context): Promise<{ provider: string } | Refusal> {
  return (
    (await findGateway(ctx.tx.sql, ctx.workspace)) ??
    new Refusal('conflict', 'No payment gateway is connected. An admin can connect one in Integrations.')
  )
}

/** Opens a link: a job creates it at the gateway. */
export async function openPaymentLink(ctx: Context, input: NewPaymentLink): Promise<LinkRow | Refusal> {
  const gateway = await gatewayOf(ctx)
  if (gateway instanceof Refusal) return gateway
  const row: LinkRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    ...input,
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
  const checkAt = nextCheckAt(row, ctx.now)
  if (checkAt) await enqueue(ctx, checkOpenLink, { paymentLinkId: row.id }, checkAt)
  return row
}

export const findPaymentLink = findLinkRow
export const findPaymentLinkOf = findLinkOfSubject

/** Ends a link that must not be paid any more. A payment under way still counts. */
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
