import type { Operator } from '../port.ts'
import type { Line } from './line.ts'

/** Read marks and the typing indicator use the address of messages (docs/formats.md section 2). */
export const markReadCalls = (line: Line): Pick<Operator, 'markRead'> => ({
  async markRead(number, { chanmid, typing }) {
    const answered = await line.call(number, {
      method: 'POST',
      path: `/${encodeURIComponent(number.operatorId)}/messages`,
      json: {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: chanmid,
        typing_indicator: typing ? { type: 'text' } : undefined,
      },
    })
    return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
  },
})
