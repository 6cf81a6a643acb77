/** The lines of a text file, each with its end, one at a time: whatever the file's size, one line is in memory. */
import type { Readable } from 'node:stream'
import type { Encoding } from './encoding.ts'

export type Line = {
  /** Counted from 1. */
  number: number
  /** With its end; of one that is too long the beginning. */
  text: string
  isTooLong: boolean
}

/** A file as it is read from the beginning, as often as wanted. */
export type TextSource = { stream(): Readable }
/** `head`: how its text begins, at most HEAD_CHARACTERS. */
export type TextFile = TextSource & { encoding: Encoding; head: string }

const HEAD_CHARACTERS = 64 * 1024

/** The text of a file, piece by piece, without the mark before it. */
async function* piecesOf({ stream }: TextSource, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of stream() as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** A file whose encoding is known. */
export async function textOf(source: TextSource, encoding: Encoding): Promise<TextFile> {
  let head = ''
  for await (const piece of piecesOf(source, encoding)) {
    head += piece
    if (head.length >= HEAD_CHARACTERS) break
  }
  return { encoding, head: head.slice(0, HEAD_CHARACTERS), stream: () => source.stream() }
}

/** Lines end in LF or CRLF; in CR alone where the beginning of the file has no LF outside quoted cells. */
function lineEnd(head: string): string {
  if (!head.includes('\r') || head.includes('\r\n')) return '\n'
  let isQuoted = false
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) return '\n'
  }
  return '\r'
}

/** The lines of a file. What goes beyond `maxLength` characters of a line is left out, and the line says so. */
export async function* linesOf(file: TextFile, maxLength: number): AsyncGenerator<Line> {
  const end = lineEnd(file.head)
  let number = 1
  let text = ''
  let isTooLong = false
  const add = (more: string) => {
    isTooLong ||= text.length + more.length > maxLength
    text += more.slice(0, Math.max(0, maxLength - text.length))
  }
  for await (const piece of piecesOf(file, file.encoding)) {
    let from = 0
    for (let at = piece.indexOf(end); at !== -1; at = piece.indexOf(end, from)) {
      add(piece.slice(from, at + 1))
      yield { number: number++, text, isTooLong }
      text = ''
      isTooLong = false
      from = at + 1
    }
    add(piece.slice(from))
  }
  if (text !== '') yield { number, text, isTooLong }
}
