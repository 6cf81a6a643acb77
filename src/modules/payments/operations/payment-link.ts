/**
 * The payment link of a request: one, whatever dies on the way. That the gateway is about to be asked is recorded before it
 * is asked; from then on a link may be there, and is looked for before one is made.
 */
import { later, MINUTE_MS } from '../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../core/context.ts'
import { cutText } from '../../../core/cut-text.ts'
import { enqueue } from '../../../core/job.ts'
import type { GatewayAnswer, GatewayConnection, NewLink, PaymentLink } from '../../../payment-gateway/port.ts'
import { describeContacts } from '../../contacts/operations/find-contact.ts'
import { failHeld, releaseMessage, skipHeld } from '../../messages/sending/operations/held-messages.ts'
import { cancelErasedLink, cancelPaymentLink } from '../cancel-jobs.ts'
import { findGatewayRow } from '../queries/gateways.ts'
import { findRequestRowForUpdate, type RequestRow, updateRequests } from '../queries/requests.ts'
import { lockRequest } from './lock-request.ts'
import { orderDetails } from './order-message.ts'
import { endOf, isOpen } from './request-after.ts'

/** What becomes of the request, in a transaction of its own. */
type Finish = (ctx: Context) => Promise<void>
const nothingToDo: Finish = async () => {}

/** The gateway keeps no link for a shorter time (docs/formats.md section 15). */
const MIN_LINK_MS = 16 * MINUTE_MS
/** Of the gateway's own limits. */
const MAX_DESCRIPTION = 2048

type Begun = { request: RequestRow; askedBefore: boolean; link: NewLink }

/** Records that the gateway is about to be asked; undefined when there is nothing to ask for any more. */
async function beginLink(ctx: Context, id: string): Promise<Begun | undefined> {
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
      // One that would be over sooner is cancelled when the request expires.
      expiresAt: expiresAt === null || expiresAt > soonest ? expiresAt : soonest,
      notes: { payment_request_id: id, reference_id: referenceId },
    },
  }
}

/** Makes a link, or finds the one that was made; one, whatever died before. */
export async function linkFor(
  { outside }: OutsideContext,
  { account }: GatewayConnection,
  { askedBefore, link }: Pick<Begun, 'askedBefore' | 'link'>,
): Promise<GatewayAnswer<PaymentLink>> {
  if (askedBefore) {
    const found = await outside.gateway.findLinkByReference(account, link.reference)
    if (found.kind !== 'done') return found
    if (found.value) return { kind: 'done', value: found.value }
  }
  const made = await outside.gateway.createLink(account, link)
  if (made.kind !== 'refused') return made
  // It may be refused because it is there.
  const found = await outside.gateway.findLinkByReference(account, link.reference)
  return found.kind === 'done' && found.value ? { kind: 'done', value: found.value } : made
}

/** Makes the link, or finds it, and lets the message go with it. Throws where asking again may help. */
export async function makeLink(ctx: OutsideContext, id: string): Promise<Finish> {
  const begun = await ctx.transaction((inside) => beginLink(inside, id))
  if (!begun) return nothingToDo
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (connection?.provider !== begun.request.provider)
    return (inside) =>
      failRequest(inside, id, {
        code: 'not_connected',
        message: 'The payment gateway is no longer connected.',
      })
  const answer = await linkFor(ctx, connection, begun)
  if (answer.kind === 'done') return (inside) => useLink(inside, id, answer.value)
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (!answer.permanent) throw new Error(answer.message)
  const { code, message } = answer
  return (inside) => failRequest(inside, id, { code, message })
}

/** Lets the message go with the link. Where the request is over meanwhile, the link is cancelled. */
async function useLink(ctx: Context, id: string, link: PaymentLink): Promise<void> {
  const request = await lockRequest(ctx, id)
  if (!request) return enqueue(ctx, cancelErasedLink, { linkId: link.id })
  const linked = { ...request, linkId: link.id, linkUrl: link.url, updatedAt: ctx.now }
  await updateRequests(ctx.tx, [linked])
  const gateway = await findGatewayRow(ctx.tx.sql, ctx.workspace.id)
  const of = { importer: gateway?.importer ?? null, workspace: ctx.workspace, now: ctx.now }
  const end = endOf(linked)
  if (end === undefined) return releaseMessage(ctx, linked.messageId, orderDetails(linked, of))
  await skipHeld(ctx, linked.messageId, end)
  await enqueue(ctx, cancelPaymentLink, { paymentRequestId: id })
}

/** There will be no link: the request has failed, and so has its message. */
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
