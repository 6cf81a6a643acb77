/**
 * Reads forward through a file that arrives in pieces: headers are read, the large parts between them are
 * skipped.
 */
export type FileReader = {
  /** Returns a copy of the next `count` bytes; undefined if the file ends before. */
  take(count: number): Promise<Buffer | undefined>
  /** Skips `count` bytes; returns false if the file ends before. */
  skip(count: number): Promise<boolean>
  /** Stops reading. */
  close(): Promise<void>
}

/** `pieces` may reuse one buffer: each piece is read before the next is requested. */
export function fileReader(pieces: AsyncIterable<Buffer>): FileReader {
  const source = pieces[Symbol.asyncIterator]()
  let piece: Buffer = Buffer.alloc(0)

  /** Returns whether there is at least one more byte. */
  const more = async (): Promise<boolean> => {
    while (piece.length === 0) {
      const next = await source.next()
      if (next.done) return false
      piece = next.value
    }
    return true
  }

  return {
    async take(count) {
      const bytes = Buffer.alloc(count)
      for (let filledBytes = 0; filledBytes < count; ) {
        if (!(await more())) return undefined
        const copied = piece.copy(bytes, filledBytes)
        filledBytes += copied
        piece = piece.subarray(copied)
      }
      return bytes
    },
    async skip(count) {
      for (let left = count; left > 0; ) {
        if (!(await more())) return false
        const skippedBytes = Math.min(left, piece.length)
        left -= skippedBytes
        piece = piece.subarray(skippedBytes)
      }
      return true
    },
    async close() {
      await source.return?.()
    },
  }
}
