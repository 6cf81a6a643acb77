/** What a customer's message says, to whom it is answered without a person. Pure. */
import { messageWords } from './message-words.ts'

type Written = { type: string; content: Record<string, unknown> }

/** What was tapped, by its id. */
export function tapOf({ type, content }: Written): { id: string } | undefined {
  if (type !== 'interactive') return undefined
  const tapped = (content.button_reply ?? content.list_reply) as { id?: unknown } | undefined
  return typeof tapped?.id === 'string' ? { id: tapped.id } : undefined
}

/** The words on what was tapped: a button of a template or of a message, or a row of a list. */
export function tappedWords({ type, content }: Written): unknown {
  if (type === 'button') return content.text
  if (type !== 'interactive') return undefined
  return ((content.button_reply ?? content.list_reply) as { title?: unknown } | undefined)?.title
}

/** The text, the tapped title, or what stands under a picture; undefined: it says nothing in words. */
export function heardText({ type, content }: Written): string | undefined {
  const text = messageWords(type, content, null)
  return text === null || text.trim() === '' ? undefined : text
}
