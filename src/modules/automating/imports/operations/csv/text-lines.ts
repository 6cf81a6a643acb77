/** Reads the lines of a text file of any size, each with its line end. Only one line is in memory. */
import type { Readable } from 'node:stream'
import type { Encoding } from './encoding.ts'

export type Line = {
  /** Counted from 1. */
  number: number
  /** With its line end. A line that is too long is cut. */
  text: string
  isTooLong: boolean
}

/** A file that can be read from the beginning any number of times. */
export type TextSource = { stream(): Readable }
/** `head`: the beginning of its text, at most HEAD_CHARACTERS. */
export type TextFile = TextSource & { encoding: Encoding; head: string }

const HEAD_CHARACTERS = 64 * 1024

/** Yields the text of a file in pieces, without the byte order mark. */
async function* piecesOf({ stream }: TextSource, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of stream() as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Opens a file with a known encoding. */
export async function textOf(source: TextSource, encoding: Encoding): Promise<TextFile> {
  let head = ''
  for await (const piece of piecesOf(source, encoding)) {
    head += piece
    if (head.length >= HEAD_CHARACTERS) break
  }
  return { encoding, head: head.slice(0, HEAD_CHARACTERS), stream: () => source.stream() }
}

/**
 * Returns the line end: LF or CRLF, or CR alone if the beginning of the file has no LF outside quoted cells.
 */
function lineEnd(head: string): string {
  if (!head.includes('\r') || head.includes('\r\n')) return '\n'
  let isQuoted = false
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) return '\n'
  }
  return '\r'
}

/** Yields the lines of a file. Cuts a line after `maxLength` characters and marks it as cut. */
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
    for (let position = piece.indexOf(end); position !== -1; position = piece.indexOf(end, from)) {
      add(piece.slice(from, position + 1))
      yield { number: number++, text, isTooLong }
      text = ''
      isTooLong = false
      from = position + 1
    }
    add(piece.slice(from))
  }
  if (text !== '') yield { number, text, isTooLong }
}
