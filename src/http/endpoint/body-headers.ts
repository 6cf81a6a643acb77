/** Checks the headers that describe a body, before the body is read. */
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../core/endpoint.ts'
import { isWrite } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'

/** Returns whether the request has no body. Then its content type doesn't matter. */
export const hasNoBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/** Default types of `curl -d` and some HTTP clients, sent when the developer chose no type. */
const UNCHOSEN = /^(?:text\/plain|application\/x-www-form-urlencoded)\b/i

/**
 * Reads a body without a type, or with a client's default type, as JSON. A body that isn't JSON gets the
 * error about its type. Only for API keys: browsers send these types from any site.
 */
function assumeJson(request: FastifyRequest): void {
  const type = request.headers['content-type']
  if (type !== undefined && !UNCHOSEN.test(type)) return
  request.headers['content-type'] = 'application/json'
  request.typeAssumed = true
}

/** Refuses a body with a compressed encoding: the server decompresses no bodies. */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') refuse('unsupported_media_type', 'Send the body uncompressed.')
}

/** Prepares the reading of a body as JSON. */
export function readBodyHeaders(value: Endpoint, request: FastifyRequest): void {
  if (isWrite(value)) refuseCompressed(request)
  if (
    value.body &&
    value.kind !== 'upload' &&
    request.headers.authorization !== undefined &&
    !hasNoBody(request)
  )
    assumeJson(request)
}
