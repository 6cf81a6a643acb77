/** Reads parameters of calls as the operator does: texts, JSON, or single values, letters of any case. */
import { type GraphAnswer, graphError } from './graph-errors.ts'
import { decodedParameter, listParameter } from './request-body.ts'

export type Read<Value> = { ok: true; value: Value } | { ok: false; answer: GraphAnswer }

export const refuse = (message: string): { ok: false; answer: GraphAnswer } => ({
  ok: false,
  answer: graphError(100, `(#100) ${message}`),
})

/** Returns a text, number, or boolean as text; '' for any other value. */
export function textParameter(given: unknown): string {
  const value = decodedParameter(given)
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/** Returns the texts of a list, or of a single value. */
export const textsParameter = (given: unknown): string[] =>
  (listParameter(given) ?? [given]).map(textParameter)

/** Reads one of the operator's enum values, in its spelling. */
export function enumParameter(name: string, given: unknown, values: readonly string[]): Read<string> {
  const text = textParameter(given).toUpperCase()
  const value = values.find((one) => one.toUpperCase() === text)
  return value === undefined
    ? refuse(`Param ${name} must be one of {${values.join(', ')}}`)
    : { ok: true, value }
}

/** Reads a list of the operator's enum values, or a single value. */
export function enumsParameter(name: string, given: unknown, values: readonly string[]): Read<string[]> {
  const read = textsParameter(given).map((text, i) => enumParameter(`${name}[${i}]`, text, values))
  const found: string[] = []
  for (const one of read) {
    if (!one.ok) return one
    found.push(one.value)
  }
  return { ok: true, value: found }
}

/** Reads seconds since 1970, or a date as text, into milliseconds. */
export function momentParameter(name: string, given: unknown): Read<number> {
  const text = textParameter(given)
  const value = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(value)
    ? refuse(`Param ${name} must be a unix timestamp or a date.`)
    : { ok: true, value }
}
