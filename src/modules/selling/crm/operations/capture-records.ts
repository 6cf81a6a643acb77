/** Splits a submission into its enquiries: usually one, or several from a portal that sends them together. */
import { answersOf } from './capture-answers.ts'
import { findNumber } from './capture-number.ts'

type Fields = Record<string, unknown>

const MAX_RECORDS = 100
const MAX_DEPTH = 3

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the enquiries of a submission as fields: several if a list contains more than one person with a
 * number.
 */
export function recordsOf(content: unknown, countryCode: string): Fields[] {
  const body = isObject(content) ? content : asFields(content)
  return recordsIn(body, countryCode, 0) ?? [body]
}

/** Returns one enquiry. A list of answers is one enquiry, and so is a list with one item. */
function asFields(content: unknown): Fields {
  if (!Array.isArray(content)) return content === null || content === undefined ? {} : { value: content }
  if (content.length === 1 && isObject(content[0])) return content[0]
  return content.length === 0 ? {} : { fields: content }
}

function recordsIn(fields: Fields, countryCode: string, depth: number): Fields[] | undefined {
  for (const value of Object.values(fields)) {
    if (Array.isArray(value) && value.length > 1 && value.length <= MAX_RECORDS && value.every(isObject)) {
      const withNumber = value.filter((item) => hasNumber(item, countryCode))
      if (withNumber.length > 1) return value
    } else if (isObject(value) && depth < MAX_DEPTH) {
      const records = recordsIn(value, countryCode, depth + 1)
      if (records) return records
    }
  }
  return undefined
}

/** Returns whether an item is a whole person. An answer in a list, `{label: "Phone", value: …}`, is not. */
const hasNumber = (item: Fields, countryCode: string): boolean =>
  !('value' in item || 'values' in item || 'answer' in item) &&
  findNumber(answersOf(item), countryCode, false)?.usable === true
