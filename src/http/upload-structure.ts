/** Reads what stands between the texts of a JSON object, as far as needed to know the value of one field at its top. */
import type { UploadRest } from './upload-rest.ts'

export type UploadStructure = {
  /** Reads on from `start`, up to the quote that begins a text or to the end of the piece. */
  read(piece: Buffer, start: number): { at: number; ended: boolean }
  /** A text begins: whether it is the field's value. */
  beginText(): boolean
  /** It has ended, as it was kept. */
  endText(text: Buffer): void
}

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const LIST = 0x5b
const LIST_END = 0x5d

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function nameIn(text: Buffer): string | undefined {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What it reads is kept in `rest`; of many blanks one is. */
export function createUploadStructure(field: string, rest: UploadRest): UploadStructure {
  let depth = 0
  let inObject = false
  /** The last of `{ , :` at the top. */
  let mark = 0
  let key: string | undefined
  let isKey = false
  let afterBlank = false

  const pass = (byte: number): void => {
    if (byte === OBJECT || byte === LIST) {
      if (++depth === 1) inObject = byte === OBJECT
    } else if (byte === OBJECT_END || byte === LIST_END) depth--
    if (depth === 1 && (byte === OBJECT || byte === COMMA || byte === COLON)) mark = byte
  }

  return {
    read: (piece, start) => {
      let from = start
      for (let at = start; at < piece.length; at++) {
        const byte = piece[at]!
        if (byte === QUOTE) {
          rest.keep(piece.subarray(from, at))
          afterBlank = false
          return { at: at + 1, ended: true }
        }
        if (!isBlank(byte)) {
          afterBlank = false
          pass(byte)
        } else if (afterBlank) {
          rest.keep(piece.subarray(from, at))
          from = at + 1
        } else afterBlank = true
      }
      rest.keep(piece.subarray(from))
      return { at: piece.length, ended: false }
    },
    beginText: () => {
      const atTop = depth === 1 && inObject
      isKey = atTop && mark !== COLON
      return atTop && !isKey && key === field
    },
    endText: (text) => {
      if (isKey) key = nameIn(text)
    },
  }
}
