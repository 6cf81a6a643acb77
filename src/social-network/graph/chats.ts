import { textOrNull } from '../../core/values/storable.ts'
import type { ChatCalls } from '../port.ts'
import { type Line, readAnswer, segment } from './line.ts'
import { networkIdOrNull } from './values.ts'

export const chatCalls = (line: Line): ChatCalls => ({
  sendText: async (account, { customerId, text }) =>
    readAnswer(
      await line(account, {
        method: 'POST',
        path: `${segment(account.networkId)}/messages`,
        json: { recipient: { id: customerId }, message: { text } },
        once: true,
      }),
      (value) => {
        const mid = networkIdOrNull(value.message_id)
        return mid === null ? undefined : { mid }
      },
    ),
  findCustomer: async (account, customerId) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: segment(customerId),
        query: { fields: 'name,username' },
      }),
      (value) => ({ name: textOrNull(value.name), username: textOrNull(value.username) }),
    ),
})
