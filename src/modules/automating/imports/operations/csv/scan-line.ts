/**
 * Splits one line of a CSV file into cells. A line is scanned once as the start of a row and at most once as
 * the next line of a quoted cell, so reading takes time proportional to the file's length, with any quotes.
 */

/** A row with more cells isn't data about people. */
export const MAX_CELLS = 2_000

export type ScannedLine = {
  /**
   * If `isOpen`, the last cell continues on the next line. In a continued line, the first cell is the rest of
   * the previous cell.
   */
  cells: string[]
  isOpen: boolean
  fault?: 'text after a quote' | 'too many cells'
}

const isBlank = (character: string): boolean => character.trim() === ''

/** Returns the position of the first nonblank character, or of the delimiter, which can be a tab. */
function afterBlanks(text: string, from: number, delimiter: string): number {
  let position = from
  while (position < text.length && text[position] !== delimiter && isBlank(text[position]!)) position++
  return position
}

/** Returns the position of the quote that closes a cell, or -1. A doubled quote is part of the cell. */
function closingQuote(text: string, from: number): number {
  for (let position = text.indexOf('"', from); position !== -1; position = text.indexOf('"', position + 2))
    if (text[position + 1] !== '"') return position
  return -1
}

const unescaped = (text: string): string => text.replaceAll('""', '"')

/** Scans a line with its line end. `isInQuotes`: the line begins inside a quoted cell. */
export function scanLine(text: string, delimiter: string, isInQuotes: boolean): ScannedLine {
  if (!text.includes('"')) return scanPlain(text, delimiter, isInQuotes)
  const cells: string[] = []
  let isQuoted = isInQuotes
  for (let position = 0; ; isQuoted = false) {
    if (cells.length === MAX_CELLS) return { cells, isOpen: false, fault: 'too many cells' }
    const start = isQuoted ? position : afterBlanks(text, position, delimiter)
    if (!isQuoted && text[start] !== '"') {
      // A quote inside a cell that doesn't begin with a quote is part of the cell: 12" pipe.
      const end = text.indexOf(delimiter, start)
      cells.push(text.slice(position, end === -1 ? text.length : end).trim())
      if (end === -1) return { cells, isOpen: false }
      position = end + 1
      continue
    }
    const begin = isQuoted ? start : start + 1
    const close = closingQuote(text, begin)
    if (close === -1) return { cells: [...cells, unescaped(text.slice(begin))], isOpen: true }
    cells.push(unescaped(text.slice(begin, close)))
    const after = afterBlanks(text, close + 1, delimiter)
    if (after === text.length) return { cells, isOpen: false }
    if (text[after] !== delimiter) return { cells, isOpen: false, fault: 'text after a quote' }
    position = after + 1
  }
}

/** Scans a line without quotes, the most frequent case. */
function scanPlain(text: string, delimiter: string, isInQuotes: boolean): ScannedLine {
  if (isInQuotes) return { cells: [text], isOpen: true }
  const cells = text.split(delimiter, MAX_CELLS + 1)
  if (cells.length > MAX_CELLS)
    return { cells: cells.slice(0, MAX_CELLS), isOpen: false, fault: 'too many cells' }
  return { cells: cells.map((cell) => cell.trim()), isOpen: false }
}
