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
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let value = 0; value < ALPHABET.length; value++) values[ALPHABET.charCodeAt(value)] = value
values[0x3d] = PADDING
values[0x20] = SKIPPED

const DATA_URL = 'data:'

/** Opens a decoder; it makes no strings and no buffers, whatever the length of the text. */
export function createBase64Decoder(): Base64Decoder {
  let beginning = ''
  const state: State = { characters: 0, bits: 0, waiting: 0, padding: 0 }
  let seen = 0
  let fault: string | undefined

  function faultAt(position: number): string {
    if (beginning === DATA_URL) return 'Must be the base64 bytes alone, without the data: prefix.'
    return `is not base64: character ${position + 1} does not belong to it`
  }

  return {
    push(text) {
      if (fault !== undefined) return text.subarray(0, 0)
      if (beginning.length < DATA_URL.length)
        beginning = (beginning + text.toString('latin1', 0, DATA_URL.length)).slice(0, DATA_URL.length)
      const { written, foreign } = decodeInto(text, state)
      if (foreign >= 0) fault = faultAt(seen + foreign)
      seen += text.length
      return text.subarray(0, fault === undefined ? written : 0)
    },
    finish() {
      const { characters, padding } = state
      const padded = padding === 0 || (padding <= 2 && (characters + padding) % 4 === 0)
      if (characters % 4 === 1 || !padded) fault ??= 'is not base64: it ends in the middle'
    },
    fault: () => fault,
  }
}

/** Characters that counted, the bits of them that are no whole byte yet, and the padding. */
type State = { characters: number; bits: number; waiting: number; padding: number }

/** Decodes in place; says how many bytes came of it, and where a character stands that does not belong (or -1). */
function decodeInto(text: Buffer, state: State): { written: number; foreign: number } {
  // Locals: the loop runs once for each character of up to 24 MB.
  let { characters, bits, waiting, padding } = state
  const length = text.length
  let written = 0
  let at = 0
  for (; at < length; at++) {
    const value = values[text[at]!]!
    if (value < PADDING) {
      if (padding > 0) break
      characters++
      waiting = ((waiting << 6) | value) & 0xffff
      bits += 6
      if (bits >= 8) {
        bits -= 8
        // A byte is whole only after its character was read: it never overtakes the reading.
        text[written++] = waiting >> bits
      }
    } else if (value === PADDING) padding++
    else if (value !== SKIPPED) break
  }
  Object.assign(state, { characters, bits, waiting, padding })
  return { written, foreign: at < length ? at : -1 }
}
