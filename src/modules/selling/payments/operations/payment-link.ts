/**
 * Creates the one payment link of a request, even after crashes: the call to the gateway is recorded first;
 * from then on a link may exist, and is searched before one is created.
 */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import type {
  GatewayAnswer,
  GatewayConnection,
  NewLink,
  PaymentLink,
} from '../../../../payment-gateway/port.ts'
import { describeContacts } from '../../../messaging/contacts/operations/find-contact.ts'
import {
  failHeld,
  releaseMessage,
  skipHeld,
} from '../../../messaging/messages/sending/operations/held-messages.ts'
import { cancelErasedLink, cancelPaymentLink } from '../cancel-jobs.ts'
import { findGatewayRow } from '../queries/gateways.ts'
import { findRequestRowForUpdate, type RequestRow, updateRequests } from '../queries/requests.ts'
import { lockRequest } from './lock-request.ts'
import { orderDetails } from './order-message.ts'
import { endOf, isOpen } from './request-after.ts'

/** Writes the result for the request, in its own transaction. */
type Finish = (ctx: Context) => Promise<void>
const nothingToDo: Finish = async () => {}

/** The gateway's shortest life of a link (docs/formats.md section 15). */
const MIN_LINK_MS = 16 * MINUTE_MS
/** The gateway's limit. */
const MAX_DESCRIPTION = 2048

type LinkAttempt = { request: RequestRow; askedBefore: boolean; link: NewLink }

/** Records that the gateway is about to be called; returns undefined if no link is needed any more. */
async function beginLink(ctx: Context, id: string): Promise<LinkAttempt | undefined> {
  const request = await findRequestRowForUpdate(ctx, id)
  if (!request || !isOpen(request) || request.linkId !== null) return undefined
  const contact = (await describeContacts(ctx, [{ ...request, workspaceId: ctx.workspace.id }])).get(
    request.contactId,
  )
  const askedBefore = request.linkAskedAt !== null
  if (!askedBefore) await updateRequests(ctx.tx, [{ ...request, linkAskedAt: ctx.now }])
  const { referenceId, totalPaise, expiresAt, body } = request
  const soonest = later(ctx.now, MIN_LINK_MS)
  return {
    request,
    askedBefore,
    link: {
      reference: id,
      amountPaise: totalPaise,
      description: cutText(`${referenceId}: ${body}`, MAX_DESCRIPTION),
      customer: {
        name: contact?.name ?? null,
        phone: contact?.phone.startsWith('+') ? contact.phone : null,
      },
      // A link that must end earlier is cancelled when the request expires.
      expiresAt: expiresAt === null || expiresAt > soonest ? expiresAt : soonest,
      notes: { payment_request_id: id, reference_id: referenceId },
    },
  }
}

/** Creates a link, or finds the existing one, so that there is only one even after a crash. */
export async function linkFor(
  { outside }: OutsideContext,
  { account }: GatewayConnection,
  { askedBefore, link }: Pick<LinkAttempt, 'askedBefore' | 'link'>,
): Promise<GatewayAnswer<PaymentLink>> {
  if (askedBefore) {
    const found = await outside.gateway.findLinkByReference(account, link.reference)
    if (found.kind !== 'done') return found
    if (found.value) return { kind: 'done', value: found.value }
  }
  const answer = await outside.gateway.createLink(account, link)
  if (answer.kind !== 'refused') return answer
  // It may be refused because it already exists.
  const found = await outside.gateway.findLinkByReference(account, link.reference)
  return found.kind === 'done' && found.value ? { kind: 'done', value: found.value } : answer
}

/** Creates or finds the link, and releases the message with it. Throws if a retry may help. */
export async function makeLink(ctx: OutsideContext, id: string): Promise<Finish> {
  const started = await ctx.transaction((txCtx) => beginLink(txCtx, id))
  if (!started) return nothingToDo
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (connection?.provider !== started.request.provider)
    return (txCtx) =>
      failRequest(txCtx, id, {
        code: 'not_connected',
        message: 'The payment gateway is no longer connected.',
      })
  const answer = await linkFor(ctx, connection, started)
  if (answer.kind === 'done') return (txCtx) => useLink(txCtx, id, answer.value)
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (!answer.permanent) throw new Error(answer.message)
  const { code, message } = answer
  return (txCtx) => failRequest(txCtx, id, { code, message })
}

/** Releases the message with the link. If the request has ended meanwhile, cancels the link. */
async function useLink(ctx: Context, id: string, link: PaymentLink): Promise<void> {
  const request = await lockRequest(ctx, id)
  if (!request) return enqueue(ctx, cancelErasedLink, { linkId: link.id })
  const linkedRequest = { ...request, linkId: link.id, linkUrl: link.url, updatedAt: ctx.now }
  await updateRequests(ctx.tx, [linkedRequest])
  const gateway = await findGatewayRow(ctx.tx.sql, ctx.workspace.id)
  const sender = { importer: gateway?.importer ?? null, workspace: ctx.workspace, now: ctx.now }
  const end = endOf(linkedRequest)
  if (end === undefined)
    return releaseMessage(ctx, linkedRequest.messageId, orderDetails(linkedRequest, sender))
  await skipHeld(ctx, linkedRequest.messageId, end)
  await enqueue(ctx, cancelPaymentLink, { paymentRequestId: id })
}

/** Fails the request and its message, because the link cannot be created. */
export async function failRequest(
  ctx: Context,
  id: string,
  why: { code: string; message: string },
): Promise<void> {
  const request = await lockRequest(ctx, id)
  if (!request) return
  const end = endOf(request)
  if (end !== undefined) return skipHeld(ctx, request.messageId, end)
  const failure = { source: 'gateway' as const, ...why, at: ctx.now.toISOString() }
  await updateRequests(ctx.tx, [{ ...request, status: 'failed', failure, updatedAt: ctx.now }])
  await failHeld(ctx, request.messageId, { title: 'No payment link', message: why.message })
}
