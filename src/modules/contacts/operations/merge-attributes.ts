import { invalid, type Refusal } from '../../../core/errors.ts'
import { ATTRIBUTES_MAX } from '../schema.ts'

type Attributes = Record<string, unknown>

/** As JSON. Lists carry them whole, so that a page of a hundred stays some megabytes. */
export const ATTRIBUTES_BYTES_MAX = 64 * 1024

const refused = (message: string): Refusal => invalid([{ path: 'attributes', message }])

/**
 * Custom fields with `patch` merged in: null removes a key, everything else is set whole (spec 4.4,
 * docs/decisions/contacts.md). Refuses (`invalid`) what `holder`, a contact or a lead, cannot hold.
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
    return refused(`A ${holder} can have at most ${ATTRIBUTES_MAX} fields.`)
  if (Buffer.byteLength(JSON.stringify(merged)) > ATTRIBUTES_BYTES_MAX)
    return refused(
      `The fields of a ${holder} can have at most ${ATTRIBUTES_BYTES_MAX} bytes in all, as JSON.`,
    )
  return merged
}
