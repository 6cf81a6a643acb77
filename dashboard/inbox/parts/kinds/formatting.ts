/**
 * Parses the marks with which the chat network's apps format text: `*bold*`, `_italic_`, `~struck~`, ``
 * `code` ``, lists, and quotes.
 */

const MARKS = { '*': 'bold', _: 'italic', '~': 'struck', '`': 'code' } as const
type Mark = keyof typeof MARKS

export type Piece = { kind: 'text' | 'link'; text: string } | FormattedPiece
/** `typed`: the mark on both sides. */
export type FormattedPiece = { kind: (typeof MARKS)[Mark]; typed: string; inner: Piece[] }

/** `typed`: the characters at the start of the line that set its kind. */
export type Line = { kind: 'plain' | 'bullet' | 'quote'; typed: string; pieces: Piece[] }

/** Only monospace can span several lines. */
const BLOCK = /(```(?=\s*[^\s`])[\s\S]+?```)/
const LINE_START = /^(?:[-*>] )(?=\S)/
export const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,:;!?)\]]/
const LINK_OR_MARK = new RegExp(`${LINK.source}|[*_~\`]`, 'g')
const ENDS_WITH_WORD = /[\p{L}\p{N}]\p{M}*$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u
/** Characters to check on the far side of a mark: one letter, with its combining marks. */
const NEAR = 8

const isMark = (text: string | undefined): text is Mark => text !== undefined && Object.hasOwn(MARKS, text)

const textOf = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'text', text }])

/**
 * Returns whether a mark may open here: it touches the text it formats and is at the edge of a word. A
 * doubled mark is an ordinary character.
 */
function mayOpen(text: string, position: number): boolean {
  const before = text.slice(Math.max(0, position - NEAR), position)
  const after = text[position + 1] ?? ' '
  const isAlone = !before.endsWith(text[position]!) && after !== text[position]
  return isAlone && /\S/.test(after) && !ENDS_WITH_WORD.test(before)
}

function mayClose(text: string, position: number): boolean {
  const before = text[position - 1] ?? ' '
  const after = text.slice(position + 1, position + NEAR)
  const isAlone = before !== text[position] && !after.startsWith(text[position]!)
  return isAlone && /\S/.test(before) && !BEGINS_WITH_WORD.test(after)
}

/** `open`: the marks around the text. */
function piecesOf(text: string, open = ''): Piece[] {
  const tokens = [...text.matchAll(LINK_OR_MARK)].map(({ 0: token, index }) => ({ token, index }))
  // The first mark comes last. A mark may follow a link, and marks within a link don't count.
  const closings: Record<Mark, number[]> = { '*': [], _: [], '~': [], '`': [] }
  for (const { token, index } of tokens.toReversed()) {
    const position = index + token.length - 1
    const mark = text[position]
    if (isMark(mark) && mayClose(text, position)) closings[mark].push(position)
  }
  const pieces: Piece[] = []
  let from = 0
  const addPiece = (piece: Piece, start: number, end: number) => {
    pieces.push(...textOf(text.slice(from, start)), piece)
    from = end
  }
  for (const { token, index } of tokens) {
    if (index < from) continue
    if (!isMark(token)) {
      addPiece({ kind: 'link', text: token }, index, index + token.length)
      continue
    }
    if (open.includes(token) || !mayOpen(text, index)) continue
    const closingPositions = closings[token]
    while ((closingPositions.at(-1) ?? index + 1) <= index) closingPositions.pop()
    const end = closingPositions.at(-1)
    if (end === undefined) continue
    const within = text.slice(index + 1, end)
    const inner = token === '`' ? textOf(within) : piecesOf(within, open + token)
    addPiece({ kind: MARKS[token], typed: token, inner }, index, end + 1)
  }
  return [...pieces, ...textOf(text.slice(from))]
}

function lineOf(text: string): Line {
  const typed = LINE_START.exec(text)?.[0] ?? ''
  const kind = typed === '' ? 'plain' : typed === '> ' ? 'quote' : 'bullet'
  return { kind, typed, pieces: piecesOf(text.slice(typed.length)) }
}

/** Returns the lines of a text, with the formatting in them. The lines contain all typed characters. */
export function formatted(text: string): Line[] {
  const [first = '', ...rest] = text.split(BLOCK)
  const lines = first.split('\n').map(lineOf)
  for (const [index, part] of rest.entries()) {
    const { pieces } = lines.at(-1)!
    if (index % 2 === 0) pieces.push({ kind: 'code', typed: '```', inner: textOf(part.slice(3, -3)) })
    else {
      const [end = '', ...further] = part.split('\n')
      pieces.push(...piecesOf(end))
      lines.push(...further.map(lineOf))
    }
  }
  return lines
}
