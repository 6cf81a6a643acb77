import { isObject, storableJson } from '../../../core/storable.ts'
import type { Json } from './webhook-value.ts'

/**
 * The fields of an in-chat form that a customer sent, by their names, without the form's token (docs/formats.md section 17);
 * null for any other message and for an answer that cannot be read.
 */
export function readFormAnswer(type: string, content: Json): Json | null {
  const reply = type === 'interactive' && content.type === 'nfm_reply' ? content.nfm_reply : undefined
  if (!isObject(reply) || reply.name !== 'flow' || typeof reply.response_json !== 'string') return null
  const answer = parsed(reply.response_json)
  if (!isObject(answer)) return null
  const { flow_token: _, ...fields } = answer
  return storableJson(fields) as Json
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
