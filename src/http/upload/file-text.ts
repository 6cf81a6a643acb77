/** Decodes the file in a JSON body as it arrives: resolves the string's escapes, then decodes its base64. */
import { type Base64Decoder, createBase64Decoder } from '../wire/base64-decoder.ts'

export type FileText = {
  /** Starts the field, also when the name is repeated. */
  begin(): void
  /** Reserves space for a piece of this many bytes. Data decoded from the previous piece becomes invalid. */
  nextPiece(length: number): void
  /** Reads from `start` to the end of the string or of the piece. */
  read(piece: Buffer, start: number): { at: number; decoded: Buffer[]; ended: boolean }
  /** Returns the fault of the text. */
  fault(): string | undefined
  /** Returns whether the text contains something that JSON doesn't allow in a string. */
  isBroken(): boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** `\/`, and the blanks that some writers put into long lines. */
const ESCAPES: Record<string, number> = { '/': 0x2f, n: SPACE, r: SPACE, t: SPACE, f: SPACE }
const isBlank = (code: number): boolean => code === SPACE || code === 0x0a || code === 0x0d || code === 0x09

/**
 * Returns the character of an escape; undefined while the escape is incomplete. A character outside base64 is
 * a fault of the field.
 */
function unescaped(sequence: string): { code: number; broken: boolean } | undefined {
  const letter = sequence[1] as string
  if (letter !== 'u') {
    const code = ESCAPES[letter]
    return { code: code ?? BACKSLASH, broken: code === undefined && !'"\\b'.includes(letter) }
  }
  if (sequence.length < 6) return undefined
  if (!/^\\u[0-9a-fA-F]{4}$/.test(sequence)) return { code: BACKSLASH, broken: true }
  const code = Number.parseInt(sequence.slice(2), 16)
  return { code: code > 0x7e ? BACKSLASH : isBlank(code) ? SPACE : code, broken: false }
}

/** Returns whether a JSON string contains raw control characters, which JSON doesn't allow. */
function hasControl(piece: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (piece[i]! < SPACE) return true
  return false
}

export function createFileText(): FileText {
  /** An escape that isn't complete yet. */
  let pendingEscape = ''
  let decoder: Base64Decoder | undefined
  let fault: string | undefined
  let broken = false
  let gathered = Buffer.allocUnsafe(0)
  let length = 0
  let decodedTo = 0

  function readEscape(byte: number): void {
    pendingEscape += String.fromCharCode(byte)
    const character = unescaped(pendingEscape)
    if (!character) return
    if (character.broken) broken = true
    gathered[length++] = character.code
    pendingEscape = ''
  }

  /** Collects text up to the closing quote, or to the end of the piece. */
  function gather(piece: Buffer, start: number, quote: number): { at: number; ended: boolean } {
    let position = start
    let closing = quote
    while (position < piece.length) {
      if (pendingEscape !== '') {
        readEscape(piece[position++]!)
        // The quote belonged to the escape, so find the next one.
        if (closing >= 0 && closing < position) closing = piece.indexOf(QUOTE, position)
        continue
      }
      const backslash = piece.subarray(position, closing < 0 ? piece.length : closing).indexOf(BACKSLASH)
      const end = backslash >= 0 ? position + backslash : closing >= 0 ? closing : piece.length
      length += piece.copy(gathered, length, position, end)
      position = end
      if (backslash >= 0) {
        pendingEscape = '\\'
        position++
      } else if (position < piece.length) return { at: position + 1, ended: true }
    }
    return { at: position, ended: false }
  }

  /** Decodes the text collected since the last call. */
  function decode(ended: boolean): Buffer[] {
    const fresh = gathered.subarray(decodedTo, length)
    decodedTo = length
    if (!decoder || fault !== undefined) return []
    const decoded = decoder.push(fresh)
    if (ended) decoder.finish()
    fault = decoder.fault()
    return [decoded]
  }

  return {
    begin() {
      decoder = createBase64Decoder()
      fault = undefined
    },
    nextPiece(bytes) {
      length = 0
      decodedTo = 0
      if (gathered.length < bytes + 8) gathered = Buffer.allocUnsafe(bytes + 8)
    },
    read(piece, start) {
      const { at, ended } = gather(piece, start, piece.indexOf(QUOTE, start))
      const decoded = length > decodedTo || ended ? decode(ended) : []
      // A control character always causes a fault of the field first, so the scan runs only then.
      if (fault !== undefined && hasControl(piece, start, at)) broken = true
      return { at, decoded, ended }
    },
    fault: () => fault,
    isBroken: () => broken,
  }
}
