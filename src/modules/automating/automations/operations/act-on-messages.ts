/** Actions that send messages to the customer. */
import { Refusal, refuse } from '../../../../core/errors.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { findContact } from '../../../messaging/contacts/operations/find-contact.ts'
import {
  AUTOMATIC_MAX,
  takeAutomaticMessages,
} from '../../../messaging/conversations/operations/automatic-messages.ts'
import { isWindowOpen } from '../../../messaging/conversations/schema.ts'
import { findReachable, findTemplate } from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { holdAllowances } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { sendMessages } from '../../../messaging/messages/sending/operations/send-messages.ts'
import type { SendBody } from '../../../messaging/messages/sending/send-schema.ts'
import { ownTemplate } from '../../../messaging/templates/operations/own-template.ts'
import { requestReview } from '../../../selling/reviews/operations/send-review-requests.ts'
import { type ActionOf, TEXT_MAX } from '../action-schema.ts'
import { valueAt } from '../known-paths.ts'
import {
  type ActionContext,
  contactOf,
  type Result,
  refuseMissingRecord,
  SkippedStep,
  valuesOf,
  wordsOf,
} from './action-context.ts'

/** The errors that depend on the customer, so that the step is skipped instead of failed. */
const CUSTOMER_REFUSALS = [
  'contact_opted_out',
  'needs_phone_number',
  'cannot_send_to_self',
  'outside_24h_window',
]

type Way = { phoneNumberId: string | undefined; windowExpiresAt: Date | null }

/**
 * Returns the chat to send in: the run's, if it belongs to the number, else the chat whose window stays open
 * longest.
 */
async function findRoute(context: ActionContext, phoneNumberId: string | undefined): Promise<Way> {
  const { conversation } = context.scene
  const contact = contactOf(context)
  if (conversation && (phoneNumberId === undefined || conversation.phoneNumberId === phoneNumberId))
    return { phoneNumberId: conversation.phoneNumberId, windowExpiresAt: conversation.windowExpiresAt }
  if (phoneNumberId !== undefined) return { phoneNumberId, windowExpiresAt: null }
  const reachable = (await findReachable(context.ctx, [contact.id])).get(contact.id)
  return reachable ?? { phoneNumberId: undefined, windowExpiresAt: null }
}

export const TOO_MANY = `This chat got ${AUTOMATIC_MAX} automatic messages within ten minutes and none from a teammate.`

/** Counts an automatic message, and skips the step after too many. */
async function claimAutomatic({ ctx, scene: { conversation } }: ActionContext): Promise<void> {
  if (!conversation) return
  // Every sender locks allowances before chats, to avoid deadlocks.
  await holdAllowances(ctx, [ctx])
  const [isAllowed] = await takeAutomaticMessages(ctx, [
    { ctx, conversationId: conversation.id, messages: 1 },
  ])
  if (!isAllowed) throw new SkippedStep(TOO_MANY)
}

/** Sends a message. Blocks erasures, so that the message can't create a contact again after its erasure. */
async function send(context: ActionContext, body: Omit<SendBody, 'to'>): Promise<Result> {
  const { ctx } = context
  await holdOffErasures(ctx)
  const contact = await findContact(ctx, contactOf(context).id)
  if (!contact) throw new SkippedStep('The contact was erased.')
  if (contact.channel === 'social')
    throw new SkippedStep("The contact is only on the photo network, where automations can't send messages.")
  await claimAutomatic(context)
  const [result] = await sendMessages([{ ctx, body: { ...body, to: contact.phone } as SendBody }])
  if (!(result instanceof Refusal)) return { messageId: result }
  if (CUSTOMER_REFUSALS.includes(result.code)) throw new SkippedStep(result.message)
  throw result
}

async function templateBody(
  context: ActionContext,
  templateId: string,
  variables: readonly string[] | undefined,
  route: Way,
): Promise<Omit<SendBody, 'to'>> {
  const template =
    (await findTemplate(context.ctx, templateId)) ?? refuseMissingRecord(context, 'template', templateId)
  return {
    type: 'template',
    phoneNumberId: route.phoneNumberId,
    payload: {
      type: 'template',
      template: ownTemplate(template, variables ? { body: valuesOf(context, variables) } : {}),
    },
  }
}

export async function sendTemplate(
  context: ActionContext,
  action: ActionOf<'send_template'>,
): Promise<Result> {
  const route = await findRoute(context, action.phoneNumberId)
  return send(context, await templateBody(context, action.templateId, action.variables, route))
}

/** Sends a text in an open window, else the template if there is one. */
export async function sendText(context: ActionContext, action: ActionOf<'send_text'>): Promise<Result> {
  const route = await findRoute(context, action.phoneNumberId)
  if (!isWindowOpen(route, context.ctx.now) && action.orTemplate !== undefined)
    return {
      ...(await send(context, await templateBody(context, action.orTemplate, action.variables, route))),
      template: true,
    }
  return send(context, {
    type: 'text',
    text: wordsOf(context, action.text, TEXT_MAX),
    phoneNumberId: route.phoneNumberId,
  })
}

/** Requests a review for the event's invoice or booking. Skips the step if a review was already requested. */
export async function requestReviewOfEvent(context: ActionContext): Promise<Result> {
  const { ctx, scene } = context
  if (!ctx.workspace.modules.includes('reviews'))
    refuse(
      'not_available',
      'Reviews are turned off in this workspace. Ask the administrator of this installation to turn on the module `reviews`.',
    )
  await holdOffErasures(ctx)
  for (const kind of ['invoice', 'booking'] as const) {
    const subjectId = valueAt(scene.event?.data, [kind, 'id'])
    if (typeof subjectId !== 'string') continue
    try {
      const { id } = await requestReview(ctx, { about: kind, subjectId, via: 'chat' })
      return { reviewRequestId: id }
    } catch (error) {
      if (error instanceof Refusal && ['conflict', ...CUSTOMER_REFUSALS].includes(error.code))
        throw new SkippedStep(error.message)
      throw error
    }
  }
  throw new SkippedStep("The event isn't about an invoice or a booking.")
}
