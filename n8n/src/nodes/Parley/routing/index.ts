/** The code of the routing: the generated descriptions name these functions. */
export { asInstant, asJson, asList, asPathPart, orNull } from './fields.ts'
export { downloadLink, toFile, withFile } from './files.ts'
export { withKey } from './idempotency-key.ts'
export { byCursor, byPage } from './pages.ts'
export { throwRefusal } from './refusal.ts'
