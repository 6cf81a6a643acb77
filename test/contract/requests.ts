/** The catalog for the contract suites: names, probes, and answers checked against the document. */
import { randomUUID } from 'node:crypto'
import { ENDPOINTS } from '../../src/catalog.ts'
import { type Endpoint, isWrite } from '../../src/core/endpoint.ts'
import type { Answered, CallOptions, Client } from '../support/boot.ts'
import { conform } from './conform.ts'

/** A request for an endpoint, ready to be sent. */
export type Prepared = { path: string; body?: unknown }

export const nameOf = (value: Endpoint): string => `${value.method} ${value.path}`

export const KEYED: Endpoint[] = ENDPOINTS.filter((value) => value.role !== null)
export const WRITES: Endpoint[] = KEYED.filter(isWrite)
export const WITH_SUBJECT: Endpoint[] = KEYED.filter((value) => value.subject)

/** `[name, value]` rows for `test.each`. */
export const named = (values: Endpoint[]): [string, Endpoint][] =>
  values.map((value) => [nameOf(value), value])

/**
 * Returns a request that passes authentication and then finds nothing, or fails validation: it changes
 * nothing.
 */
export const probe = (value: Endpoint, id: string = randomUUID()): Prepared => ({
  path: value.path.replace(/:\w+/g, id),
  ...(value.body ? { body: {} } : {}),
})

/** Sends a request to the endpoint `value` and checks its answer against the OpenAPI document. */
export async function ask(
  client: Client,
  value: Endpoint,
  { path, body }: Prepared,
  options: CallOptions = {},
): Promise<Answered> {
  const answer = await client.call(value.method, path, body, options)
  conform(value, answer)
  return answer
}

/** Returns whether the caller was authenticated, for any result of the request. */
export const entered = (answer: Answered): boolean =>
  answer.status !== 401 &&
  !['forbidden', 'insufficient_scope', 'ip_not_allowed', 'plan_feature_unavailable', 'rate_limited'].includes(
    answer.body.error,
  )
