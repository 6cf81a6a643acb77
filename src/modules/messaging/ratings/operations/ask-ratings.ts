/** Asks customers to rate a chat, once for each chat (DECISIONS.md). */

import type { Context } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import { Refusal } from '../../../../core/errors.ts'
import { actingAs } from '../../../../core/source.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { readLanguages } from '../../contacts/operations/customer-language.ts'
import { addNote } from '../../conversations/operations/notes.ts'
import { RATINGS } from '../../conversations/operations/plan-rating.ts'
import { askCustomers, findTemplate } from '../../messages/sending/operations/ask-customer.ts'
import { logUnsent } from '../../messages/sending/operations/record-unsent.ts'
import { type DueRating, deleteDueRatings, listDueRatings, markAsked } from '../queries.ts'
import { STANDARD_QUESTION } from '../schema.ts'
import { ratingTexts } from '../texts/texts.ts'
import { RATING_ROWS } from './rating-answers.ts'
import { readRatingSettings } from './settings.ts'

const BATCH = 50
/** Needs no translation. */
const BUTTON = '★ 1–5'

/**
 * Sends due rating requests and records them in the same transaction, so that a crash sends none twice.
 * Returns how many were due.
 */
export async function askDueRatings(ctx: Context, due: DueMoment): Promise<number> {
  // Locks other processes out, because the same chats are due for all of them.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, RATINGS)
  const rows = await listDueRatings(ctx, due, BATCH)
  if (rows.length === 0) return 0
  const { question, templateId, enabled } = await readRatingSettings(ctx)
  // A chat that continues, or whose workspace has turned ratings off, is asked about when it is resolved
  // again.
  const [toAsk, leaving] = [rows.filter(({ state }) => enabled && state === 'resolved'), new Set(rows)]
  const template = await findTemplate(ctx, templateId)
  const languageOf = await readLanguages(
    ctx,
    toAsk.map(({ contactId }) => contactId),
  )
  const textFor = (contactId: string): string =>
    question === STANDARD_QUESTION ? ratingTexts(languageOf(contactId)).t('question') : question
  const outcomes = await askCustomers(
    actingAs(ctx, { kind: 'rating', id: null, name: null }),
    toAsk.map((row) => ({ ...row, text: textFor(row.contactId), rows: RATING_ROWS, button: BUTTON })),
    template && { template },
  )
  const sent: { conversationId: string; messageId: string }[] = []
  for (const [i, row] of toAsk.entries()) {
    const outcome = outcomes[i]!
    if (outcome instanceof Refusal) {
      await recordUnsentRating(ctx, row, outcome)
      continue
    }
    sent.push({ conversationId: row.conversationId, messageId: outcome })
    leaving.delete(row)
  }
  await Promise.all([
    markAsked(ctx, sent),
    deleteDueRatings(
      ctx,
      [...leaving].map((row) => row.conversationId),
    ),
  ])
  return rows.length
}

const recordUnsentRating = (ctx: Context, row: DueRating, refusal: Refusal): Promise<unknown> => {
  const { contactId, conversationId } = row
  logUnsent(ctx, { contactId, conversationId, subject: 'The rating question', why: refusal })
  return addNote(ctx, conversationId, {
    body: `The rating question wasn't sent: ${refusal.message}`,
  })
}
