import { sha256 } from '../../../../core/values/digest.ts'
import type { CapturedFields } from './capture-fields.ts'

/** The parts of an enquiry that make it a new one. */
type EnquiryContent = Pick<CapturedFields, 'name' | 'email' | 'note' | 'source' | 'form' | 'utm' | 'extra'>

/**
 * Returns a hash of an enquiry's content that doesn't depend on field names, field order, or the spelling of
 * the number.
 */
export function digestOf({ name, email, note, source, form, utm, extra }: EnquiryContent): Buffer {
  const content = JSON.stringify([name, email, note, source, form, utm, extra].map(inOneForm))
  return sha256(content)
}

/**
 * Returns a value in the same form for JSON and for form data, which has only text and different line ends.
 */
function inOneForm(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().replaceAll('\r\n', '\n')
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(inOneForm)
  if (typeof value !== 'object' || value === null) return null
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => [key, inOneForm(entry)])
}
