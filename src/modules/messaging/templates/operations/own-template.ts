/**
 * Prepares Parley's own values for templates: names, places, sums, contact fields. The operator rejects
 * values with line breaks, tabs, or many spaces, empty values, and long texts (docs/formats.md section 6.3).
 * Parley adjusts its own values, but rejects such values from callers.
 */
import { bodyMaxOf, filled } from '../../../../operator/template-components/filled-text.ts'
import { HEADER_MAX } from '../../../../operator/template-components/parameter-text.ts'
import { partsOf, type TextPart } from '../../../../operator/template-components/parts.ts'
import type { TemplateRow } from '../queries/templates.ts'
import type { ButtonValues, TemplateSend } from '../send-schema.ts'

type OwnValue = string | null | undefined

export type OwnValues = {
  /** In order, or by placeholder name. Absent: the body gets no values. */
  body?: readonly OwnValue[] | Record<string, OwnValue>
  /** For the placeholder of a text header. */
  headline?: OwnValue
  headerMedia?: TemplateSend['headerMedia']
  buttons?: ButtonValues[]
}

/** Replaces an unknown value. */
const NOTHING = '-'
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/u
const ENDS_A_PHRASE = /[,;:.!?\u2013\u2014-]$/u

/**
 * Returns the text in one line: line breaks become commas, other white space one space, empty text a dash.
 */
export function flatten(text: OwnValue): string {
  const lines = (text ?? '').split(LINE_BREAK).flatMap((line) => line.replace(/\s+/gu, ' ').trim() || [])
  const flat = lines.reduce(
    (before, line) => `${before}${ENDS_A_PHRASE.test(before) ? ' ' : ', '}${line}`,
    '',
  )
  return flat.replace(/^, /, '') || NOTHING
}

const shorten = (text: string, max: number): string => {
  const characters = Array.from(text)
  return characters.length <= max ? text : `${characters.slice(0, Math.max(1, max) - 1).join('')}…`
}

/** Shortens the longest values so that the filled text has at most `max` characters. */
function shortenToFit(part: TextPart, values: string[], max: number): string[] {
  const lengthAt = (cap: number): number =>
    Array.from(
      filled(
        part,
        values.map((value) => shorten(value, cap)),
      ),
    ).length
  let [fits, tooLong] = [1, Math.max(1, ...values.map((value) => Array.from(value).length))]
  if (lengthAt(tooLong) <= max) return values
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (lengthAt(middle) <= max) fits = middle
    else tooLong = middle
  }
  return values.map((value) => shorten(value, fits))
}

/**
 * Returns values for the placeholders of `part`; values without a placeholder remain, so that the send fails.
 */
function ownValues(
  part: TextPart | undefined,
  bodyValues: NonNullable<OwnValues['body']>,
  max: number,
): string[] | Record<string, string> {
  if (Array.isArray(bodyValues)) {
    const values = bodyValues.map(flatten)
    const count = part?.variables.length ?? 0
    return part ? [...shortenToFit(part, values.slice(0, count), max), ...values.slice(count)] : values
  }
  const names = Object.keys(bodyValues)
  const byName = bodyValues as Record<string, OwnValue>
  const named = part?.variables.filter((name) => names.includes(name)) ?? []
  const inOrder = part?.variables.map((name) => flatten(byName[name])) ?? []
  const fitting = part ? shortenToFit(part, inOrder, max) : []
  return Object.fromEntries(
    names.map((name) => [
      name,
      named.includes(name) ? fitting[part!.variables.indexOf(name)]! : flatten(byName[name]),
    ]),
  )
}

/** Returns the payload of a template that Parley fills itself. */
export function ownTemplate(
  { name, language, components }: Pick<TemplateRow, 'name' | 'language' | 'components'>,
  { body, headline, headerMedia, buttons }: OwnValues,
): TemplateSend {
  const parts = partsOf(components)
  const header = parts.header?.format === 'TEXT' ? parts.header : undefined
  return {
    name,
    language: { code: language },
    ...(body === undefined ? {} : { variables: ownValues(parts.body, body, bodyMaxOf(parts)) }),
    ...(headline === undefined ? {} : { headerText: ownValues(header, [headline], HEADER_MAX) }),
    ...(headerMedia === undefined ? {} : { headerMedia }),
    ...(buttons === undefined || buttons.length === 0 ? {} : { buttons }),
  }
}
