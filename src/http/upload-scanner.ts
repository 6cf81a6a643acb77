/**
 * A JSON object with one long field, read in pieces. The text of that field is decoded and handed on; everything else
 * is kept, and parsed at the end by the rules of all bodies. Only what is needed to find the field is looked at here:
 * whether the text is JSON at all is decided by the parser, before which a stand-in takes the place of the field.
 */
import { BadBody } from './json-body.ts'
import { createFileText } from './upload-file-text.ts'

export type UploadScanner = {
  /**
   * Takes the next piece. What is decoded is valid until the next. `restart` says that the field began anew: what was
   * decoded before counts no more.
   */
  push(piece: Buffer): { decoded: Buffer[]; restart: boolean }
  /** All but the field, as JSON, with a stand-in for it. Throws `BadBody` for what cannot be JSON. */
  rest(): Buffer
  /** What is wrong with the field's text. */
  fault(): string | undefined
}

/** What stands beside the file may be as long as other bodies. */
export const MAX_REST_BYTES = 64 * 1024
/** A text beside the file that is longer is refused whatever it says, and need not be kept. */
const MAX_TEXT_BYTES = 8 * 1024
const TOO_LONG = Buffer.from('x'.repeat(1024))
const STAND_IN = Buffer.from('"file')

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

const isBlank = (byte: number): boolean => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09

/** More than the rest may hold was beside the file. */
export class RestTooLarge extends Error {}

export function createUploadScanner(field: string): UploadScanner {
  const rest = Buffer.allocUnsafe(MAX_REST_BYTES)
  let restLength = 0
  let place: 'outside' | 'text' | 'file' = 'outside'
  let depth = 0
  let afterBlank = false
  let inObject = false
  /** The last of `{ [ , :` at the top. */
  let mark = 0
  let key: string | undefined
  let isKey = false
  let textStart = 0
  let tooLong = false
  let escaped = false
  const file = createFileText()

  function keep(bytes: Buffer): void {
    if (restLength + bytes.length > rest.length) throw new RestTooLarge()
    restLength += bytes.copy(rest, restLength)
  }

  function outside(piece: Buffer, start: number): number {
    let from = start
    for (let at = start; at < piece.length; at++) {
      const byte = piece[at]!
      if (byte === QUOTE) {
        keep(piece.subarray(from, at))
        afterBlank = false
        beginText()
        return at + 1
      }
      if (isBlank(byte)) {
        // Of many blanks one is enough.
        if (afterBlank) {
          keep(piece.subarray(from, at))
          from = at + 1
        }
        afterBlank = true
        continue
      }
      afterBlank = false
      if (byte === 0x7b || byte === 0x5b) {
        if (++depth === 1) inObject = byte === 0x7b
      } else if (byte === 0x7d || byte === 0x5d) depth--
      if (depth === 1 && (byte === 0x7b || byte === 0x2c || byte === 0x3a)) mark = byte
    }
    keep(piece.subarray(from))
    return piece.length
  }

  function beginText(): void {
    const atTop = depth === 1 && inObject
    isKey = atTop && mark !== 0x3a
    if (atTop && !isKey && key === field) {
      place = 'file'
      keep(STAND_IN)
      file.begin()
      return
    }
    place = 'text'
    textStart = restLength
    tooLong = false
    keep(Buffer.from('"'))
  }

  function text(piece: Buffer, start: number): number {
    let at = start
    for (; at < piece.length; at++) {
      const byte = piece[at]!
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) break
    }
    const ends = at < piece.length
    if (!tooLong && restLength - textStart + (at - start) > MAX_TEXT_BYTES) {
      tooLong = true
      restLength = textStart + 1
      keep(TOO_LONG)
    } else if (!tooLong) keep(piece.subarray(start, at))
    if (!ends) return at
    keep(Buffer.from('"'))
    if (isKey) key = nameIn(rest.subarray(textStart, restLength))
    place = 'outside'
    return at + 1
  }

  return {
    push(piece) {
      file.nextPiece(piece.length)
      let decoded: Buffer[] = []
      let restart = false
      for (let at = 0; at < piece.length; ) {
        if (place === 'outside') {
          at = outside(piece, at)
          if ((place as string) === 'file') {
            restart = true
            decoded = []
          }
        } else if (place === 'text') at = text(piece, at)
        else {
          const read = file.read(piece, at)
          at = read.at
          decoded.push(...read.decoded)
          if (read.ended) {
            keep(Buffer.from('"'))
            place = 'outside'
          }
        }
      }
      return { decoded, restart }
    },
    rest() {
      if (file.isBroken()) throw new BadBody('invalid_json', 'The body is not valid JSON.')
      return rest.subarray(0, restLength)
    },
    fault: file.fault,
  }
}

function nameIn(text: Buffer): string | undefined {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}
