import {
  type GraphAnswer,
  graphError,
  invalidParameter,
  missingParameter,
  notSimulated,
} from './graph-errors.ts'
import { objectParameter } from './request-body.ts'

/** Looks at the payload of one type; answers with the refusal, or nothing when it is good. */
type PayloadCheck = (payload: Record<string, unknown>) => GraphAnswer | undefined

/** What the simulator plays. A type more is a row more. */
const checkByType: Record<string, PayloadCheck> = {
  text: checkText,
}

const operatorTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
]

/** The refusal of a message's `type` and payload, if any. A message without `type` is a text, as at the operator. */
export function checkMessageType(values: Record<string, unknown>): GraphAnswer | undefined {
  const type = values.type ?? 'text'
  if (typeof type !== 'string' || !operatorTypes.includes(type))
    return graphError(100, `(#100) Param type must be one of {${operatorTypes.join(', ').toUpperCase()}}`)
  if (!Object.hasOwn(checkByType, type)) return notSimulated(`Message type ${type}`)
  if (values[type] === undefined) return missingParameter(type)
  const payload = objectParameter(values[type])
  if (payload === undefined) return graphError(100, `(#100) Param ${type} must be a JSON object.`)
  return checkByType[type]!(payload)
}

const maxTextLength = 4096

function checkText({ body, preview_url: previewUrl }: Record<string, unknown>): GraphAnswer | undefined {
  if (body === undefined || body === '') return missingParameter("text['body']")
  if (typeof body !== 'string') return graphError(100, "(#100) Param text['body'] must be a string.")
  // Characters, not UTF-16 units; counted only where the two can differ.
  if (body.length > maxTextLength && Array.from(body).length > maxTextLength)
    return graphError(100, `(#100) Param text['body'] must be at most ${maxTextLength} characters long.`)
  if (previewUrl !== undefined && ![true, false, 'true', 'false'].includes(previewUrl as boolean | string))
    return invalidParameter("text['preview_url'] must be a boolean.")
  return undefined
}
