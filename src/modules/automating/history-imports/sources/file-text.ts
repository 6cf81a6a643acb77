/** Opens an import's file as text, for the readers of lines and rows. */
import { Readable } from 'node:stream'
import { encodingOf } from '../../imports/operations/csv/encoding.ts'
import { type TextFile, type TextSource, textOf } from '../../imports/operations/csv/text-lines.ts'
import { HistoryFault } from '../history-source.ts'

/** Returns a source of text that opens its bytes when they are read. */
export const textSourceOf = (open: () => Promise<Readable>): TextSource => ({
  stream: () =>
    Readable.from(
      (async function* () {
        yield* await open()
      })(),
    ),
})

/** Opens text in any encoding. Throws a `HistoryFault` if its bytes don't decide the encoding. */
export async function openText(source: TextSource): Promise<TextFile> {
  try {
    return await textOf(source, await encodingOf(source.stream()))
  } catch (error) {
    throw asFault(error)
  }
}

/** Returns an error about a file that a person can act on. */
export const asFault = (error: unknown): HistoryFault =>
  error instanceof HistoryFault
    ? error
    : new HistoryFault(error instanceof Error ? error.message : String(error))
