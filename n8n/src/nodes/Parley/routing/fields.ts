/** Turns the values of n8n's fields into those of the API. */
import {
  type IDataObject,
  type IExecuteSingleFunctions,
  NodeOperationError,
  type PreSendAction,
} from 'n8n-workflow'
import { textOf } from '../../text-of.ts'

type Convert = (this: IExecuteSingleFunctions, value: unknown, name: string) => unknown

/** Makes an action that replaces the value of a field, in the body or in the query. */
const converting =
  (convert: Convert) =>
  (name: string): PreSendAction =>
    async function (request) {
      for (const part of [request.body as IDataObject | undefined, request.qs])
        if (part !== undefined && name in part)
          part[name] = convert.call(this, part[name], name) as IDataObject
      return request
    }

const failure = (run: IExecuteSingleFunctions, message: string): NodeOperationError =>
  new NodeOperationError(run.getNode(), message, { itemIndex: run.getItemIndex() })

/** Takes JSON as text, or the value of an expression as it is. */
export const asJson = converting(function (value, name) {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw failure(this, `The field "${name}" must be valid JSON.`)
  }
})

/** Takes texts separated by commas, or the list of an expression as it is. */
export const asList = converting((value) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== '')
    : value,
)

/** An empty field removes the value. */
export const orNull = converting((value) => (value === '' ? null : value))

const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/

/** Takes a time as text or as a date object. A time without a zone is in the zone of the workflow. Empty removes the value. */
export const asInstant = converting(function (value) {
  if (value === '') return null
  const text =
    value instanceof Object && 'toISOString' in value ? (value as Date).toISOString() : String(value)
  if (HAS_ZONE.test(text)) return text
  // Only expressions know the zone of the workflow and have a library for times.
  const expression = `={{ DateTime.fromISO(${JSON.stringify(text)}).toUTC().toISO() }}`
  return this.evaluateExpression(expression, this.getItemIndex()) ?? text
})

/** Refuses a part of the address that is empty or leads to another address. */
export const asPathPart = (name: string): PreSendAction =>
  async function (request) {
    const part = textOf(this.getNodeParameter(name, '')).trim()
    if (part === '' || part === '.' || part === '..')
      throw failure(this, `The field "${name}" must be an ID, as another operation returned it.`)
    return request
  }
