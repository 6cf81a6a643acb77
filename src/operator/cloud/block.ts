import { isObject, objectsIn } from '../../core/values/storable.ts'
import { classifyError } from '../error-classes.ts'
import type { Answered, BlockedUser, Operator, OperatorNumber } from '../port.ts'
import type { Exchanged } from './exchange-once.ts'
import { parseObject } from './handover.ts'
import { answeredOf, type Line } from './line.ts'

/** Blocking and unblocking customers (docs/formats.md section 7). */
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
  const exchanged = await line.exchange(number, {
    method,
    path: `/${encodeURIComponent(number.operatorId)}/block_users`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      block_users: [phone === null ? { user_id: userId } : { user: phone }],
    }),
  })
  return blockedOf(exchanged)
}

/**
 * Only one user is requested, so a failed user means that the call was refused. The reason for that user is
 * next to the general error.
 */
function blockedOf(exchanged: Exchanged): Answered<undefined> {
  const answered = answeredOf(exchanged)
  if (answered.kind !== 'done' && answered.kind !== 'refused') return answered
  const body = exchanged.kind === 'answered' ? parseObject(exchanged.body) : {}
  const users = isObject(body.block_users) ? body.block_users : {}
  const firstError = objectsIn(objectsIn(users.failed_users)[0]?.errors)[0]
  if (firstError === undefined)
    return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
  const own = classifyError(firstError)
  return answered.kind === 'done'
    ? { kind: 'refused', error: own, retryAfterSeconds: null }
    : { ...answered, error: { ...answered.error, details: own.details ?? own.message } }
}
