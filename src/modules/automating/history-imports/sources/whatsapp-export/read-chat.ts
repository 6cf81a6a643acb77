/** Reads an exported chat, message by message; a message may have several lines. */
import { yieldPeriodically } from '../../../../../core/yield-periodically.ts'
import { linesOf, type TextFile } from '../../../imports/operations/csv/text-lines.ts'
import { type MessageStart, messageStart } from './line-header.ts'

const MAX_LINE = 64 * 1024
export const MAX_TEXT = 65_536

/** A message as the file has it. `line`: its first line. */
export type ChatMessage = MessageStart & { line: number; isTooLong: boolean }

/** Yields the messages of a chat. Lines before the first message are skipped. */
export async function* readChat(file: TextFile): AsyncGenerator<ChatMessage> {
  const giveWay = yieldPeriodically()
  let current: ChatMessage | undefined
  let form: string | undefined
  for await (const { number, text, isTooLong } of linesOf(file, MAX_LINE)) {
    await giveWay()
    const line = text.replace(/\r?\n$|\r$/, '')
    const start = messageStart(line)
    form ??= start?.form
    if (start && start.form === form) {
      if (current) yield current
      current = { ...start, line: number, isTooLong }
    } else if (current) {
      current.isTooLong ||= isTooLong || current.text.length + line.length > MAX_TEXT
      if (!current.isTooLong) current.text += `\n${line}`
    }
  }
  if (current) yield current
}
