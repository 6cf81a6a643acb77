import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../../core/clock.ts'
import { graphError, missingParameter } from '../../../operator/simulator/graph-errors.ts'
import { objectParameter } from '../../../operator/simulator/request-body.ts'
import type { Calls } from '../call.ts'
import { idParameter } from '../id-parameter.ts'
import { nodeAnswer } from '../node-fields.ts'

const MAX_TEXT_BYTES = 1000
const WINDOW_SUBCODE = 2534022

/** Returns a new id of a direct message. */
export const newMid = (): string => `aWdf${Buffer.from(randomUUID()).toString('base64url')}`

export const chatCalls: Calls = {
  'account POST messages': async ({ store, account, values }) => {
    const recipientId = objectParameter(values.recipient)?.id
    if (recipientId === undefined) return missingParameter('recipient')
    const text = objectParameter(values.message)?.text
    if (typeof text !== 'string' || text === '') return missingParameter('message')
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
      return graphError(
        100,
        `(#100) Length of param message[text] must be less than or equal to ${MAX_TEXT_BYTES}`,
      )
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
    const mid = newMid()
    await store.report(account, {
      messaging: {
        sender: { id: account.networkId },
        recipient: { id: customer.id },
        timestamp: now,
        message: { mid, text, is_echo: true },
      },
    })
    return { status: 200, body: { recipient_id: customer.id, message_id: mid } }
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
