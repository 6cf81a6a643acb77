import type { Answered, BlockedUser, Operator, OperatorNumber } from '../port.ts'
import type { Line } from './line.ts'

/** Blocking and unblocking customers (FORMATS section 7). */
export const blockCalls = (line: Line): Pick<Operator, 'block' | 'unblock'> => ({
  block: (number, user) => call(line, 'POST', number, user),
  unblock: (number, user) => call(line, 'DELETE', number, user),
})

async function call(
  line: Line,
  method: 'POST' | 'DELETE',
  number: OperatorNumber,
  { phone, userId }: BlockedUser,
): Promise<Answered<undefined>> {
  const answered = await line.call(number, {
    method,
    path: `/${encodeURIComponent(number.operatorId)}/block_users`,
    json: {
      messaging_product: 'whatsapp',
      block_users: [phone === null ? { user_id: userId } : { user: phone }],
    },
  })
  return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
}
