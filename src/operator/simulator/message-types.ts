import type { z } from 'zod'
import { isObject } from '../../core/values/storable.ts'
import type { FaultMark } from '../message-payload/fields.ts'
import { ORDER_MESSAGES } from '../message-payload/order.ts'
import { MESSAGE_TYPES, type MessageType, PAYLOADS } from '../message-payload/payloads.ts'
import { type GraphAnswer, graphError, invalidParameter, missingParameter } from './graph-errors.ts'
import { textParameter } from './graph-parameters.ts'
import { decodedParameter } from './request-body.ts'

const isMessageType = (type: unknown): type is MessageType => MESSAGE_TYPES.some((known) => known === type)

/**
 * Returns the type of a sent message in lower case. A message without `type` is a text, as at the operator.
 */
export const messageTypeOf = ({ type }: Record<string, unknown>): string =>
  textParameter(type ?? 'text').toLowerCase()

/** Returns the refusal of a message's `type` and payload, if any. */
export function checkMessageType(values: Record<string, unknown>): GraphAnswer | undefined {
  const type = messageTypeOf(values)
  if (!isMessageType(type))
    return graphError(100, `(#100) Param type must be one of {${MESSAGE_TYPES.join(', ').toUpperCase()}}`)
  if (values[type] === undefined) return missingParameter(type)
  // Some clients write it as JSON text.
  const payload = decodedParameter(values[type])
  const { error } = shapeOf(type, payload).safeParse(payload)
  return error && refusalOf(error, type, payload)
}

/** Only Parley itself sends messages about orders; the schema for API customers excludes them. */
const shapeOf = (type: MessageType, payload: unknown): z.ZodType =>
  type === 'interactive' && isObject(payload) && Object.hasOwn(ORDER_MESSAGES, String(payload.type))
    ? ORDER_MESSAGES[payload.type as keyof typeof ORDER_MESSAGES]
    : PAYLOADS[type]

const kindByType: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  boolean: 'must be a boolean',
  array: 'must be an array',
  object: 'must be a JSON object',
  record: 'must be a JSON object',
}

/**
 * Returns the first fault with the operator's text: 100 for a malformed parameter, 131008 and 131009 for its
 * content (docs/formats.md section 4).
 */
function refusalOf(error: z.ZodError, type: string, payload: unknown): GraphAnswer {
  const issue = error.issues[0]!
  const name =
    type + issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `['${String(part)}']`)).join('')
  const value = issue.path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown>)?.[part],
    payload,
  )
  const mark = issue.code === 'custom' ? (issue.params as FaultMark | undefined) : undefined
  if (value === undefined || value === '') return missingParameter(name)
  if (mark?.fault === 'missing')
    return graphError(131008, '(#131008) Required parameter is missing', {
      details: `${name}: ${issue.message}`,
    })
  if (mark?.fault === 'tooLong')
    return graphError(100, `(#100) Param ${name} must be at most ${mark.max} characters long.`)
  if (issue.code === 'unrecognized_keys')
    return graphError(100, `(#100) Unexpected key "${issue.keys[0]}" on param "${name}".`)
  if (issue.code === 'invalid_type')
    return graphError(100, `(#100) Param ${name} ${kindByType[issue.expected] ?? 'is not valid'}.`)
  return invalidParameter(`${name}: ${issue.message}`)
}
