/** Reads an account of Chatwoot batch by batch (DECISIONS.md "Chatwoot"). */
import type { HistorySource } from '../../history-source.ts'
import { HistoryFault } from '../../history-source.ts'
import { Position } from './position.ts'
import type { Reading } from './read-answer.ts'
import { readChats } from './read-chats.ts'
import { readContacts, readLabel } from './read-contacts.ts'
import { startReading } from './start.ts'

/** The settings that an import stores. The token is its secret. */
export type ChatwootSettings = { url: string; accountId: number }

export const chatwootSource: HistorySource<ChatwootSettings> = {
  name: 'chatwoot',
  async open(tools, { settings: { url, accountId }, secret, phoneNumberId, isDryRun }) {
    if (secret === null)
      throw new HistoryFault('The token of this import was deleted. Create another import.')
    const reading: Reading = { tools, account: { url, accountId, token: secret }, phoneNumberId, isDryRun }
    return {
      async next(stored) {
        if (stored === null) return startReading(reading)
        const position = Position.parse(stored)
        if (position.step === 'contacts') return readContacts(reading, position)
        return position.step === 'labels' ? readLabel(reading, position) : readChats(reading, position)
      },
      async close() {},
    }
  },
}
