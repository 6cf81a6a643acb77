/**
 * Simulates a missed call of a customer to the sandbox number, in the operator's format through the intake.
 */
import { randomUUID } from 'node:crypto'
import { later, realTime, SECOND_MS } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { invalid, refuse } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { digitsOf } from '../../../core/values/phone.ts'
import { missedCallValue } from '../../../operator/simulator/webhook-values.ts'
import { receiveUpdates } from '../../messaging/messages/intake/operations/intake.ts'
import { listNumbersWithOperatorIds } from '../../platform/workspaces/operations/phone-numbers.ts'
import { writerOf } from './simulated-writer.ts'

const RANG_MS = 20 * SECOND_MS

/**
 * Returns the call with the id that `call.missed` will have, and the intake update that reports it. Refuses
 * with `not_found` without a simulated number.
 */
export async function simulateCall(
  ctx: Context,
  from: string,
): Promise<{ callId: string; updateId: string }> {
  const { phone: customer } = await writerOf(ctx, from)
  if (customer === null)
    throw invalid([{ path: 'from', message: 'Must be a phone number. Calls always come from one.' }])
  const [number] = await listNumbersWithOperatorIds(ctx, 'simulator')
  if (!number)
    return refuse('not_found', 'This workspace has no simulated number. Connect one in Settings → Numbers.')
  if (customer === number.number)
    refuse('cannot_send_to_self', "This is your own number. Use a customer's number.")
  const callId = `wacid.${Buffer.from(randomUUID().replaceAll('-', '').toUpperCase(), 'latin1').toString('base64')}`
  const value = missedCallValue({
    number: {
      operatorId: number.operatorId,
      accountId: number.accountId,
      token: '',
      displayNumber: digitsOf(number.number),
    },
    from: digitsOf(customer),
    callId,
    startedAt: later(ctx.now, -RANG_MS),
    endedAt: ctx.now,
  })
  const updateId = newId()
  await receiveUpdates(ctx, [
    {
      workspaceId: ctx.workspace.id,
      id: updateId,
      phoneNumberId: number.id,
      sender: digitsOf(customer),
      body: { field: 'calls', value },
      reference: null,
      runAt: realTime(ctx.now, ctx.workspace),
      receivedAt: ctx.now,
    },
  ])
  return { callId, updateId }
}
