/**
 * Lists the errors of an endpoint: errors of authentication and gates, derived from its declaration, and its
 * own.
 */
import { z } from 'zod'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import { type DescribedDetails, ERRORS, type ErrorCode } from '../../core/errors.ts'
import { Instant } from '../../core/values/text.ts'
import { errorExample } from './error-examples.ts'
import type { Part } from './schemas.ts'

const recipients = (which: string) =>
  z
    .int()
    .optional()
    .meta({ description: `For a campaign: number of recipients who ${which}.` })

const clashing = (record: string) =>
  z
    .string()
    .optional()
    .meta({ description: `For \`conflict\`: id of the existing ${record}.` })

/** The other fields of a refusal, besides its code and message. */
const DETAILS = {
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'Invalid fields: where each is (`tags[3]`) and what is wrong with it.' }),
  required: z.string().optional().meta({ description: 'The scope or role that the request needs.' }),
  offer: z.enum(['add_addon', 'upgrade_plan']).optional(),
  upgradeUrl: z.string().optional().meta({ description: 'Where the plan can be changed.' }),
  code: z.number().optional().meta({ description: "The operator's own error code." }),
  newRecipients: recipients('never messaged you'),
  knownRecipients: recipients('have messaged you'),
  earliestAt: Instant.optional().meta({
    description: 'For `follow_up_too_soon`: when the campaign can be sent, in UTC.',
  }),
  cell: z.string().optional().meta({ description: 'For `workspace_moved`: the name of the new cell.' }),
  address: z
    .string()
    .optional()
    .meta({ description: 'For `workspace_moved`: the base address of the new cell, if it has its own.' }),
  nextSlots: z
    .array(z.object({ startAt: Instant, endAt: Instant, staffId: z.uuid().nullable(), remaining: z.int() }))
    .optional()
    .meta({ description: 'For `conflict`, if a time is not free: the next free times.' }),
  id: clashing('template, stage, or lost reason'),
  webhookId: clashing('webhook endpoint'),
  tagId: clashing('tag'),
  fieldId: clashing('custom field'),
  segmentId: clashing('segment'),
  viewId: clashing('view'),
  quickReplyId: clashing('saved reply'),
  macroId: clashing('macro'),
  teamId: clashing('team'),
  flowId: clashing('in-chat form'),
} satisfies Record<keyof DescribedDetails, z.ZodType>

/** The body of every refusal (spec 7). */
export const ErrorBody = z
  .object({
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).meta({
      description: 'Error code, to branch on: do not use the status or the message. New codes may be added.',
    }),
    message: z.string().meta({ description: 'Explanation for people; its wording may change.' }),
    ...DETAILS,
    docUrl: z.string().meta({ description: 'Address of the page that explains the error code.' }),
  })
  .meta({
    id: 'ErrorBody',
    description: 'The body of every error response.',
    fields: {
      offer: 'Whether an add-on or another plan makes the request possible.',
      'nextSlots.staffId': 'Id of the free staff member or resource; null if the service needs none.',
      'nextSlots.remaining': 'Places that are left.',
    },
  })

function* authenticationCodes(value: Endpoint): Generator<ErrorCode> {
  if (value.role !== null) {
    yield* ['unauthorized', 'api_key_invalid', 'api_key_revoked', 'api_key_expired'] as const
    yield* ['plan_feature_unavailable', 'ip_not_allowed'] as const
    if (value.role !== 'viewer') yield 'forbidden'
    if (value.scope !== null) yield 'insufficient_scope'
  }
  // Without a key, the limit is per client address (docs/decisions/rate-limits.md).
  if (value.bucket !== null || value.role === null) yield 'rate_limited'
  if (value.critical) yield 'rate_limiter_unavailable'
  if (value.sandboxOnly) yield 'not_found'
  for (const gate of value.gates ?? []) yield* gate.refuses
  if (isWrite(value)) yield 'invalid_json'
  // An address may be unreadable even if the endpoint has no parameters.
  if (value.role !== null) yield 'invalid'
  if (isWrite(value)) {
    yield* ['invalid_idempotency_key', 'payload_too_large', 'unsupported_media_type'] as const
    yield* ['idempotency_key_reused', 'idempotency_key_in_progress'] as const
  }
  if (value.role !== null) {
    yield* ['internal_error', 'service_unavailable', 'workspace_moving', 'workspace_moved'] as const
  }
}

/** Returns every code that `value` can answer, by status: codes of authentication and its own. */
export function errorsOf(value: Endpoint): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  const order = Object.keys(ERRORS)
  const own = value.refuses.filter((code): code is ErrorCode => code in ERRORS)
  const codes = [...new Set([...authenticationCodes(value), ...own])]
  for (const code of codes.sort((a, b) => order.indexOf(a) - order.indexOf(b)))
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

/** Returns the statuses of a code. When the operator throttles, `meta_error` has status 429 (spec 7.2). */
export const statusesOf = (code: ErrorCode): number[] =>
  code === 'meta_error' ? [400, 429] : [ERRORS[code].status]

/** Error responses. Endpoints with the same errors share a component. */
export type ErrorResponses = {
  /** Returns a reference to the response with this status and these codes. */
  of(status: number, codes: ErrorCode[], headers: Part): Part
  components(): Record<string, Part>
  /** Returns an example of each code that a response has, by code. */
  examples(): Record<string, Part>
}

/**
 * Creates an empty set of error responses, named by status and codes: `Error403.forbidden.ip_not_allowed`.
 */
export function createErrorResponses(): ErrorResponses {
  const components = new Map<string, Part>()
  const usedCodes = new Set<ErrorCode>()
  return {
    of(status, codes, headers) {
      const limited = 'RateLimit-Limit' in headers || status === 401 ? '' : '.unlimited'
      const remembered = 'Idempotent-Replayed' in headers ? '.remembered' : ''
      const name = `Error${status}.${codes.join('.')}${limited}${remembered}`
      components.set(name, errorResponse(codes, headers))
      for (const code of codes) usedCodes.add(code)
      return { $ref: `#/components/responses/${name}` }
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    examples: () => Object.fromEntries([...usedCodes].sort().map((code) => [code, errorExample(code)])),
  }
}

const errorResponse = (codes: ErrorCode[], headers: Part): Part => ({
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
  headers,
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/ErrorBody' }],
        properties: { error: { enum: codes, description: 'Error code, to branch on.' } },
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})
