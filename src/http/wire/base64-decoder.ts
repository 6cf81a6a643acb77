/** Decodes base64 in chunks (RFC 4648 section 4). Spaces are skipped; padding at the end may be missing. */
export type Base64Decoder = {
  /**
   * Decodes all complete bytes in place and returns them, as the beginning of `text`. Returns nothing after a
   * fault.
   */
  push(text: Buffer): Buffer
  /** Marks the end of the input. */
  finish(): void
  /** Returns the fault of the text; undefined for valid text. */
  fault(): string | undefined
}

const PADDING = 64
const SKIPPED = 65
const FOREIGN = 66

/** Maps each character to its six bits, or to one of the marks above. */
const values = new Uint8Array(256).fill(FOREIGN)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let value = 0; value < ALPHABET.length; value++) values[ALPHABET.charCodeAt(value)] = value
values[0x3d] = PADDING
values[0x20] = SKIPPED

const DATA_URL = 'data:'

/** Creates a decoder. It allocates no strings or buffers, even for long texts. */
export function createBase64Decoder(): Base64Decoder {
  let beginning = ''
  const state: State = { characters: 0, bits: 0, waiting: 0, padding: 0 }
  let characters = 0
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
      if (foreign >= 0) fault = faultAt(characters + foreign)
      characters += text.length
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

/** Counted characters, leftover bits that aren't a whole byte yet, and padding characters. */
type State = { characters: number; bits: number; waiting: number; padding: number }

/**
 * Decodes in place. Returns the count of written bytes and the index of the first invalid character, or -1.
 */
function decodeInto(text: Buffer, state: State): { written: number; foreign: number } {
  // Local variables for speed: the loop runs for each character of up to 24 MB.
  let { characters, bits, waiting, padding } = state
  const length = text.length
  let written = 0
  let position = 0
  for (; position < length; position++) {
    const value = values[text[position]!]!
    if (value < PADDING) {
      if (padding > 0) break
      characters++
      waiting = ((waiting << 6) | value) & 0xffff
      bits += 6
      if (bits >= 8) {
        bits -= 8
        // A byte is complete only after its last character was read, so writes never overtake reads.
        text[written++] = waiting >> bits
      }
    } else if (value === PADDING) padding++
    else if (value !== SKIPPED) break
  }
  Object.assign(state, { characters, bits, waiting, padding })
  return { written, foreign: position < length ? position : -1 }
}
