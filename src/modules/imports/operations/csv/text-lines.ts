/** The lines of a text file, each with its end, one at a time: whatever the file's size, one line is in memory. */
import type { Readable } from 'node:stream'

export type Line = {
  /** Counted from 1. */
  number: number
  /** With its end; of one that is too long the beginning. */
  text: string
  isTooLong: boolean
}

const UTF16_MARK = [0xff, 0xfe]

/** A file as it is read from the beginning, as often as wanted; `head`: its first bytes. */
export type TextSource = { head: Buffer; stream(): Readable }
export type TextFile = { encoding: 'utf8' | 'utf16le'; head: string; stream(): Readable }

/** Finds out how a file is encoded. */
export function textOf({ head, stream }: TextSource): TextFile {
  const encoding = UTF16_MARK.every((byte, i) => head[i] === byte) ? 'utf16le' : 'utf8'
  return { encoding, head: withoutMark(head.toString(encoding)), stream }
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

export const QUOTED_CELL = /(?<=^|[,;\t|\r\n]\s*)"[^"]*"(?:"[^"]*")*/g

/** Lines end in LF or CRLF; in CR alone where the beginning of the file knows no other, but in quoted cells. */
function lineEnd(head: string): string {
  if (!head.includes('\r')) return '\n'
  return head.replaceAll(QUOTED_CELL, '').includes('\n') ? '\n' : '\r'
}

/** The lines of a file. What goes beyond `maxLength` characters of a line is left out, and the line says so. */
export async function* linesOf(
  { encoding, head, stream }: TextFile,
  maxLength: number,
): AsyncGenerator<Line> {
  const end = lineEnd(head)
  let number = 1
  let text = ''
  let isTooLong = false
  const add = (more: string) => {
    isTooLong ||= text.length + more.length > maxLength
    text += more.slice(0, Math.max(0, maxLength - text.length))
  }
  let isFirst = true
  for await (const chunk of stream().setEncoding(encoding) as AsyncIterable<string>) {
    const piece = isFirst ? withoutMark(chunk) : chunk
    isFirst = false
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
