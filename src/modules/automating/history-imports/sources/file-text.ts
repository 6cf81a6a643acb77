/** Opens an import's file as text, for the readers of lines and rows. */
import { Readable } from 'node:stream'
import { type Encoding, encodingEvidence } from '../../imports/operations/csv/encoding.ts'
import { type TextFile, type TextSource, textOf } from '../../imports/operations/csv/text-lines.ts'
import { HistoryFault, type HistoryFile } from '../history-source.ts'

/** Returns a source of text that opens its bytes when they are read. */
export const textSourceOf = (open: () => Promise<Readable>): TextSource => ({
  stream: () =>
    Readable.from(
      (async function* () {
        yield* await open()
      })(),
    ),
})

/** Returns the import's file. An import of the command line has its file only there. */
export function requireFile(file: HistoryFile | null): HistoryFile {
  if (file) return file
  throw new HistoryFault('The file of this import is on the command line. Continue it there with --resume.')
}

/**
 * Opens text in any encoding. Throws a `HistoryFault` if its bytes don't decide the encoding. Errors of the store remain errors, so
 * that the job tries again.
 */
export async function openText(source: TextSource): Promise<TextFile> {
  const evidence = encodingEvidence()
  for await (const chunk of source.stream() as AsyncIterable<Uint8Array>) evidence.look(chunk)
  let encoding: Encoding
  try {
    encoding = evidence.decide()
  } catch (error) {
    throw asFault(error)
  }
  return textOf(source, encoding)
}

/** Returns an error about a file that a person can act on. */
export const asFault = (error: unknown): HistoryFault =>
  error instanceof HistoryFault
    ? error
    : new HistoryFault(error instanceof Error ? error.message : String(error))
