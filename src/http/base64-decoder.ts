/** Base64 as it arrives (RFC 4648 section 4). Spaces are skipped; padding may be missing at the end. */
export type Base64Decoder = {
  /** Decodes what is whole by now, in place: the answer is the beginning of `text`. Nothing after a fault. */
  push(text: Buffer): Buffer
  /** Says that there is no more. */
  finish(): void
  /** What is wrong with the text; undefined while nothing is. */
  fault(): string | undefined
}

const PADDING = 64
const SKIPPED = 65
const FOREIGN = 66

/** Of each character its six bits, or what else it is. */
const values = new Uint8Array(256).fill(FOREIGN)
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  values[character.charCodeAt(0)] = value
values[0x3d] = PADDING
values[0x20] = SKIPPED

const DATA_URL = 'data:'

/** Opens a decoder; it makes no strings and no buffers, whatever the length of the text. */
export function createBase64Decoder(): Base64Decoder {
  let beginning = ''
  /** Characters that counted, and the bits of them that are no whole byte yet. */
  let characters = 0
  let bits = 0
  let waiting = 0
  let padding = 0
  let seen = 0
  let fault: string | undefined

  function faultAt(position: number): string {
    if (beginning === DATA_URL) return 'must be the base64 bytes alone, without the data: prefix'
    return `is not base64: character ${position + 1} does not belong to it`
  }

  return {
    push(text) {
      if (beginning.length < DATA_URL.length)
        beginning = (beginning + text.toString('latin1', 0, DATA_URL.length)).slice(0, DATA_URL.length)
      let written = 0
      for (let at = 0; at < text.length && fault === undefined; at++) {
        const value = values[text[at]!]!
        if (value < PADDING && padding === 0) {
          characters++
          waiting = (waiting << 6) | value
          bits += 6
          if (bits >= 8) {
            bits -= 8
            // A byte is whole only after its character was read: it never overtakes the reading.
            text[written++] = waiting >> bits
            waiting &= (1 << bits) - 1
          }
        } else if (value === PADDING) padding++
        else if (value !== SKIPPED) fault = faultAt(seen + at)
      }
      seen += text.length
      return text.subarray(0, fault === undefined ? written : 0)
    },
    finish() {
      const padded = padding === 0 || (padding <= 2 && (characters + padding) % 4 === 0)
      if (characters % 4 === 1 || !padded) fault ??= 'is not base64: it ends in the middle'
    },
    fault: () => fault,
  }
}
