import {
  type IDataObject,
  type IN8nHttpFullResponse,
  type JsonObject,
  NodeApiError,
  type PostReceiveAction,
} from 'n8n-workflow'
import { textOf } from '../../text-of.ts'

const FIRST_ERROR = 400

/** Returns the body of an answer as an object: of a file, from its bytes. */
function bodyOf({ body }: IN8nHttpFullResponse): IDataObject {
  const isText = typeof body === 'string' || body instanceof Uint8Array || body instanceof ArrayBuffer
  if (!isText) return (body ?? {}) as IDataObject
  try {
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body as ArrayBuffer).toString('utf8'))
  } catch {
    return {}
  }
}

/** Throws the API's error in its own words, with the address of the page that explains it. */
export const throwRefusal: PostReceiveAction = async function (items, response) {
  if (response.statusCode < FIRST_ERROR) return items
  const body = bodyOf(response)
  const [error, message, docUrl, seconds] = [
    body.error,
    body.message,
    body.docUrl,
    body.retryAfterSeconds,
  ].map(textOf)
  const wait = seconds ? [`Wait ${seconds} seconds.`] : []
  const page = docUrl ? [`Explanation: ${docUrl}`] : []
  throw new NodeApiError(this.getNode(), body as JsonObject, {
    message: message || `Parley answered ${response.statusCode}.`,
    description: [`Error code: ${error || 'none'}.`, ...wait, ...page].join(' '),
    httpCode: String(response.statusCode),
    itemIndex: this.getItemIndex(),
  })
}
