/** Requests a payment from a customer in a conversation (spec 4.7). */

import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { Gate, RepeatableRequest } from '../../../../core/endpoint.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { actingAs } from '../../../../core/source.ts'
import { isObject } from '../../../../core/values/storable.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { ownLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { describeContacts, findContact } from '../../../messaging/contacts/operations/find-contact.ts'
import {
  findConversation,
  noConversation,
} from '../../../messaging/conversations/operations/read-conversations.ts'
import { sendMessages } from '../../../messaging/messages/sending/operations/send-messages.ts'
import { findConversation as findDirectChat } from '../../social/chats/operations/read-chats.ts'
import { checkPayment, expirePaymentRequest, makePaymentLink } from '../jobs.ts'
import { findRequestRowByReference, insertRequest, type RequestRow } from '../queries/requests.ts'
import { type PaymentRequestBody, ReferenceId, totalOf } from '../schema.ts'
import { paymentTexts } from '../texts/texts.ts'
import { nextCheckAt } from './check-times.ts'
import { findGateway, type GatewayRow } from './gateway-connection.ts'
import { orderDetails } from './order-message.ts'

const ACTIVE = 'active'

/** Returns why payment requests are not possible now; undefined if they are. */
function gatewayRefusal(
  gateway: Pick<GatewayRow, 'configuration' | 'configurationStatus'> | undefined,
): Refusal | undefined {
  if (!gateway)
    return new Refusal(
      'conflict',
      'No payment gateway is connected. An admin can connect one in Integrations.',
    )
  const { configuration, configurationStatus } = gateway
  if (configuration !== null && configurationStatus !== null && configurationStatus !== ACTIVE)
    return new Refusal(
      'conflict',
      `The payment configuration ${configuration} isn't active: its status at the operator is "${configurationStatus}". Finish its setup at the operator.`,
    )
  return undefined
}

/** Returns the recipient and the sending number. The photo network has no payment requests (spec 4.7). */
async function routeOf(ctx: Context, { conversationId, to, phoneNumberId }: PaymentRequestBody) {
  if (conversationId === undefined) {
    if (to?.startsWith('sx:'))
      throw invalid([{ path: 'to', message: 'Must be a customer of the chat network.' }])
    return { to, phoneNumberId: phoneNumberId?.toLowerCase() }
  }
  const conversation = await findConversation(ctx, conversationId)
  if (!conversation) {
    if (await findDirectChat(ctx, conversationId))
      throw invalid([{ path: 'conversationId', message: 'Must be a conversation of the chat network.' }])
    return noConversation()
  }
  const contact = (await describeContacts(ctx, [conversation])).get(conversation.contactId)
  if (!contact) return noConversation()
  return { to: contact.phone, phoneNumberId: conversation.phoneNumberId }
}

/** Returns the text of a request without one, in the customer's language. */
async function standardText(ctx: Context, to: string | undefined, reference: string): Promise<string> {
  const contact = to === undefined ? undefined : await findContact(ctx, to)
  return paymentTexts(ownLanguage(contact) ?? ctx.workspace.language).t('pay', { reference })
}

/**
 * Stores the request with its ordinary message; with a payment link, the message is held until the link
 * exists. A second request with the same `referenceId` returns the first, for any body.
 */
export async function requestPayment(
  ctx: Context,
  body: PaymentRequestBody,
): Promise<{ request: RequestRow; created: boolean }> {
  // Concurrent duplicates wait here for the first request.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `payment ${body.referenceId}`)
  const existing = await findRequestRowByReference(ctx.tx.sql, ctx.workspace, body.referenceId)
  if (existing) return { request: existing, created: false }
  const gateway = await findGateway(ctx.tx.sql, ctx.workspace)
  const refusal = gatewayRefusal(gateway)
  if (refusal) throw refusal
  const { configuration, importer, provider } = gateway!
  const { referenceId, items, shippingPaise, expiresInMinutes } = body
  const route = await routeOf(ctx, body)
  const order = {
    id: newId(),
    referenceId,
    items,
    shippingPaise,
    totalPaise: totalOf(body),
    body: body.body ?? (await standardText(ctx, route.to, referenceId)),
    expiresAt: expiresInMinutes === undefined ? null : later(ctx.now, expiresInMinutes * MINUTE_MS),
    configuration,
    linkUrl: null,
    createdAt: ctx.now,
  }
  const content = orderDetails(order, { importer, workspace: ctx.workspace })
  const [sent] = await sendMessages([
    {
      ctx: actingAs(ctx, { kind: 'payment', id: order.id, name: referenceId }),
      body: { ...route, type: 'interactive' },
      composed: { content, held: configuration === null },
    },
  ])
  if (sent instanceof Refusal) throw sent
  const request = await insertRequest(ctx, { ...order, messageId: sent!, provider })
  await enqueueWork(ctx, request)
  touch(ctx, { paymentRequest: request.id })
  return { request, created: true }
}

async function enqueueWork(ctx: Context, request: RequestRow): Promise<void> {
  const payload = { paymentRequestId: request.id }
  if (request.configuration === null) await enqueue(ctx, makePaymentLink, payload)
  if (request.expiresAt) await enqueue(ctx, expirePaymentRequest, payload, request.expiresAt)
  const checkAt = nextCheckAt(request, ctx.now)
  if (checkAt) await enqueue(ctx, checkPayment, payload, checkAt)
}

/** Returns the stored request with a body's `referenceId`. */
export async function findRepeated({
  workspace,
  query,
  body,
}: RepeatableRequest): Promise<PaymentRequestBody | undefined> {
  const referenceId = ReferenceId.safeParse(isObject(body) ? body.referenceId : undefined).data
  const redirected =
    referenceId === undefined ? undefined : await findRequestRowByReference(query, workspace, referenceId)
  if (!redirected) return undefined
  const { conversationId, items, shippingPaise, body: text } = redirected
  return { conversationId, referenceId: redirected.referenceId, items, shippingPaise, body: text }
}

/** Refuses requests that no customer could pay (spec 4.7). */
export const gatewaySetUp: Gate = {
  refuses: ['conflict'],
  check: async ({ workspace, query }) => {
    const refusal = gatewayRefusal(await findGateway(query, workspace))
    if (refusal) throw refusal
  },
}
