/**
 * Masks customers' phone numbers and email addresses in answers, for callers from whom an owner hides them. The marks of the
 * reply's schema say where they are (core/customer-details.ts).
 */
import { findMasked, maskOf } from '../../core/customer-details.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { type Issue, invalid, Refusal } from '../../core/errors.ts'
import { hideInside } from '../../core/values/hidden-texts.ts'
import type { Answer } from './reply-texts.ts'

/**
 * Refuses `invalid` for a masked text that comes back in a request: it would replace the real one.
 */
export function refuseMasked(body: unknown): void {
  const path = findMasked(body)
  if (path !== undefined)
    throw invalid([
      {
        path,
        message:
          'Must be the whole value. It is hidden from your role: leave the field out, or name a customer as contact:<id>.',
      },
    ])
}

/** Returns the texts of a refusal, masked. */
const maskedTexts = <Texts extends { message: string }>(texts: Texts): Texts => ({
  ...texts,
  message: hideInside(texts.message),
})

const maskedIssues = ({ issues }: { issues?: Issue[] | undefined }) =>
  issues && { issues: issues.map(maskedTexts) }

/** Masks a refusal. That of a retry is a stored text. */
function maskedRefusal(answer: Answer): Answer {
  const body = JSON.parse(answer.text) as { message: string; issues?: Issue[] }
  const text = JSON.stringify({ ...maskedTexts(body), ...maskedIssues(body) })
  if (!answer.refusal) return { ...answer, text }
  const { code, message, details } = answer.refusal
  const refusal = new Refusal(code, hideInside(message), { ...details, ...maskedIssues(details) })
  return { ...answer, text, refusal }
}

/**
 * Builds the function that masks answers of an endpoint. Its schemas are walked when the first caller needs it. Files are
 * masked by their handlers (`shownTo`), because no schema describes them.
 */
export const answerMask =
  ({ replies }: Endpoint) =>
  (answer: Answer): Answer => {
    const { status, text } = answer
    if (text === '') return answer
    if (status >= 400) return maskedRefusal(answer)
    const schema = replies[status]
    const mask = schema && maskOf(schema)
    return mask ? { ...answer, text: JSON.stringify(mask(JSON.parse(text))) } : answer
  }
