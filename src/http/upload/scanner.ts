/**
 * Reads a JSON object with one long field in pieces: decodes that field, and keeps the rest for parsing at
 * the end. It checks only enough to find the field; the parser gets a placeholder for the field and decides
 * whether the text is valid JSON.
 */
import { BadBody } from '../wire/json-body.ts'
import { createFileText, type FileText } from './file-text.ts'
import { createUploadRest, type UploadRest } from './rest.ts'
import { createUploadStructure } from './structure.ts'

export type UploadScanner = {
  /**
   * Takes the next piece. The decoded data is valid until the next call. `restart`: the field started again,
   * so discard the data decoded before.
   */
  push(piece: Buffer): { decoded: Buffer[]; restart: boolean }
  /**
   * Returns the rest as JSON, with a placeholder for the field. Throws `BadBody` for text that can't be JSON.
   */
  rest(): Buffer
  /** Returns the fault of the field's text. */
  fault(): string | undefined
}

const STAND_IN = Buffer.from('file')

const NOTHING: Buffer[] = []

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Reads a kept string, from after its first quote to its last, or to the end of the piece. */
function textReader(rest: UploadRest): FileText['read'] {
  let escaped = false
  return (piece, start) => {
    let i = start
    for (; i < piece.length; i++) {
      const byte = piece[i]!
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) break
    }
    rest.keepText(piece.subarray(start, i))
    const ended = i < piece.length
    return { at: ended ? i + 1 : i, decoded: NOTHING, ended }
  }
}

export function createUploadScanner(field: string): UploadScanner {
  const rest = createUploadRest()
  const structure = createUploadStructure(field, rest)
  const readText = textReader(rest)
  const file = createFileText()
  let place: 'outside' | 'text' | 'file' = 'outside'

  /** Handles the start of a string; returns whether it is the file. */
  function beginText(): boolean {
    const isFile = structure.beginText()
    place = isFile ? 'file' : 'text'
    rest.beginText()
    if (isFile) {
      rest.keepText(STAND_IN)
      file.begin()
    }
    return isFile
  }

  function endText(): void {
    const text = rest.endText()
    if (place === 'text') structure.endText(text)
    place = 'outside'
  }

  return {
    push(piece) {
      file.nextPiece(piece.length)
      let decoded: Buffer[] = []
      let restart = false
      for (let position = 0; position < piece.length; ) {
        if (place === 'outside') {
          const read = structure.read(piece, position)
          position = read.at
          if (read.ended && beginText()) {
            restart = true
            decoded = []
          }
          continue
        }
        const read = place === 'text' ? readText(piece, position) : file.read(piece, position)
        position = read.at
        decoded.push(...read.decoded)
        if (read.ended) endText()
      }
      return { decoded, restart }
    },
    rest() {
      if (file.isBroken()) throw new BadBody('invalid_json', "The body isn't valid JSON.")
      return rest.bytes()
    },
    fault: file.fault,
  }
}
