/** Reads forward through a file that arrives in pieces: its headers are small, what lies between them is skipped. */
export type FileReader = {
  /** The next `count` bytes, in a buffer of their own; undefined when the file ends before. */
  take(count: number): Promise<Buffer | undefined>
  /** Goes on `count` bytes; false when the file ends before. */
  skip(count: number): Promise<boolean>
  /** Stops reading. */
  close(): Promise<void>
}

/** `pieces` may come in one buffer that is used again: a piece is read before the next is asked for. */
export function fileReader(pieces: AsyncIterable<Buffer>): FileReader {
  const source = pieces[Symbol.asyncIterator]()
  let piece: Buffer = Buffer.alloc(0)

  /** Whether there is at least one more byte. */
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
      const taken = Buffer.alloc(count)
      for (let filled = 0; filled < count; ) {
        if (!(await more())) return undefined
        const copied = piece.copy(taken, filled)
        filled += copied
        piece = piece.subarray(copied)
      }
      return taken
    },
    async skip(count) {
      for (let left = count; left > 0; ) {
        if (!(await more())) return false
        const skipped = Math.min(left, piece.length)
        left -= skipped
        piece = piece.subarray(skipped)
      }
      return true
    },
    async close() {
      await source.return?.()
    },
  }
}
