/** Reads a zip file from any place, entry by entry, with bounds. */
import { Readable } from 'node:stream'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { HistoryFault, type HistoryFile } from '../../history-source.ts'

const MAX_ENTRIES = 20_000
const GIB = 1024 ** 3
/** The most that all entries may contain, as the file declares it. The reader stops at an entry that contains more. */
const MAX_UNPACKED_BYTES = 8 * GIB
const MAX_NAME = 255

const DAMAGED = "The zip file is damaged, or isn't one. Export the chat again."

/** An open zip file: its entries by their names without folders. */
export type OpenZip = {
  entries: ReadonlyMap<string, Entry>
  read(entry: Entry): Promise<Readable>
  close(): void
}

class FileReader extends yauzl.RandomAccessReader {
  file: HistoryFile
  constructor(file: HistoryFile) {
    super()
    this.file = file
  }
  override _readStreamForRange(start: number, end: number): Readable {
    const { file } = this
    return Readable.from(
      (async function* () {
        yield* await file.open({ start, end: end - 1 })
      })(),
      { objectMode: false },
    )
  }
}

/** Opens a zip file. Throws a `HistoryFault` for damaged, encrypted, and far too large ones, and for unsafe names. */
export async function openZip(file: HistoryFile): Promise<OpenZip> {
  let zip: ZipFile
  try {
    zip = await yauzl.fromRandomAccessReaderPromise(new FileReader(file), file.sizeBytes, {
      autoClose: false,
      lazyEntries: true,
      validateEntrySizes: true,
    })
  } catch (error) {
    throw error instanceof HistoryFault ? error : new HistoryFault(DAMAGED)
  }
  try {
    const entries = await entriesOf(zip)
    return { entries, read: (entry) => zip.openReadStreamPromise(entry), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error instanceof HistoryFault ? error : new HistoryFault(DAMAGED)
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw new HistoryFault(`The zip file has more than ${MAX_ENTRIES} files. Export the chat without media.`)
  const entries = new Map<string, Entry>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize
    if (unpacked > MAX_UNPACKED_BYTES)
      throw new HistoryFault('The zip file is too large when it is unpacked. Export the chat without media.')
    if (entry.isEncrypted() || !entry.canDecodeFileData())
      throw new HistoryFault('The zip file is encrypted, or packed in an unknown way. Export the chat again.')
    const name = entry.fileName.split('/').at(-1)!
    if (name !== '' && name.length <= MAX_NAME && !entries.has(name)) entries.set(name, entry)
  }
  return entries
}
