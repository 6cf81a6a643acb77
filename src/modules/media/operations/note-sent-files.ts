import type { Tx } from '../../../core/context.ts'
import { insertSentFiles, type SentFile } from '../queries.ts'

/** Notes which uploads messages carry in their headers, so that these go with the last such message. */
export const noteSentFiles = async (tx: Tx, files: SentFile[]): Promise<void> => {
  if (files.length > 0) await insertSentFiles(tx, files)
}
