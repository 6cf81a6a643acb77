import { filesOfMessage } from '../message-payload/carried-files.ts'
import type { SimulatedCall } from './call.ts'
import { type GraphAnswer, graphError } from './graph-errors.ts'
import { messageTypeOf } from './message-types.ts'
import { decodedParameter } from './request-body.ts'

/**
 * Returns the refusal of a well-formed message that carries a file which the account does not have (any
 * more).
 */
export async function refuseUnknownFiles({
  store,
  number,
  values,
}: SimulatedCall): Promise<GraphAnswer | undefined> {
  const type = messageTypeOf(values)
  const files = filesOfMessage({ type, [type]: decodedParameter(values[type]) }, '')
  const had = await Promise.all(files.map(({ mediaId }) => store.has(number, 'media', mediaId)))
  const unknown = files.find((_, i) => !had[i])
  return unknown && missingAttachment(unknown.path)
}

/** Names a path as the operator does: `image['id']`. */
const missingAttachment = (path: string): GraphAnswer => {
  const name = path.slice(1).replaceAll(/\.(\w+)/g, "['$1']")
  return graphError(100, `(#100) Param ${name} is not a valid whatsapp business account media attachment ID`)
}
