/** The lines of a text file, each with its end, one at a time: whatever the file's size, one line is in memory. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

export type Line = {
  /** Counted from 1. */
  number: number
  /** With its end; of one that is too long the beginning. */
  text: string
  isTooLong: boolean
}

const HEAD_BYTES = 64 * 1024
const UTF16_MARK = [0xff, 0xfe]

export type TextFile = { path: string; encoding: 'utf8' | 'utf16le'; head: string }

/** Finds out how a file is encoded, and reads its beginning. */
export async function openText(path: string): Promise<TextFile> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    const encoding = UTF16_MARK.every((byte, i) => buffer[i] === byte) ? 'utf16le' : 'utf8'
    return { path, encoding, head: withoutMark(buffer.toString(encoding, 0, bytesRead)) }
  } finally {
    await handle.close()
  }
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

/** Lines end in LF or CRLF; in CR alone where the beginning of the file knows no other. */
const lineEnd = (head: string): string => (head.includes('\r') && !head.includes('\n') ? '\r' : '\n')

/** The lines of a file. What goes beyond `maxLength` characters of a line is left out, and the line says so. */
export async function* linesOf({ path, encoding, head }: TextFile, maxLength: number): AsyncGenerator<Line> {
  const end = lineEnd(head)
  let number = 1
  let text = ''
  let isTooLong = false
  const add = (more: string) => {
    isTooLong ||= text.length + more.length > maxLength
    text += more.slice(0, Math.max(0, maxLength - text.length))
  }
  let isFirst = true
  for await (const chunk of createReadStream(path, { encoding }) as AsyncIterable<string>) {
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
