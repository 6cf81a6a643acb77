import type { MessageRow } from './queries/messages.ts'

/** What a message says, as it is compared: the network may trim it. */
export const saidText = ({ content }: Pick<MessageRow, 'content'>): string | null =>
  typeof content.text === 'string' ? content.text.trim() : null

/** Whether two messages say the same. */
export const saysSame = (one: Pick<MessageRow, 'content'>, other: Pick<MessageRow, 'content'>): boolean =>
  saidText(one) === saidText(other)
