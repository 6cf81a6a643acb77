/**
 * Reduces the reply of a write to the ID of the written resource, for a key that may not read it. The
 * endpoint's scope decides, so a PATCH never shows data that the GET hides
 * (src/modules/platform/access/DECISIONS.md "Narrowed keys").
 */
import type { Actor } from '../../core/context.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { hasScope, SCOPES, type Scope } from '../../core/scopes.ts'

const WRITES = /:write$/

/** The scope that reads the resources of each scope that writes them. Looked up in every request. */
const READ_SCOPES = new Map(
  SCOPES.filter((scope) => WRITES.test(scope)).map((scope) => {
    const reading = scope.replace(WRITES, ':read')
    return [scope, SCOPES.find((candidate) => candidate === reading)] as const
  }),
)

/** Returns the scope that reads the endpoint's resources; undefined if its scope isn't a write. */
export const readScopeOf = ({ scope }: Pick<Endpoint, 'scope'>): Scope | undefined =>
  scope === null ? undefined : READ_SCOPES.get(scope)

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Settings have no ID, so nothing of them is shown. */
const onlyId = (resource: Record<string, unknown>): object => ('id' in resource ? { id: resource.id } : {})

function shownField(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) && 'id' in item ? onlyId(item) : item))
  return isObject(value) ? onlyId(value) : value
}

/** Returns a reply without readable content: resources by ID only, and no URL that opens them. */
export function withoutRead(body: unknown): unknown {
  if (!isObject(body)) return body
  if ('id' in body) return onlyId(body)
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (name === 'url' ? [] : [[name, shownField(value)]])),
  )
}

/** Returns whether the caller may see the written resource. */
export const showsWritten = (value: Pick<Endpoint, 'scope'>, actor: Actor): boolean => {
  const scope = readScopeOf(value)
  return scope === undefined || hasScope({ actor }, scope)
}
