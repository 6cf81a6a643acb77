/** Collects the rest of an upload besides its file: the text of a JSON object, with a size limit. */

/** The rest may be as long as other bodies. */
const MAX_REST_BYTES = 64 * 1024
/** A longer field is always refused, so its text isn't kept. */
const MAX_TEXT_BYTES = 8 * 1024
const TOO_LONG = Buffer.from('x'.repeat(1024))
const QUOTE = Buffer.from('"')

/** The rest of the body exceeds its limit. */
export class RestTooLarge extends Error {}

export type UploadRest = {
  /** Keeps bytes unchanged. Throws `RestTooLarge`. */
  keep(piece: Buffer): void
  /** Starts a string. */
  beginText(): void
  /** Keeps the next part of the string, or a placeholder for a string that is too long. */
  keepText(piece: Buffer): void
  /** Ends the string; returns the kept text with its quotes. */
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
