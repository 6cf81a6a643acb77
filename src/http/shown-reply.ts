/**
 * What the reply of a write shows to a key that may not read: the id of what it wrote. It is derived from the scope that the
 * endpoint declares, so that no endpoint shows by PATCH what its GET keeps to itself (docs/decisions/narrowed-keys.md).
 */
import type { Actor } from '../core/context.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { hasScope, SCOPES, type Scope } from '../core/scopes.ts'

const WRITES = /:write$/

/** The scope that reads what the endpoint writes; undefined where its scope is no write. */
export function readScopeOf({ scope }: Pick<Endpoint, 'scope'>): Scope | undefined {
  if (scope === null || !WRITES.test(scope)) return undefined
  return SCOPES.find((one) => one === scope.replace(WRITES, ':read'))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Settings have no id: nothing of them is shown. */
const idAlone = (resource: Record<string, unknown>): object => ('id' in resource ? { id: resource.id } : {})

function shownField(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (isObject(one) && 'id' in one ? idAlone(one) : one))
  return isObject(value) ? idAlone(value) : value
}

/** A reply without what is read: resources by their ids alone, and no address that opens them. */
export function withoutRead(body: unknown): unknown {
  if (!isObject(body)) return body
  if ('id' in body) return idAlone(body)
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (name === 'url' ? [] : [[name, shownField(value)]])),
  )
}

/** Whether the caller is shown what the endpoint wrote. */
export const showsWritten = (value: Pick<Endpoint, 'scope'>, actor: Actor): boolean => {
  const scope = readScopeOf(value)
  return scope === undefined || hasScope({ actor }, scope)
}
