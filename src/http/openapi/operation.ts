import { z } from 'zod'
import { BUCKETS, type BucketName } from '../../core/buckets.ts'
import { component } from '../../core/component.ts'
import { type Endpoint, isWrite, type UploadEndpoint } from '../../core/endpoint.ts'
import { ERRORS } from '../../core/errors.ts'
import { STATUS_CODES } from '../../core/node-http.ts'
import { readScopeOf } from '../endpoint/shown-reply.ts'
import { type ErrorResponses, errorsOf } from './errors.ts'
import { pascal } from './named-shapes.ts'
import { exampleWithStatus, type ReplyExample } from './reply-examples.ts'
import type { Part, Schemas } from './schemas.ts'

const header = (name: string): Part => ({ $ref: `#/components/headers/${name}` })
const REQUEST_ID = { 'X-Request-Id': header('X-Request-Id') }
const RATE = {
  'RateLimit-Limit': header('RateLimit-Limit'),
  'RateLimit-Remaining': header('RateLimit-Remaining'),
  'RateLimit-Reset': header('RateLimit-Reset'),
}
const RETRIED_AFTER = [429, 503]
const SUBJECTS: Record<string, string> = {
  'contact field': 'custom field',
  flow: 'form',
  'quick reply': 'saved reply',
  staff: 'staff member or resource',
  webhook: 'webhook endpoint',
}

/** Returns the kind of object that `id` in the path names, in words. */
export const subjectOf = ({ subject }: Endpoint): string | undefined => SUBJECTS[subject ?? ''] ?? subject

/** Converts `/contacts/:id` to OpenAPI's `/contacts/{id}`. */
export const documentedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Formats a bucket: `burst of 120, then 10 per second`. */
export function bucketWords(name: BucketName): string {
  const { burst, refill, perSeconds } = BUCKETS[name]
  const unit = { 1: 'second', 60: 'minute', 3600: 'hour' }[perSeconds as number]
  return `burst of ${burst}, then ${refill} ${unit ? `per ${unit}` : `every ${perSeconds} seconds`}`
}

