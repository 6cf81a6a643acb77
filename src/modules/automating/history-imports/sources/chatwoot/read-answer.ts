import type { ChatwootAccount, ChatwootAnswer } from '../../../../../chatwoot/port.ts'
import { HistoryFault, type SourceTools } from '../../history-source.ts'

/** The account that the steps read, and our number that its messages belong to. */
export type Reading = {
  tools: SourceTools
  account: ChatwootAccount
  phoneNumberId: string
  isDryRun: boolean
}

/**
 * Returns the value of an answer; undefined if the thing is gone. Throws a `HistoryFault` if a setting is wrong, and an error
 * for the engine's retry if Chatwoot can't answer now.
 */
export function answered<Value>(answer: ChatwootAnswer<Value>): Value | undefined {
  if (answer.kind === 'done') return answer.value
  if (answer.kind === 'gone') return undefined
  if (answer.kind === 'refused') throw new HistoryFault(answer.message)
  throw new Error(answer.reason)
}
