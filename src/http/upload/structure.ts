/**
 * Reads the text between the strings of a JSON object, as far as needed to find one field at the top level.
 */
import type { UploadRest } from './rest.ts'

export type UploadStructure = {
  /** Reads from `start` to the quote that starts a string, or to the end of the piece. */
  read(piece: Buffer, start: number): { at: number; ended: boolean }
  /** Handles the start of a string; returns whether it is the value of the field. */
  beginText(): boolean
  /** Handles the end of a string, with its kept text. */
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

/** Creates a reader that keeps the text it reads in `rest`, and only the first of several blanks. */
export function createUploadStructure(field: string, rest: UploadRest): UploadStructure {
  let depth = 0
  let inObject = false
  /** The last of `{ , :` at the top level. */
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
      for (let i = start; i < piece.length; i++) {
        const byte = piece[i]!
        if (byte === QUOTE) {
          rest.keep(piece.subarray(from, i))
          afterBlank = false
          return { at: i + 1, ended: true }
        }
        if (!isBlank(byte)) {
          afterBlank = false
          pass(byte)
        } else if (afterBlank) {
          rest.keep(piece.subarray(from, i))
          from = i + 1
        } else afterBlank = true
      }
      rest.keep(piece.subarray(from))
      return { at: piece.length, ended: false }
    },
    beginText: () => {
      const isTopLevel = depth === 1 && inObject
      isKey = isTopLevel && mark !== COLON
      return isTopLevel && !isKey && key === field
    },
    endText: (text) => {
      if (isKey) key = nameIn(text)
    },
  }
}
