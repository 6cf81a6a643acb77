/** The parts of the reader of zip files that imports use; the package has no types of its own. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream'

  export type Entry = {
    fileName: string
    fileNameRaw: Uint8Array
    uncompressedSize: number
    isEncrypted(): boolean
    canDecodeFileData(): boolean
  }

  export type ZipFile = {
    entryCount: number
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
    close(): void
  }

  export class RandomAccessReader {
    _readStreamForRange(start: number, end: number): Readable
  }

  type Options = { autoClose?: boolean; lazyEntries?: boolean; validateEntrySizes?: boolean }

  const yauzl: {
    RandomAccessReader: typeof RandomAccessReader
    fromRandomAccessReaderPromise(
      reader: RandomAccessReader,
      totalSize: number,
      options?: Options,
    ): Promise<ZipFile>
  }
  export default yauzl
}
