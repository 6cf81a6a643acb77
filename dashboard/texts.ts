/**
 * Provides the texts of the pages. Each folder has an `en.json`; its keys are the types of `t`, so a missing
 * text does not compile. Messages use a subset of ICU: `{name}` and `{count, plural, one {# chat} other {#
 * chats}}`.
 */
type Values = Record<string, string | number>
type Piece = string | { name: string } | { name: string; plural: Record<string, Piece[]> }

const PSEUDO = 'en-XA'
/** `en-XA` shows every text longer and accented, so that texts outside the catalogs are visible. */
const stored = typeof document === 'undefined' ? null : localStorage.getItem('parley.locale')
export const locale = stored ?? 'en'
/** The locale for Intl: the reader's own English, or the base of the pseudo-locale. */
export const formatLocale =
  locale === PSEUDO
    ? 'en'
    : (globalThis.navigator?.languages.find((language) => language.startsWith(locale)) ?? locale)
/** Returns the locale for amounts: rupees are grouped in lakhs and crores, as in documents and the API. */
export const moneyLocale = (currency: string | undefined): string =>
  currency === 'INR' ? 'en-IN' : formatLocale

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

const parsed = new Map<string, Piece[]>()
const rules = new Intl.PluralRules(formatLocale)
const numbers = new Intl.NumberFormat(formatLocale)
const formatValue = (value: string | number | undefined): string =>
  typeof value === 'number' ? numbers.format(value) : (value ?? '')

function render(pieces: Piece[], values: Values, count?: number): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string')
        return count === undefined ? piece : piece.replaceAll('#', formatValue(count))
      const value = values[piece.name]
      if (!('plural' in piece)) return formatValue(value)
      const number = Number(value)
      const form = piece.plural[`=${number}`] ?? piece.plural[rules.select(number)] ?? piece.plural.other
      return render(form ?? [], values, number)
    })
    .join('')
}

const ACCENTED: Record<string, string> = {
  a: 'å',
  e: 'é',
  i: 'î',
  o: 'ø',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ý',
}
const pseudo = (text: string): string =>
  `⟦${text.replace(/[aeioucnsy]/g, (letter) => ACCENTED[letter] ?? letter)} ~~⟧`

/** Formats a message with its values; parses each message once. */
export function formatMessage(message: string, values: Values = {}): string {
  let pieces = parsed.get(message)
  if (!pieces) {
    pieces = parse(message)[0]
    parsed.set(message, pieces)
  }
  const text = render(pieces, values)
  return locale === PSEUDO ? pseudo(text) : text
}

/** Returns the `t` of a folder: `texts(en)('empty.title')`. */
export const texts =
  <Catalog extends Record<string, string>>(catalog: Catalog) =>
  (key: keyof Catalog & string, values?: Values): string =>
    formatMessage(catalog[key] ?? key, values)
