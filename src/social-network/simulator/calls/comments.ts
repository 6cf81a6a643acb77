import { graphError, missingParameter } from '../../../operator/simulator/graph-errors.ts'
import { pageOf } from '../../../operator/simulator/graph-page.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { idParameter } from '../id-parameter.ts'
import { nodeAnswer } from '../node-fields.ts'
import { newNetworkId } from '../store.ts'

/** Formats a time as the network does. */
export const timestampOf = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, '+0000')

type Reply = { text: string; mediaId: unknown; parentId: string }

/** Stores our own reply, which the network reports like any other comment. */
async function reply({ store, account }: SimulatedCall, { text, mediaId, parentId }: Reply): Promise<string> {
  const id = newNetworkId()
  const from = { id: account.networkId, username: account.username }
  const value = {
    text,
    from,
    username: account.username,
    timestamp: timestampOf(store.currentTime()),
    hidden: false,
    like_count: 0,
    media_id: mediaId,
    parent_id: parentId,
  }
  await store.keep(account, { kind: 'comment', id, value, expiresAt: null })
  await store.report(account, {
    field: 'comments',
    value: {
      id,
      parent_id: parentId,
      from: { ...from, self_ig_scoped_id: `${account.networkId}0` },
      text,
      media: { id: mediaId, media_product_type: 'FEED' },
    },
  })
  return id
}

const textParameter = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

export const commentCalls: Calls = {
  'comment POST replies': async (call) => {
    const text = textParameter(call.values.message)
    if (text === undefined) return missingParameter('message')
    const { id, value } = call.object!
    if (value.mention === true)
      return graphError(100, '(#100) Replies to comments on media of others go through mentions')
    // A reply to a reply belongs to the top comment.
    const parentId = typeof value.parent_id === 'string' ? value.parent_id : id
    return { status: 200, body: { id: await reply(call, { text, mediaId: value.media_id, parentId }) } }
  },
  'comment POST': async ({ store, account, object, values }) => {
    if (values.hide === undefined) return missingParameter('hide')
    if (object!.value.live === true) return graphError(100, '(#100) Comments on live videos cannot be hidden')
    const hidden = values.hide === true || values.hide === 'true'
    await store.keep(account, { ...object!, value: { ...object!.value, hidden } })
    return { status: 200, body: { success: true } }
  },
  'comment DELETE': async ({ store, account, object }) => {
    await store.drop(account, 'comment', object!.id)
    return { status: 200, body: { success: true } }
  },
  'comment GET': async ({ object, values }) => {
    return nodeAnswer({ id: object!.id, ...object!.value }, values.fields, {
      byDefault: ['id', 'text', 'timestamp'],
      type: 'IGComment',
    })
  },
  'media GET comments': async (call) => {
    const comments = (await call.store.list(call.account, 'comment')).filter(
      ({ value }) => value.media_id === call.object!.id && value.parent_id === null,
    )
    const nodes = comments.reverse().map(({ id, value }) => ({ id, ...value }))
    const read = pageOf(call, nodes, (node) => String(node.id))
    return read.ok ? { status: 200, body: read.page } : read.answer
  },
  'account POST mentions': async (call) => {
    const text = textParameter(call.values.message)
    if (text === undefined) return missingParameter('message')
    const id = idParameter(call.values.comment_id ?? call.values.media_id)
    const mention = await call.store.find(id)
    if (mention?.accountId !== call.account.networkId || mention.value.mention !== true)
      return graphError(100, '(#100) The account is not mentioned there')
    // The network reports no comments under other accounts' posts.
    const replyId = newNetworkId()
    const value = { text, media_id: call.values.media_id, parent_id: id }
    await call.store.keep(call.account, { kind: 'comment', id: replyId, value, expiresAt: null })
    return { status: 200, body: { id: replyId } }
  },
}