/** Formats the rights that a caller needs: the content of the extensions, for people. */
export function rightsWords(value: Endpoint): string {
  if (value.role === null) return 'No key needed.'
  const scope = value.scope
    ? `Scope \`${value.scope}\`${value.orScope ? ` (a key with only \`${value.orScope}\` receives less)` : ''}`
    : 'Any scope'
  const read = readScopeOf(value)
  const shown = read === undefined ? '' : ` (a key without \`${read}\` receives only ids)`
  const role = value.scopeOverRole
    ? `Lowest role: ${value.role}, or any role if the key's scopes include \`${value.scope}\`.`
    : `Lowest role: ${value.role}.`
  const bucket = value.bucket ? ` Rate bucket \`${value.bucket}\`: ${bucketWords(value.bucket)}.` : ''
  return `${scope}${shown}. ${role}${bucket}`
}

function descriptionOf(value: Endpoint): string {
  return [
    value.description,
    rightsWords(value),
    value.sandboxOnly ? 'Only for sandbox workspaces; other workspaces get 404.' : undefined,
    value.critical
      ? 'Costs money or cannot be undone. Returns 503 while the rate limiter is unreachable.'
      : undefined,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function fieldsOf(schema: z.ZodType, schemas: Schemas): { name: string; part: Part; required: boolean }[] {
  if (!(schema instanceof z.ZodObject)) throw new Error('parameters are declared as an object')
  const { properties = {}, required = [] } = schemas.ofRequest(schema) as {
    properties?: Record<string, Part>
    required?: string[]
  }
  return Object.entries(properties).map(([name, part]) => ({ name, part, required: required.includes(name) }))
}

function parametersOf(value: Endpoint, schemas: Schemas): Part[] {
  const parameter = (place: string, name: string, part: Part, required: boolean): Part => {
    const { description, ...schema } = part
    return { name, in: place, required, ...(description ? { description } : {}), schema }
  }
  return [
    ...fieldsOf(value.params, schemas).map(({ name, part }) =>
      parameter(
        'path',
        name,
        {
          ...part,
          ...(name === 'id' && {
            description: `Id of the ${subjectOf(value)}.`,
          }),
        },
        true,
      ),
    ),
    ...fieldsOf(value.query, schemas).map(({ name, part, required }) =>
      parameter('query', name, part, required),
    ),
    ...(isWrite(value) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    { $ref: '#/components/parameters/RequestId' },
  ]
}

const titleOf = (value: Endpoint): string => `\`${value.method} ${documentedPath(value.path)}\``

/** Ends of the names of an operation's schemas, with the beginnings of their descriptions. */
const NAMED_AFTER = {
  Body: 'Body of',
  Result: 'Result of',
  CreatedResult: 'Result of a new record by',
}

/** Names the schema of a body or a result after its operation, unless it is a component already. */
function nameAfter(value: Endpoint, schema: Part, suffix: keyof typeof NAMED_AFTER): Part {
  if ('$ref' in schema || 'component' in schema) return schema
  const description = `${NAMED_AFTER[suffix]} ${titleOf(value)}.`
  return { ...schema, ...component(pascal(value.name) + suffix, description) }
}

/** An operation that creates or finds a record has two results. */
const resultSuffix = ({ replies }: Endpoint, status: string): keyof typeof NAMED_AFTER =>
  status === '201' && '200' in replies ? 'CreatedResult' : 'Result'

function requestBodyOf(value: Endpoint, schemas: Schemas): Part {
  if (!value.body) return {}
  const content = {
    schema: nameAfter(value, schemas.ofRequest(value.describedBody ?? value.body), 'Body'),
    ...(value.example === undefined ? {} : { example: value.example }),
  }
  const asForm =
    value.kind === 'upload' ? { 'multipart/form-data': { schema: formSchemaOf(value, schemas) } } : {}
  return {
    requestBody: { required: !value.bodyOptional, content: { 'application/json': content, ...asForm } },
  }
}

/**
 * Returns the form fields of an upload. The file is sent as bytes, in a part with any name. The schema has no name, because
 * generators turn form fields into parameters.
 */
function formSchemaOf(value: UploadEndpoint, schemas: Schemas): Part {
  const others = fieldsOf(value.body!, schemas).filter(({ name }) => name !== value.upload.field)
  return {
    type: 'object',
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file itself.' },
      ...Object.fromEntries(others.map(({ name, part }) => [name, part])),
    },
    required: ['file'],
  }
}

const exampleOf = (example: { body: unknown } | undefined): Part => (example ? { example: example.body } : {})

/**
 * Returns the responses. Results are described in full, because the authors of clients use keys that can read
 * (`rightsWords` names the exception).
 */
function responsesOf(
  value: Endpoint,
  schemas: Schemas,
  errors: ErrorResponses,
  example: ReplyExample | undefined,
): Part {
  const rate = value.bucket || value.role === null ? RATE : {}
  const replayed = isWrite(value) ? { 'Idempotent-Replayed': header('Idempotent-Replayed') } : {}
  const files = Object.fromEntries(
    Object.entries(value.alsoAs ?? {}).map(([type, description]) => [
      type,
      {
        schema: { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }), description },
      },
    ]),
  )
  const replies = Object.entries(value.replies).map(([status, schema]) => [
    status,
    {
      description: STATUS_CODES[status] ?? 'Response',
      headers: { ...rate, ...REQUEST_ID, ...replayed },
      content: {
        'application/json': {
          schema: nameAfter(value, schemas.ofReply(schema), resultSuffix(value, status)),
          ...exampleOf(exampleWithStatus(example, status)),
        },
        ...(status === '200' ? files : {}),
      },
    },
  ])
  const refusals = [...errorsOf(value)].map(([status, codes]) => [
    String(status),
    errors.of(status, codes, {
      ...(status === 401 ? { 'WWW-Authenticate': header('WWW-Authenticate') } : rate),
      ...REQUEST_ID,
      ...(codes.some((code) => 'remembered' in ERRORS[code]) ? replayed : {}),
      ...(RETRIED_AFTER.includes(status) ? { 'Retry-After': header('Retry-After') } : {}),
    }),
  ])
  return Object.fromEntries([...replies, ...refusals])
}

/** Builds the operation object of an endpoint. */
export function operationOf(
  value: Endpoint,
  schemas: Schemas,
  errors: ErrorResponses,
  example: ReplyExample | undefined,
): Part {
  const bucket = value.bucket && BUCKETS[value.bucket]
  return {
    operationId: value.name,
    tags: [value.tag],
    summary: value.summary,
    description: descriptionOf(value),
    'x-scope': value.scope,
    ...(value.orScope ? { 'x-or-scope': value.orScope } : {}),
    'x-role': value.role,
    ...(value.scopeOverRole ? { 'x-scope-over-role': true } : {}),
    'x-bucket': bucket && {
      name: value.bucket,
      burst: bucket.burst,
      sustained: { requests: bucket.refill, seconds: bucket.perSeconds },
    },
    'x-spec-section': value.section,
    security: value.role === null ? [] : [{ apiKey: [] }],
    parameters: parametersOf(value, schemas),
    ...requestBodyOf(value, schemas),
    responses: responsesOf(value, schemas, errors, example),
  }
}
