import { isObject, storableJson } from '../../core/values/storable.ts'

type Json = Record<string, unknown>

/** Finds the form token in an answer that is not valid JSON. */
const TOKEN_IN_TEXT = /"flow_token"\s*:\s*"(?:[^"\\]|\\.)*"?\s*,?/g

const replyIn = (type: string, content: Json): (Json & { response_json: string }) | undefined => {
  const reply = type === 'interactive' && content.type === 'nfm_reply' ? content.nfm_reply : undefined
  return isObject(reply) && typeof reply.response_json === 'string'
    ? (reply as Json & { response_json: string })
    : undefined
}

/**
 * Returns the fields of an in-chat form sent by a customer, by name, without the form's token
 * (docs/formats.md section 17). Null for any other message and for an unreadable answer.
 */
export function readFormAnswer(type: string, content: Json): Json | null {
  const reply = replyIn(type, content)
  if (reply?.name !== 'flow') return null
  const answer = parsed(reply.response_json)
  if (!isObject(answer)) return null
  const { flow_token: _, ...fields } = answer
  return storableJson(fields) as Json
}

/**
 * Removes the form token from the content of a message. The token signs the form's data, so no reader may see
 * it.
 */
export function withoutFormToken(type: string, content: Json): Json {
  const reply = replyIn(type, content)
  if (!reply) return content
  return { ...content, nfm_reply: { ...reply, response_json: withoutToken(reply.response_json) } }
}

function withoutToken(text: string): string {
  const answer = parsed(text)
  if (!isObject(answer)) return text.replace(TOKEN_IN_TEXT, '')
  if (!('flow_token' in answer)) return text
  const { flow_token: _, ...fields } = answer
  return JSON.stringify(fields)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
