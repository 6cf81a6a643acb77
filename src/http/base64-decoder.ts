/** Base64 as it arrives (RFC 4648 section 4). Spaces are skipped; padding may be missing at the end. */
export type Base64Decoder = {
  /** Decodes what is whole by now; `text` is ASCII, and is overwritten. */
  push(text: Buffer): Buffer
  /** Decodes the rest. */
  finish(): Buffer
  /** What is wrong with the text; undefined while nothing is. Nothing is decoded after a fault. */
  fault(): string | undefined
}

const ALPHABET = 1
const PADDING = 2
const SKIPPED = 3
const EQUALS = 0x3d

const classes = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  classes[character.charCodeAt(0)] = ALPHABET
classes[EQUALS] = PADDING
classes[0x20] = SKIPPED

const DATA_URL = 'data:'
const NOTHING = Buffer.alloc(0)

export function createBase64Decoder(): Base64Decoder {
  /** Up to three characters that wait for their fourth. */
  let waiting = ''
  let beginning = ''
  let padding = 0
  let seen = 0
  let fault: string | undefined

  function faultAt(position: number): string {
    if (beginning === DATA_URL) return 'must be the base64 bytes alone, without the data: prefix'
    return `is not base64: character ${position + 1} does not belong to it`
  }

  /** Moves the characters that count to the front of `text`; how many they are. */
  function compact(text: Buffer): number {
    let kept = 0
    for (let at = 0; at < text.length; at++) {
      const kind = classes[text[at]!]
      if (kind === ALPHABET && padding === 0) text[kept++] = text[at]!
      else if (kind === PADDING) padding++
      else if (kind !== SKIPPED) {
        fault = faultAt(seen + at)
        return 0
      }
    }
    return kept
  }

  return {
    push(text) {
      if (fault !== undefined) return NOTHING
      if (beginning.length < DATA_URL.length)
        beginning = (beginning + text.toString('latin1', 0, DATA_URL.length)).slice(0, DATA_URL.length)
      const characters = waiting + text.toString('latin1', 0, compact(text))
      seen += text.length
      if (fault !== undefined) return NOTHING
      const whole = characters.length - (characters.length % 4)
      waiting = characters.slice(whole)
      return Buffer.from(characters.slice(0, whole), 'base64')
    },
    finish() {
      if (fault !== undefined) return NOTHING
      const padded = padding === 0 || (padding <= 2 && (waiting.length + padding) % 4 === 0)
      if (waiting.length === 1 || !padded) {
        fault = 'is not base64: it ends in the middle'
        return NOTHING
      }
      return Buffer.from(waiting, 'base64')
    },
    fault: () => fault,
  }
}
