/** Reads a zip file from any place, entry by entry, with bounds. */
import { Readable } from 'node:stream'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { HistoryFault, type HistoryFile } from '../../history-source.ts'

const MAX_ENTRIES = 20_000
const GIB = 1024 ** 3
/** The most that all entries may contain, as the file declares it. The reader stops at an entry that contains more. */
const MAX_UNPACKED_BYTES = 8 * GIB
const MAX_NAME = 255
/** A folder that one system adds, with notes about each file under the same name. */
const MAC_FOLDER = '__MACOSX/'

const DAMAGED = "The zip file is damaged, or isn't one. Export the chat again."

/** An open zip file: its entries by their names without folders. */
export type OpenZip = {
  entries: ReadonlyMap<string, Entry>
  read(entry: Entry): AsyncGenerator<Uint8Array>
  close(): void
}

class FileReader extends yauzl.RandomAccessReader {
  file: HistoryFile
  /** Why the bytes could not be read. It says nothing about the zip file itself. */
  fault: unknown
  constructor(file: HistoryFile) {
    super()
    this.file = file
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.bytes(start, end - 1), { objectMode: false })
  }
  async *bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      yield* (await this.file.open({ start, end })) as AsyncIterable<Uint8Array>
    } catch (error) {
      this.fault = error
      throw error
    }
  }
  /** Returns the error that a reader of the zip file gets. */
  faultOf(error: unknown): unknown {
    return this.fault ?? (error instanceof HistoryFault ? error : new HistoryFault(DAMAGED))
  }
}

/** Opens a zip file. Throws a `HistoryFault` for damaged, encrypted, and far too large ones, and for unsafe names. */
export async function openZip(file: HistoryFile): Promise<OpenZip> {
  const reader = new FileReader(file)
  let zip: ZipFile
  try {
    zip = await yauzl.fromRandomAccessReaderPromise(reader, file.sizeBytes, {
      autoClose: false,
      lazyEntries: true,
      validateEntrySizes: true,
    })
  } catch (error) {
    throw reader.faultOf(error)
  }
  try {
    const entries = await entriesOf(zip)
    return { entries, read: (entry) => unpacked(zip, reader, entry), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw reader.faultOf(error)
  }
}

/** Yields the bytes of an entry. Throws a `HistoryFault` if they are damaged, or more than the entry declares. */
async function* unpacked(zip: ZipFile, reader: FileReader, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw reader.faultOf(error)
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
    const path = pathOf(entry)
    const name = path.split('/').at(-1)!
    if (path.startsWith(MAC_FOLDER) || name === '' || name.length > MAX_NAME) continue
    if (!entries.has(name)) entries.set(name, entry)
  }
  return entries
}

/** Some programs store names in UTF-8 without the mark that says so. */
function pathOf({ fileName, fileNameRaw }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw).normalize('NFC')
  } catch {
    return fileName.normalize('NFC')
  }
}
