/** Ends unpaid payment requests: when they expire, or when the business cancels them (spec 3, 4.7). */

import type { Context } from '../../../../core/context.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { actingAs } from '../../../../core/source.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { describeContacts } from '../../../messaging/contacts/operations/find-contact.ts'
import { isReleased, skipHeld } from '../../../messaging/messages/sending/operations/held-messages.ts'
import { recordUnsentMessage } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { sendMessages } from '../../../messaging/messages/sending/operations/send-messages.ts'
import { cancelPaymentLink } from '../cancel-jobs.ts'
import { type RequestRow, updateRequests } from '../queries/requests.ts'
import { paymentTexts } from '../texts/texts.ts'
import { lockRequest } from './lock-request.ts'
import { orderCancelled } from './order-message.ts'
import { getRequest } from './read-requests.ts'
import { isOpen } from './request-after.ts'

async function end(ctx: Context, request: RequestRow, status: 'expired' | 'cancelled'): Promise<RequestRow> {
  const endedRequest: RequestRow = { ...request, status, updatedAt: ctx.now }
  await updateRequests(ctx.tx, [endedRequest])
  // A message that was not sent yet is no longer sent.
  await skipHeld(ctx, request.messageId, status)
  if (request.linkAskedAt !== null) await enqueue(ctx, cancelPaymentLink, { paymentRequestId: request.id })
  return endedRequest
}

/** Expires a request. A payment that was under way still counts when it arrives. */
export async function expireRequest(ctx: Context, id: string): Promise<void> {
  const request = await lockRequest(ctx, id)
  if (request && isOpen(request)) await end(ctx, request, 'expired')
}

const ENDED = { paid: 'was paid', expired: 'has expired' } as const

/**
 * Cancels an unpaid request, and notifies the customer if a message may be sent. Repeating it changes
 * nothing.
 */
export async function cancelRequest(
  ctx: Context,
  ref: string,
  { body }: { body?: string | undefined },
): Promise<RequestRow> {
  const { id } = await getRequest(ctx, ref)
  const request = await lockRequest(ctx, id)
  if (!request) return getRequest(ctx, id)
  if (request.status === 'cancelled') return request
  if (request.status === 'paid' || request.status === 'expired')
    return refuse('conflict', `The payment request ${ENDED[request.status]}. There is nothing to cancel.`)
  const cancelledRequest = await end(ctx, request, 'cancelled')
  if (request.sentAt !== null || (await isReleased(ctx, request.messageId)))
    await notifyCustomer(ctx, request, body)
  return cancelledRequest
}

/** Notifies the customer, or writes a note in the chat why they were not notified. */
async function notifyCustomer(ctx: Context, request: RequestRow, text: string | undefined): Promise<void> {
  const contact = (await describeContacts(ctx, [request])).get(request.contactId)
  if (!contact) return
  const language = await readLanguage(ctx, request.contactId)
  const content = orderCancelled(
    request.referenceId,
    text ?? paymentTexts(language).t('cancelled', { reference: request.referenceId }),
  )
  const [sent] = await sendMessages([
    {
      ctx: actingAs(ctx, { kind: 'payment', id: request.id, name: request.referenceId }),
      body: { to: contact.phone, phoneNumberId: request.phoneNumberId, type: 'interactive' },
      composed: { content, held: false },
    },
  ])
  if (sent instanceof Refusal)
    await recordUnsentMessage(ctx, {
      contactId: request.contactId,
      conversationId: request.conversationId,
      subject: 'The notice that the payment request was canceled',
      why: sent,
    })
}
