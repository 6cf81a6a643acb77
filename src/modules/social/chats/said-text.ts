import type { MessageRow } from './queries/messages.ts'

/** Returns the text of a message for comparison: the network may trim it. */
export const saidText = ({ content }: Pick<MessageRow, 'content'>): string | null =>
  typeof content.text === 'string' ? content.text.trim() : null

/** Whether two messages have the same text. */
export const saysSame = (message: Pick<MessageRow, 'content'>, other: Pick<MessageRow, 'content'>): boolean =>
  saidText(message) === saidText(other)
