/** The text of the file inside a JSON body: its escapes are undone, its base64 is decoded as it comes. */
import { type Base64Decoder, createBase64Decoder } from './base64-decoder.ts'

export type FileText = {
  /** The field begins, or begins anew. */
  begin(): void
  /** Makes room for what a piece of so many bytes may hold. What was decoded of the piece before is valid no more. */
  nextPiece(length: number): void
  /** Reads on from `start`, up to the end of the text or of the piece. */
  read(piece: Buffer, start: number): { at: number; decoded: Buffer[]; ended: boolean }
  /** What is wrong with the text. */
  fault(): string | undefined
  /** Whether it holds what JSON does not allow in a text. */
  isBroken(): boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** `\/` and the blanks that writers of long lines leave. */
const ESCAPES: Record<string, number> = { '/': 0x2f, n: SPACE, r: SPACE, t: SPACE, f: SPACE }
const isBlank = (code: number): boolean => code === SPACE || code === 0x0a || code === 0x0d || code === 0x09

/** What an escape stands for; undefined while it is not complete. What no base64 holds is a fault of the field. */
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

/** Whether raw control characters stand in a text of JSON, where they may not. */
function hasControl(piece: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (piece[at]! < SPACE) return true
  return false
}

export function createFileText(): FileText {
  /** An escape that is not complete yet. */
  let pendingEscape = ''
  let decoder: Base64Decoder | undefined
  let fault: string | undefined
  let broken = false
  let gathered = Buffer.allocUnsafe(0)
  let length = 0
  let decodedTo = 0

  function readEscape(byte: number): void {
    pendingEscape += String.fromCharCode(byte)
    const meant = unescaped(pendingEscape)
    if (!meant) return
    if (meant.broken) broken = true
    gathered[length++] = meant.code
    pendingEscape = ''
  }

  /** Gathers up to the closing quote, if the piece has it. */
  function gather(piece: Buffer, start: number, quote: number): { at: number; ended: boolean } {
    let at = start
    let closing = quote
    while (at < piece.length) {
      if (pendingEscape !== '') {
        readEscape(piece[at++]!)
        // The quote that was seen belonged to the escape.
        if (closing >= 0 && closing < at) closing = piece.indexOf(QUOTE, at)
        continue
      }
      const backslash = piece.subarray(at, closing < 0 ? piece.length : closing).indexOf(BACKSLASH)
      const end = backslash >= 0 ? at + backslash : closing >= 0 ? closing : piece.length
      length += piece.copy(gathered, length, at, end)
      at = end
      if (backslash >= 0) {
        pendingEscape = '\\'
        at++
      } else if (at < piece.length) return { at: at + 1, ended: true }
    }
    return { at, ended: false }
  }

  /** Decodes what was gathered since the last time. */
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
      // Such a character is always a fault of the field first.
      if (fault !== undefined && hasControl(piece, start, at)) broken = true
      return { at, decoded, ended }
    },
    fault: () => fault,
    isBroken: () => broken,
  }
}
