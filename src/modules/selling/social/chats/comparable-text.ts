import type { MessageRow } from './queries/messages.ts'

/** Returns the text of a message for comparison: the network may trim it. */
export const comparableText = ({ content }: Pick<MessageRow, 'content'>): string | null =>
  typeof content.text === 'string' ? content.text.trim() : null

/** Returns whether two messages have the same text. */
export const hasSameText = (
  message: Pick<MessageRow, 'content'>,
  other: Pick<MessageRow, 'content'>,
): boolean => comparableText(message) === comparableText(other)
