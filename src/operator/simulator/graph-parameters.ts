/** Reads parameters of calls as the operator does: texts, JSON, or single values, letters of any case. */
import { type GraphAnswer, graphError } from './graph-errors.ts'
import { decodedParameter, listParameter } from './request-body.ts'

export type Read<Value> = { ok: true; value: Value } | { ok: false; answer: GraphAnswer }

export const refuse = (message: string): { ok: false; answer: GraphAnswer } => ({
  ok: false,
  answer: graphError(100, `(#100) ${message}`),
})

/** Returns a text, number, or boolean as text; '' for any other value. */
export function textParameter(input: unknown): string {
  const value = decodedParameter(input)
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/** Returns the texts of a list, or of a single value. */
export const textsParameter = (input: unknown): string[] =>
  (listParameter(input) ?? [input]).map(textParameter)

/** Reads one of the operator's enum values, in its spelling. */
export function enumParameter(name: string, input: unknown, values: readonly string[]): Read<string> {
  const text = textParameter(input).toUpperCase()
  const value = values.find((allowed) => allowed.toUpperCase() === text)
  return value === undefined
    ? refuse(`Param ${name} must be one of {${values.join(', ')}}`)
    : { ok: true, value }
}

/** Reads a list of the operator's enum values, or a single value. */
export function enumsParameter(name: string, input: unknown, values: readonly string[]): Read<string[]> {
  const read = textsParameter(input).map((text, i) => enumParameter(`${name}[${i}]`, text, values))
  const found: string[] = []
  for (const result of read) {
    if (!result.ok) return result
    found.push(result.value)
  }
  return { ok: true, value: found }
}

/** Reads seconds since 1970, or a date as text, into milliseconds. */
export function momentParameter(name: string, input: unknown): Read<number> {
  const text = textParameter(input)
  const value = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(value)
    ? refuse(`Param ${name} must be a unix timestamp or a date.`)
    : { ok: true, value }
}
