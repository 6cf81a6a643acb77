/** Reads the text of customers' messages for automatic answers. Pure functions. */
import { messageWords } from './message-words.ts'

type Written = { type: string; content: Record<string, unknown> }

/** Returns the id of the tapped button or row. */
export function tapOf({ type, content }: Written): { id: string } | undefined {
  if (type !== 'interactive') return undefined
  const tapped = (content.button_reply ?? content.list_reply) as { id?: unknown } | undefined
  return typeof tapped?.id === 'string' ? { id: tapped.id } : undefined
}

/** Returns the title of the tapped button of a template or message, or of the tapped list row. */
export function tappedWords({ type, content }: Written): unknown {
  if (type === 'button') return content.text
  if (type !== 'interactive') return undefined
  return ((content.button_reply ?? content.list_reply) as { title?: unknown } | undefined)?.title
}

/** Returns the text, the tapped title, or the caption; undefined if the message has none of them. */
export function customerText({ type, content }: Written): string | undefined {
  const text = messageWords(type, content, null)
  return text === null || text.trim() === '' ? undefined : text
}
