/** Finds the delimiter of a file: the character that gives most of its rows the same number of cells. */
import { SEPARATOR_LINE } from './read-rows.ts'

export const DELIMITERS = [',', ';', '\t', '|'] as const
/** A quote that is still open after this many characters isn't a quoted cell. */
const MAX_QUOTED = 8_192
const MAX_RECORDS = 200
/**
 * The score also counts rows that agree on the number of delimiters, and the first row, which usually has the
 * column names.
 */
const AGREEING_WEIGHT = 0.5
const FIRST_ROW_WEIGHT = 0.3

/** Counts each delimiter in each row of the text, outside quoted cells. Reads each character once. */
function countByRow(text: string): number[][] {
  const rows: number[][] = []
  let counts = DELIMITERS.map(() => 0)
  let isBlank = true
  let atCellStart = true
  for (let i = 0; i < text.length && rows.length < MAX_RECORDS; i++) {
    const character = text[i]!
    if (character === '\n' || character === '\r') {
      if (!isBlank) rows.push(counts)
      counts = DELIMITERS.map(() => 0)
      isBlank = true
      atCellStart = true
      continue
    }
    if (character === '"' && atCellStart) {
      i = endOfQuoted(text, i)
      atCellStart = false
      isBlank = false
      continue
    }
    const delimiter = DELIMITERS.indexOf(character as (typeof DELIMITERS)[number])
    if (delimiter !== -1) counts[delimiter]!++
    atCellStart = delimiter !== -1 || (atCellStart && character === ' ')
    isBlank &&= character.trim() === ''
  }
  if (!isBlank) rows.push(counts)
  return rows
}

/** Returns the end of the quoted cell that begins at `from`, or `from` if it isn't closed soon. */
function endOfQuoted(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_QUOTED)
  for (let i = text.indexOf('"', from + 1); i !== -1 && i < last; i = text.indexOf('"', i + 1)) {
    if (text[i + 1] !== '"') return i
    i++
  }
  return from
}

/** Returns the most frequent width among rows with two or more cells, and the number of rows with it. */
function commonWidth(widths: number[]): { width: number; rows: number } {
  const rows = new Map<number, number>()
  for (const width of widths) if (width > 1) rows.set(width, (rows.get(width) ?? 0) + 1)
  let common = { width: 1, rows: 0 }
  for (const [width, count] of rows) if (count > common.rows) common = { width, rows: count }
  return common
}

/** Returns the delimiter that the first line names, or the likeliest one; a comma if there is none. */
export function delimiterOf(head: string): string {
  const separatorLine = SEPARATOR_LINE.exec(head.split(/[\r\n]/, 1)[0]!)
  if (separatorLine) return separatorLine[1]!
  const rows = countByRow(head)
  const first = rows.find((counts) => counts.some((count) => count > 0)) ?? []
  const max = Math.max(0, ...first)
  const scores = DELIMITERS.map((delimiter, i) => {
    const { width, rows: agreeing } = commonWidth(rows.map((counts) => counts[i]! + 1))
    const having = rows.filter((counts) => counts[i]! > 0).length
    const ofFirst = max > 0 && first[i] === max ? FIRST_ROW_WEIGHT : 0
    const share = (having + AGREEING_WEIGHT * agreeing) / Math.max(1, rows.length)
    return { delimiter, score: share + ofFirst + width / 1_000 }
  })
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter
}
