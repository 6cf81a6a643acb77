/** Lists the domains that a text for a member may link to. Pure. */
import type { WritingTask } from './port.ts'
import { hostsIn, plainText } from './read-answer.ts'

/**
 * Returns the domains of a task: for a draft, those of the business's own texts, so that a customer's message
 * can't add a link; for a summary, those of the whole chat, which its reader has already seen.
 */
export function domainsOf(task: WritingTask): string[] {
  const texts =
    task.kind === 'summary'
      ? task.utterances.map(({ text }) => text)
      : [
          ...task.utterances.filter(({ by }) => by === 'business').map(({ text }) => text),
          ...task.savedReplies,
          ...task.instructions,
        ]
  const named = task.kind === 'summary' ? [] : task.domains
  return [...new Set([...named, ...texts.flatMap((text) => hostsIn(plainText(text)))])]
}
