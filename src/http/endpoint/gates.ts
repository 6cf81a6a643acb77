import type { Endpoint } from '../../core/endpoint.ts'
import type { Caller } from '../wire/caller.ts'
import type { ServerOptions } from './server-options.ts'

/**
 * Checks the endpoint's gates (the workspace's requirements besides the plan), and throws when a check fails.
 */
export async function passGates(
  { gates = [] }: Endpoint,
  { workspace }: Caller,
  params: unknown,
  { database: { query } }: Pick<ServerOptions, 'database'>,
): Promise<void> {
  const request = { workspace, query, params: (params ?? {}) as Record<string, string> }
  for (const gate of gates) await gate.check(request)
}
