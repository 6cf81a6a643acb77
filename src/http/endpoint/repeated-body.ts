import type { FastifyRequest } from 'fastify'
import type { Caller } from '../wire/caller.ts'
import type { WorkspaceEndpoint } from './execution.ts'
import { passGates } from './gates.ts'
import { unvalidatedBody } from './request-parts.ts'
import type { ServerOptions } from './server-options.ts'

/** Whether the endpoint looks for the request that a request repeats, before its gates and its validation. */
export const findsRepeated = (value: WorkspaceEndpoint): boolean =>
  value.kind === 'plain' && value.repeated !== undefined

/**
 * Returns the body of the request that this request repeats. If it repeats none, checks the gates and returns
 * undefined.
 */
export async function repeatedBody(
  value: WorkspaceEndpoint,
  request: FastifyRequest,
  bytes: Buffer,
  options: ServerOptions,
): Promise<unknown> {
  if (value.kind !== 'plain' || !value.repeated) return undefined
  const caller = request.caller as Caller
  const { query } = options.database
  const repeated = await value.repeated({ workspace: caller.workspace, query, body: unvalidatedBody(bytes) })
  if (repeated === undefined) await passGates(value, caller, request.params, options)
  return repeated
}
