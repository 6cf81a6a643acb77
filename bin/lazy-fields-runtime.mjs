// Part of the bundle: what the code of lazy-fields.mjs calls.
import { z } from 'zod'

// By default, zod keeps track of values that contain themselves in each schema with a field that is not built yet. The values
// that we read are JSON, which never does.
z.config({ memoizer: { alloc: (_schema, _payload, empty) => empty, attach: () => {}, guard: () => {} } })

/** Makes a field an ordinary value, so that all schemas with it share the same one. Returns the field. */
export function keepField(shape, name, schema) {
  Object.defineProperty(shape, name, { value: schema, writable: true, enumerable: true, configurable: true })
  return schema
}
