/**
 * Computes the column widths of a printed table. The PDF library makes each column as wide as its longest
 * word, even beyond the paper. Here one column takes the remaining width, and its long words are broken.
 */

/** Letter widths in ems of Noto Sans Bold, rounded up. */
const EMS: [RegExp, number][] = [
  [/[\s.,]/, 0.29],
  [/[\p{Nd}\p{Sc}]/u, 0.58],
  [/[:;'|!()[\]ijl]/, 0.34],
  [/[MWmw@%]/, 0.98],
  [/[\p{Lu}&]/u, 0.74],
  [/[\p{Script=Latin}\p{Script=Common}]/u, 0.61],
]
const emOf = (letter: string): number => EMS.find(([letters]) => letters.test(letter))?.[1] ?? 1

/** Returns the approximate width of a text on one line, in points. */
const widthOf = (text: string, fontSize: number): number =>
  Array.from(text).reduce((sum, letter) => sum + emOf(letter), 0) * fontSize

const longestWord = (text: string, fontSize: number): number =>
  Math.max(...text.split(/\s/).map((word) => widthOf(word, fontSize)))

export type FittedColumn = {
  title: string
  /** It takes the remaining width, and its words can be broken. */
  isFlexible?: boolean
  /** Its texts can wrap. */
  mayWrap?: boolean
}
type Fitted = { widths: (number | 'auto' | '*')[]; fontSize: number; wraps: boolean }

const FONT_SIZE = 9.5
const MIN_FONT_SIZE = 5
/** The gap between two columns. */
const GAP = 16
/** The minimum width of the flexible column. */
const MIN_FLEXIBLE = 120

/**
 * Returns the column widths of a table that is `width` wide, and its font size. The last column takes the
 * remaining width.
 */
export function fitted(columns: FittedColumn[], rows: string[][], width: number): Fitted {
  const room = width - (columns.length - 1) * GAP
  const neededBy = (wraps: boolean): number =>
    columns.reduce((sum, { title, isFlexible, mayWrap }, i) => {
      if (isFlexible) return sum
      const measure = wraps && mayWrap ? longestWord : widthOf
      return sum + Math.max(...[title, ...rows.map((row) => row[i]!)].map((text) => measure(text, FONT_SIZE)))
    }, 0)
  const wraps = neededBy(false) > room - MIN_FLEXIBLE
  const neededWidth = neededBy(wraps)
  const scale = Math.max(MIN_FONT_SIZE / FONT_SIZE, Math.min(1, (room - MIN_FLEXIBLE) / neededWidth))
  const flexible = Math.max(MIN_FLEXIBLE, room - neededWidth * scale)
  return {
    widths: columns.map(({ isFlexible }, i) =>
      isFlexible ? flexible : i === columns.length - 1 ? '*' : 'auto',
    ),
    fontSize: FONT_SIZE * scale,
    wraps,
  }
}
