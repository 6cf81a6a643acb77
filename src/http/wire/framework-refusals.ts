/** Converts Fastify's own errors, thrown before a handler runs, to our refusals. */
import { Refusal } from '../../core/errors.ts'
import { asRefusal } from './answer.ts'
import { BODY_LIMIT_BYTES } from './routes.ts'

export const wrongMediaType = (): Refusal =>
  new Refusal('unsupported_media_type', 'Send the body as application/json.')

/** Converts any thrown error to a refusal; `bodyLimit` is the limit of the route, in bytes. */
export function asFrameworkRefusal(error: unknown, bodyLimit = BODY_LIMIT_BYTES): Refusal {
  const code = (error as { code?: string }).code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal(
      'payload_too_large',
      `The body is larger than ${bodyLimit / 1024} KB. Send less in one request.`,
    )
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongMediaType()
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new Refusal('invalid', "Content-Length doesn't match the body. Send the body's length in bytes.", {
      issues: [],
    })
  return asRefusal(error)
}

export const unreadableAddress = (): Refusal =>
  new Refusal('invalid', "The request's URL isn't valid. Percent-encode it as UTF-8, without NUL.", {
    issues: [],
  })
