/** The customer's actions on their page. Reading it changes nothing. */
import { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { isOn } from '../gates.ts'
import type { ReviewView } from '../pages/review-page.ts'
import { findRequest, type RequestRow } from '../queries/requests.ts'
import { COMMENT_MAX, MAX_RATING, MIN_RATING } from '../schema.ts'
import { answerReview } from './answer-review.ts'
import { isExpired } from './present.ts'
import { readSettings } from './settings.ts'
import { labelsOf, questionIn } from './subjects.ts'

export { findRequestByToken } from '../queries/requests.ts'

function stateOf(ctx: Context, request: RequestRow): ReviewView['state'] {
  if (request.status === 'answered') return 'answered'
  if (request.status === 'failed' || isExpired(request, ctx.now)) return 'closed'
  return isOn(ctx.workspace) ? 'open' : 'off'
}

/** Returns the page of a request, in the `chosen` language, otherwise in the customer's. */
export async function viewReview(
  ctx: Context,
  id: string,
  chosen: Language | undefined,
): Promise<ReviewView | undefined> {
  const [request, settings] = await Promise.all([findRequest(ctx, id), readSettings(ctx)])
  const { publicUrl } = settings
  const language = chosen ?? (await readLanguage(ctx, request?.contactId ?? null))
  return (
    request && {
      language,
      business: ctx.workspace.name,
      subject: (await labelsOf(ctx, [request], language)).get(request.id)!,
      question: questionIn(settings, language),
      publicUrl,
      state: stateOf(ctx, request),
    }
  )
}

const Form = z.object({
  rating: z
    .string('Choose one.')
    .regex(new RegExp(`^[${MIN_RATING}-${MAX_RATING}]$`), `Must be from ${MIN_RATING} to ${MAX_RATING}.`)
    .transform(Number),
  comment: z
    .string()
    .trim()
    .max(COMMENT_MAX, `Must be at most ${COMMENT_MAX} characters.`)
    .optional()
    .transform((text) => text || null),
})

/**
 * Stores the form. Refuses with `invalid`, and with `conflict` if the request was answered or has expired.
 */
export async function submitReview(ctx: Context, id: string, values: Record<string, unknown>): Promise<void> {
  if (!isOn(ctx.workspace)) refuse('conflict', 'This business no longer collects ratings here.')
  const form = Form.safeParse(values)
  if (!form.success)
    throw invalid(form.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
  await answerReview(ctx, id, form.data)
}
