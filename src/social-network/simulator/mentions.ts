import { type GraphAnswer, unknownObject } from '../../operator/simulator/graph-errors.ts'
import type { SimulatedCall } from './call.ts'

const ASKED = /^mentioned_(comment|media)\.(?:comment|media)_id\(([^()]*)\)/

/**
 * Answers a request for a mention (`fields=mentioned_comment.comment_id(…){…}`); undefined for any other
 * call.
 */
export async function mentionOf({ store, account, values }: SimulatedCall): Promise<GraphAnswer | undefined> {
  const [, kind, id = ''] = ASKED.exec(typeof values.fields === 'string' ? values.fields : '') ?? []
  if (kind === undefined) return undefined
  const found = await store.find(id)
  if (found?.accountId !== account.networkId || found.value.mention !== true) return unknownObject('GET', id)
  const { text, username, timestamp, media_id: mediaId, permalink } = found.value
  const shown =
    kind === 'comment'
      ? { id, text, username, timestamp, media: { id: mediaId, permalink } }
      : { id, caption: text, username, timestamp, permalink }
  return { status: 200, body: { [`mentioned_${kind}`]: shown, id: account.networkId } }
}
