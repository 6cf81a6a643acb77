/** Handles a row that a customer tapped in the chat as their answer. */

import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { actingAs } from '../../../../core/source.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { describeContacts } from '../../../messaging/contacts/operations/find-contact.ts'
import { findReachable } from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { recordUnsentMessage } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { sendMessages } from '../../../messaging/messages/sending/operations/send-messages.ts'
import { findRequest } from '../queries/requests.ts'
import { reviewTexts } from '../texts/texts.ts'
import { answerReview } from './answer-review.ts'
import { readSettings } from './settings.ts'

type Tap = { requestId: string; contactId: string; rating: number }

/** Stores the tap of the customer who was asked; a late or repeated tap changes nothing. */
export async function takeTap(ctx: Context, { requestId, contactId, rating }: Tap): Promise<void> {
  const request = await findRequest(ctx, requestId)
  if (!request || request.contactId !== contactId) return
  try {
    await answerReview(ctx, requestId, { rating, comment: null })
  } catch (error) {
    if (error instanceof Refusal) return
    throw error
  }
  const { publicUrl } = await readSettings(ctx)
  if (publicUrl !== null) await showPublicPage(ctx, contactId, publicUrl)
}

/**
 * Sends the portal's page to each customer who rated, with any rating. They have just written, so the window
 * is open.
 */
async function showPublicPage(ctx: Context, contactId: string, publicUrl: string): Promise<void> {
  const contact = (await describeContacts(ctx, [{ workspaceId: ctx.workspace.id, contactId }])).get(contactId)
  const chat = (await findReachable(ctx, [contactId])).get(contactId)
  if (!contact || !chat) return
  const language = await readLanguage(ctx, contactId)
  const text = reviewTexts(language).t('message.public', { url: publicUrl })
  const [sent] = await sendMessages([
    {
      ctx: actingAs(ctx, { kind: 'review', id: null, name: null }),
      body: { to: contact.phone, phoneNumberId: chat.phoneNumberId, type: 'text', text },
    },
  ])
  if (sent instanceof Refusal)
    await recordUnsentMessage(ctx, { contactId, subject: 'The link to your public review page', why: sent })
}
