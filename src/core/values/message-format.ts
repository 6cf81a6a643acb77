/**
 * Formats messages of text catalogs, in a subset of ICU: `{name}`, and `{count, plural, =0 {No chats} one {# chat}
 * other {# chats}}`. The pages and the texts for customers use it.
 */
import { directionOf, languageOf } from './languages.ts'

export type Values = Record<string, string | number>
type Piece = string | { name: string } | { name: string; plural: Record<string, Piece[]> }

/** Parses a message to its end or to the closing `}`; returns the pieces and the end position. */
function parse(text: string, from = 0): [Piece[], number] {
  const pieces: Piece[] = []
  let position = from
  let plain = ''
  const flush = () => {
    if (plain) pieces.push(plain)
    plain = ''
  }
  while (position < text.length && text[position] !== '}') {
    if (text[position] !== '{') {
      plain += text[position++]
      continue
    }
    flush()
    const [piece, after] = parseArgument(text, position + 1)
    pieces.push(piece)
    position = after
  }
  flush()
  return [pieces, position]
}

function parseArgument(text: string, from: number): [Piece, number] {
  const [, name = '', kind] = /^\s*(\w+)\s*(,\s*plural\s*,)?/.exec(text.slice(from)) ?? []
  if (kind === undefined) return [{ name }, text.indexOf('}', from) + 1]
  const plural: Record<string, Piece[]> = {}
  let position = text.indexOf(',', text.indexOf(',', from) + 1) + 1
  for (;;) {
    const form = /^\s*(=?\w+)\s*\{/.exec(text.slice(position))
    if (!form) break
    const [pieces, end] = parse(text, position + form[0].length)
    plural[form[1]!] = pieces
    position = end + 1
  }
  return [{ name, plural }, text.indexOf('}', position) + 1]
}

/** `isolates`: values keep their own direction inside a right-to-left text, such as a phone number. */
type Rules = { plural: Intl.PluralRules; number: Intl.NumberFormat; isolates: boolean }

/** Addresses stay plain, because apps take the sign after an address as a part of it. */
const isolated = (text: string): string =>
  text === '' || /^https?:/.test(text) ? text : `\u2068${text}\u2069`

function render(pieces: Piece[], values: Values, rules: Rules, count?: number): string {
  const format = (value: string | number | undefined): string =>
    typeof value === 'number'
      ? rules.number.format(value)
      : rules.isolates
        ? isolated(value ?? '')
        : (value ?? '')
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return count === undefined ? piece : piece.replaceAll('#', format(count))
      const value = values[piece.name]
      if (!('plural' in piece)) return format(value)
      const number = Number(value)
      const form =
        piece.plural[`=${number}`] ?? piece.plural[rules.plural.select(number)] ?? piece.plural.other
      return render(form ?? [], values, rules, number)
    })
    .join('')
}

/** Parsed messages by their text. Catalogs are constant, so there are as many as texts. */
const parsed = new Map<string, Piece[]>()

/** Returns a function that formats messages in a locale. It parses each message once. */
export function messageFormatter(locale: string): (message: string, values?: Values) => string {
  const rules = {
    plural: new Intl.PluralRules(locale),
    number: new Intl.NumberFormat(locale),
    isolates: directionOf(languageOf(locale) ?? 'en') === 'rtl',
  }
  return (message, values = {}) => {
    let pieces = parsed.get(message)
    if (!pieces) {
      pieces = parse(message)[0]
      parsed.set(message, pieces)
    }
    return render(pieces, values, rules)
  }
}
