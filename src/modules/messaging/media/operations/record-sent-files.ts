import type { Tx } from '../../../../core/context.ts'
import { insertSentFiles, type SentFile } from '../queries.ts'

/**
 * Records which uploads are in the headers of messages, so that an upload is deleted with its last message.
 */
export const recordSentFiles = async (tx: Tx, files: SentFile[]): Promise<void> => {
  if (files.length > 0) await insertSentFiles(tx, files)
}
