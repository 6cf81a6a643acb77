/**
 * Reads contacts from phones and address books (vCard 2.1, 3.0 and 4.0: RFC 2426, RFC 6350), one row per
 * card.
 */
import type { CsvRow } from '../csv/read-rows.ts'
import { type Line, linesOf, type TextFile } from '../csv/text-lines.ts'

export const CARD_COLUMNS = [
  'Name',
  'First name',
  'Last name',
  'Phone',
  'E-mail',
  'Organization',
  'Job title',
  'Birthday',
  'Labels',
  'Note',
  'Country',
] as const

/** A longer line of a card is a picture. */
const MAX_LINE_LENGTH = 64 * 1024
const MAX_VALUES = 20
const MAX_CARD_LINES = 2_000

export const isCards = (head: string): boolean => /^\s*BEGIN:VCARD\s/i.test(head.slice(0, 200))

/** A line of a card: `item1.TEL;type=CELL:+91 …`. `parameters` in upper case. */
type Property = { name: string; parameters: string[]; value: string }

const PROPERTY = /^(?:[\w-]{1,40}\.)?([A-Za-z-]{1,40})((?:;(?:"[^"]*"|[^:";])*)*):(.*)$/s

function propertyOf(line: string): Property | undefined {
  const [, name, parameters, value] = PROPERTY.exec(line) ?? []
  if (name === undefined) return undefined
  return {
    name: name.toUpperCase(),
    parameters: parameters!
      .toUpperCase()
      .replaceAll('"', '')
      .split(/[;,]/)
      .filter((part) => part !== ''),
    value: value!,
  }
}

const isPrintable = ({ parameters }: Property): boolean =>
  parameters.some(
    (parameter) => parameter === 'QUOTED-PRINTABLE' || parameter === 'ENCODING=QUOTED-PRINTABLE',
  )

/** Returns the text of a value. Older cards write its bytes as `=E0=A4`. */
function textOf(property: Property): string {
  if (!isPrintable(property)) return property.value
  const bytes = property.value.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const charset = property.parameters
    .find((parameter) => parameter.startsWith('CHARSET='))
    ?.slice('CHARSET='.length)
  const raw = Buffer.from(bytes, 'latin1')
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(raw)
  } catch {
    return raw.toString()
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\([\\,;:nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign)).trim()

/** Splits a value at separators without a backslash. */
const partsOf = (text: string, sign: ';' | ','): string[] =>
  text.split(sign === ';' ? /(?<!\\);/ : /(?<!\\),/).map(unescaped)

const KINDS = /^(?:TYPE=)?(CELL|HOME|WORK|FAX|PAGER|MAIN|IPHONE|VOICE|OTHER|PREF)$/
const KIND_WORDS: Record<string, string> = { CELL: 'mobile', IPHONE: 'mobile' }

/** Returns a number with its label, in the form that `numberCandidates` reads. */
function phoneOf({ parameters, value }: Property): string {
  const kinds = parameters.flatMap((parameter) => {
    const kind = KINDS.exec(parameter)?.[1]
    return kind === undefined || kind === 'VOICE' || kind === 'PREF'
      ? []
      : [KIND_WORDS[kind] ?? kind.toLowerCase()]
  })
  const number = unescaped(value)
    .replace(/^tel:/i, '')
    .replace(/;ext=.*$/i, '')
  return kinds.length === 0 ? number : `${number} (${kinds.join(' ')})`
}

type CardColumn = (typeof CARD_COLUMNS)[number]
type Card = Map<CardColumn, string[]>

/** Returns the values in a line of a card, by column. */
function textsOf(property: Property): [column: CardColumn, text: string][] {
  const text = textOf(property)
  switch (property.name) {
    case 'FN':
      return [['Name', unescaped(text)]]
    case 'N': {
      const [last = '', first = ''] = partsOf(text, ';')
      return [
        ['Last name', last],
        ['First name', first],
      ]
    }
    case 'TEL':
      return [['Phone', phoneOf({ ...property, value: text })]]
    case 'EMAIL':
      return [['E-mail', unescaped(text)]]
    case 'ORG':
      return [
        [
          'Organization',
          partsOf(text, ';')
            .filter((part) => part !== '')
            .join(', '),
        ],
      ]
    case 'TITLE':
      return [['Job title', unescaped(text)]]
    case 'BDAY':
      return [['Birthday', unescaped(text)]]
    case 'CATEGORIES':
      return [['Labels', partsOf(text, ',').join(' ::: ')]]
    case 'NOTE':
      return [['Note', unescaped(text)]]
    case 'ADR':
      return [['Country', partsOf(text, ';')[6] ?? '']]
    default:
      return []
  }
}

/** A person can have several of these. Of the other columns, the first value counts. */
const SEVERAL = new Set<CardColumn>(['Phone', 'E-mail'])

function note(card: Card, property: Property): void {
  for (const [column, text] of textsOf(property)) {
    const texts = card.get(column) ?? []
    if (text === '' || texts.length >= (SEVERAL.has(column) ? MAX_VALUES : 1)) continue
    card.set(column, [...texts, text])
  }
}

const cellsOf = (card: Card): string[] => CARD_COLUMNS.map((column) => (card.get(column) ?? []).join(' ::: '))

function withoutEnd(text: string): string {
  let length = text.length
  while (length > 0 && '\r\n'.includes(text[length - 1]!)) length--
  return text.slice(0, length)
}

/** Yields the lines of the file, with continued lines joined. */
async function* unfolded(lines: AsyncGenerator<Line>): AsyncGenerator<Line> {
  let open: Line | undefined
  for await (const next of lines) {
    const text = withoutEnd(next.text)
    const goesOn = /^[ \t]/.test(text)
    const isSoft = open?.text.endsWith('=') && /QUOTED-PRINTABLE/i.test(open.text.slice(0, 200))
    if (open && (goesOn || isSoft)) {
      const more = isSoft ? text : text.slice(1)
      const before = isSoft ? open.text.slice(0, -1) : open.text
      if (before.length + more.length <= MAX_LINE_LENGTH) open.text = before + more
      continue
    }
    if (open) yield open
    open = { ...next, text }
  }
  if (open) yield open
}

/** Yields a heading, then one row per card. */
export async function* readCards(text: TextFile): AsyncGenerator<CsvRow> {
  yield { line: 0, cells: [...CARD_COLUMNS] }
  let card: Card | undefined
  let firstLine = 0
  let lines = 0
  for await (const { number, text: line } of unfolded(linesOf(text, MAX_LINE_LENGTH))) {
    if (/^\s*BEGIN:VCARD\s*$/i.test(line)) {
      card = new Map()
      firstLine = number
      lines = 0
    } else if (card && /^\s*END:VCARD\s*$/i.test(line)) {
      yield { line: firstLine, cells: cellsOf(card) }
      card = undefined
    } else if (card && lines++ < MAX_CARD_LINES) {
      const property = propertyOf(line)
      if (property) note(card, property)
    }
  }
}
