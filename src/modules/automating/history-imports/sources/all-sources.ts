/** The sources of past messages, by name. */
import type { PastSource } from '../../../messaging/messages/past/past-message.ts'
import type { HistoryFile, HistorySource, SourceTools } from '../history-source.ts'
import type { FILE_SOURCES, FileChoices } from '../schema.ts'
import { chatwootSource } from './chatwoot/chatwoot-source.ts'
import { historyFileSource } from './history-file/history-file-source.ts'
import { whatsappExportSource } from './whatsapp-export/whatsapp-export-source.ts'

/** The choices of a person about a file, with its name. */
export type ChoicesOfFile = FileChoices & { filename: string }

/**
 * A source that reads a file. `prepare` reads it once: it throws a `HistoryFault` or refuses if it cannot be imported. `phone`: the
 * only customer of the file, with whose erasure the import is forgotten.
 */
export type FileSource = HistorySource<never> & {
  prepare(
    tools: SourceTools,
    file: HistoryFile,
    choices: ChoicesOfFile,
  ): Promise<{ settings: Record<string, unknown>; total: number; phone: string | null }>
}

const FILE_SOURCES_BY_NAME: Record<(typeof FILE_SOURCES)[number], FileSource> = {
  whatsapp_export: whatsappExportSource,
  history_file: historyFileSource,
}

export const fileSourceNamed = (name: (typeof FILE_SOURCES)[number]): FileSource => FILE_SOURCES_BY_NAME[name]

const SOURCES: Partial<Record<PastSource, HistorySource<never>>> = {
  ...FILE_SOURCES_BY_NAME,
  chatwoot: chatwootSource,
}

export function sourceNamed(name: PastSource): HistorySource<never> {
  const source = SOURCES[name]
  if (!source) throw new Error(`no source ${name}`)
  return source
}
