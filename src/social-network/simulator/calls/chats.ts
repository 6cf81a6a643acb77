import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../../core/clock.ts'
import { type GraphAnswer, graphError, missingParameter } from '../../../operator/simulator/graph-errors.ts'
import { objectParameter } from '../../../operator/simulator/request-body.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { idParameter } from '../id-parameter.ts'
import { nodeAnswer } from '../node-fields.ts'

const MAX_TEXT_BYTES = 1000
const WINDOW_SUBCODE = 2534022
const PRIVATE_REPLY_DAYS = 7

/** Returns a new id of a direct message. */
export const newMid = (): string => `aWdf${Buffer.from(randomUUID()).toString('base64url')}`

type At = Pick<SimulatedCall, 'store' | 'account'>

/** Sends a direct message, which the network reports like every message of the account. */
async function submit({ store, account }: At, customerId: string, text: string): Promise<GraphAnswer> {
  const mid = newMid()
  await store.report(account, {
    messaging: {
      sender: { id: account.networkId },
      recipient: { id: customerId },
      timestamp: store.currentTime().getTime(),
      message: { mid, text, is_echo: true },
    },
  })
  return { status: 200, body: { recipient_id: customerId, message_id: mid } }
}

/** Sends a direct message to the author of a comment under the account's post: once, within seven days. */
async function privateReply({ store, account }: At, commentId: string, text: string): Promise<GraphAnswer> {
  const comment = await store.find(commentId)
  if (comment?.kind !== 'comment' || comment.accountId !== account.networkId)
    return graphError(100, `(#100) Object with ID '${commentId}' does not exist`, { subcode: 33 })
  const { value } = comment
  if (value.mention === true) return graphError(10903, '(#10903) This user cannot reply to this activity')
  if (store.currentTime().getTime() - Date.parse(String(value.timestamp)) >= PRIVATE_REPLY_DAYS * DAY_MS)
    return graphError(10901, '(#10901) The comment is too old for a private reply')
  if (value.private_reply === true) return graphError(10900, '(#10900) Activity already replied to')
  await store.keep(account, { ...comment, value: { ...value, private_reply: true } })
  return submit({ store, account }, (value.from as { id: string }).id, text)
}

export const chatCalls: Calls = {
  'account POST messages': async ({ store, account, values }) => {
    const recipient = objectParameter(values.recipient)
    const recipientId = recipient?.id
    const commentId = recipient?.comment_id
    if (recipientId === undefined && commentId === undefined) return missingParameter('recipient')
    const text = objectParameter(values.message)?.text
    if (typeof text !== 'string' || text === '') return missingParameter('message')
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
      return graphError(
        100,
        `(#100) Length of param message[text] must be less than or equal to ${MAX_TEXT_BYTES}`,
      )
    if (commentId !== undefined) return privateReply({ store, account }, idParameter(commentId), text)
    const customer = await store.find(idParameter(recipientId))
    if (customer?.kind !== 'customer' || customer.accountId !== account.networkId)
      return graphError(100, '(#100) No matching user found', { subcode: 2018001 })
    const now = store.currentTime().getTime()
    if (now - Number(customer.value.wroteAtMs ?? 0) >= DAY_MS)
      return graphError(10, 'This message is sent outside of allowed window.', {
        status: 403,
        subcode: WINDOW_SUBCODE,
        type: 'IGApiException',
      })
    return submit({ store, account }, customer.id, text)
  },
  'customer GET': async ({ object, values }) => {
    const { name, username } = object!.value
    const node = {
      id: object!.id,
      name,
      username,
      profile_pic: null,
      follower_count: 10,
      is_user_follow_business: true,
      is_business_follow_user: false,
      is_verified_user: false,
    }
    return nodeAnswer(node, values.fields, { byDefault: ['id'], type: 'IGBusinessScopedID' })
  },
}
