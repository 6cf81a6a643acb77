/** The text of Chatwoot's messages, by content type. */
import type { ChatwootMessage } from '../../../../../chatwoot/port.ts'
import { isObject, objectsIn } from '../../../../../core/values/storable.ts'

/** Returns a text or number as trimmed text; anything else as an empty text. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** Returns the titles of a list's items, one a line. */
const titlesIn = (items: unknown): string[] =>
  objectsIn(items).flatMap(({ title, link }) => {
    const parts = [textOf(title), textOf(link)].filter((part) => part !== '')
    return parts.length === 0 ? [] : [`- ${parts.join(': ')}`]
  })

/** Returns what the customer chose or entered. */
const answersIn = (values: unknown): string[] =>
  objectsIn(values).flatMap(({ title, name, value }) => {
    const label = textOf(title) || textOf(name)
    const answer = textOf(value)
    return [label, answer].some((part) => part !== '') ? [[label, answer].filter(Boolean).join(': ')] : []
  })

function ratingIn(fields: Record<string, unknown>): string[] {
  const submitted = isObject(fields.submitted_values) ? fields.submitted_values : {}
  const answer = isObject(submitted.csat_survey_response) ? submitted.csat_survey_response : {}
  const rating = textOf(answer.rating)
  return [rating === '' ? '' : `Rating: ${rating}`, textOf(answer.feedback_message)].filter(Boolean)
}

/** Returns the lines that a message shows besides its content. */
function extraLines({ contentType, fields }: ChatwootMessage): string[] {
  if (contentType === 'input_csat') return ratingIn(fields)
  if (contentType === 'input_email') return [textOf(fields.submitted_email)].filter(Boolean)
  if (['input_select', 'cards', 'article', 'form'].includes(contentType))
    return [...titlesIn(fields.items), ...answersIn(fields.submitted_values)]
  return []
}

/** Returns the text of a message, empty if it has none. */
export const messageText = (message: ChatwootMessage): string =>
  [message.content, ...extraLines(message)].filter((line) => line !== '').join('\n')
