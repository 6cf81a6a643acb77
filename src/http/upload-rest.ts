/** What is kept of an upload beside its file: the text of a JSON object, within a bound. */

/** What stands beside the file may be as long as other bodies. */
const MAX_REST_BYTES = 64 * 1024
/** A text beside the file that is longer is refused whatever it says, and need not be kept. */
const MAX_TEXT_BYTES = 8 * 1024
const TOO_LONG = Buffer.from('x'.repeat(1024))
const QUOTE = Buffer.from('"')

/** More than the rest may hold was beside the file. */
export class RestTooLarge extends Error {}

export type UploadRest = {
  /** Keeps bytes as they are. Throws `RestTooLarge`. */
  keep(piece: Buffer): void
  /** A text begins. */
  beginText(): void
  /** Keeps what comes of the text, or a stand-in for one that is too long. */
  keepText(piece: Buffer): void
  /** The text ends; what was kept of it, with its quotes. */
  endText(): Buffer
  bytes(): Buffer
}

export function createUploadRest(): UploadRest {
  const bytes = Buffer.allocUnsafe(MAX_REST_BYTES)
  let length = 0
  let textStart = 0
  let tooLong = false

  const keep = (piece: Buffer): void => {
    if (length + piece.length > bytes.length) throw new RestTooLarge()
    length += piece.copy(bytes, length)
  }

  return {
    keep,
    beginText: () => {
      textStart = length
      tooLong = false
      keep(QUOTE)
    },
    keepText: (piece) => {
      if (tooLong) return
      if (length - textStart + piece.length <= MAX_TEXT_BYTES) {
        keep(piece)
        return
      }
      tooLong = true
      length = textStart + 1
      keep(TOO_LONG)
    },
    endText: () => {
      keep(QUOTE)
      return bytes.subarray(textStart, length)
    },
    bytes: () => bytes.subarray(0, length),
  }
}
