import { invalid, type Refusal } from '../../../../core/errors.ts'
import { ATTRIBUTES_MAX } from '../schema.ts'

type Attributes = Record<string, unknown>

/**
 * Maximum size as JSON, in bytes. Lists contain all attributes, so the limit keeps a page of a hundred at
 * some megabytes.
 */
export const ATTRIBUTES_BYTES_MAX = 64 * 1024

const refusal = (message: string): Refusal => invalid([{ path: 'attributes', message }])

/**
 * Returns custom fields with `patch` merged in: null removes a key, other values replace the stored value
 * (spec 4.4, DECISIONS.md "Contacts"). Returns `invalid` if `holder`, a contact or a lead, can't store the
 * result.
 */
export function mergeAttributes(
  stored: Attributes,
  patch: Attributes | undefined,
  holder: 'contact' | 'lead',
): Attributes | Refusal {
  if (patch === undefined) return stored
  const merged = Object.fromEntries(
    Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null),
  )
  if (Object.keys(merged).length > ATTRIBUTES_MAX)
    return refusal(`A ${holder} can have at most ${ATTRIBUTES_MAX} fields.`)
  if (Buffer.byteLength(JSON.stringify(merged)) > ATTRIBUTES_BYTES_MAX)
    return refusal(
      `The fields of a ${holder} can have at most ${ATTRIBUTES_BYTES_MAX} bytes in all, as JSON.`,
    )
  return merged
}
