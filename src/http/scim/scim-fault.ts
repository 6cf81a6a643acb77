/** Errors in the format of SCIM (RFC 7644 section 3.12). */
import type { FastifyReply } from 'fastify'
import { Refusal, type RefusalCode } from '../../core/errors.ts'
import { statusOf } from '../wire/answer.ts'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal with its own SCIM type. */
export class ScimFault extends Refusal {
  readonly scimType: ScimType
  constructor(scimType: ScimType, message: string) {
    super('invalid', message, { issues: [] })
    this.scimType = scimType
  }
}

export function refuseScim(scimType: ScimType, message: string): never {
  throw new ScimFault(scimType, message)
}

const TYPES: Partial<Record<RefusalCode, ScimType>> = {
  invalid_json: 'invalidSyntax',
  invalid: 'invalidValue',
  invalid_reference: 'invalidValue',
  conflict: 'uniqueness',
}

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
const CONTENT_TYPE = 'application/scim+json; charset=utf-8'

export const sendScim = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).header('content-type', CONTENT_TYPE).send(JSON.stringify(body))

/** Sends a refusal with its headers. */
export function sendScimFault(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const status = statusOf(refusal)
  const scimType = refusal instanceof ScimFault ? refusal.scimType : TYPES[refusal.code]
  const { retryAfterSeconds } = refusal.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return sendScim(reply, status, {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: refusal.message,
  })
}
