import { isObject } from '../../core/values/storable.ts'

const capitals = new Set(['type', 'format', 'otp_type'])

/**
 * Normalizes components as clients write them: types and formats in capitals, the examples of a body as the
 * operator's list of lists.
 */
export function plainComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainComponents)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (capitals.has(key) && typeof inner === 'string') return [key, inner.toUpperCase()]
      if (key === 'body_text' && Array.isArray(inner) && inner.length > 0 && inner.every(isText))
        return [key, [inner]]
      return [key, key === 'components' || !opaque.has(key) ? plainComponents(inner) : inner]
    }),
  )
}

/** Values of other systems, which must stay unchanged. */
const opaque = new Set(['flow_json', 'supported_apps'])
const isText = (value: unknown): value is string => typeof value === 'string'
