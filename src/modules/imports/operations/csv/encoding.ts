/** Whether a file is text that we read: another encoding is reported before a row of it is taken in, as its letters would be lost. */
import { isUtf8 } from 'node:buffer'

const LINE_END = 0x0a

/**
 * Looks at the bytes of a file as they go by, and at its end; throws for what is neither UTF-8 nor UTF-16 that says so in its
 * first two bytes (little-endian, as spreadsheets write it).
 */
export function encodingCheck(): { look(chunk: Buffer): void; end(): void } {
  let decoder: TextDecoder | undefined
  let line = 1
  const refuse = (): never => {
    throw new Error(
      `The file is not in UTF-8 (line ${line}). Save it as UTF-8, which spreadsheets call "CSV UTF-8"; nothing was taken in.`,
    )
  }
  return {
    look(chunk) {
      decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8', {
        fatal: true,
      })
      try {
        decoder.decode(chunk, { stream: true })
      } catch {
        line += linesBefore(chunk)
        refuse()
      }
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) line++
    },
    end() {
      try {
        decoder?.decode()
      } catch {
        refuse()
      }
    },
  }
}

/** How many lines end before the first whole one that is no UTF-8. */
function linesBefore(chunk: Buffer): number {
  let lines = 0
  for (let from = 0; from < chunk.length; lines++) {
    const end = chunk.indexOf(LINE_END, from)
    const line = chunk.subarray(from, end === -1 ? chunk.length : end)
    // The first may begin, and the last end, in the midst of a letter.
    if (from > 0 && !isUtf8(line)) return lines
    if (end === -1) return 0
    from = end + 1
  }
  return 0
}
