import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, graphError, invalidParameter } from '../graph-errors.ts'
import { addressBookReports, historyReports } from '../phone-app.ts'
import { productRefusal } from '../product.ts'

/** The request for the data of the phone app (docs/formats.md section 7). */
export const phoneAppCalls: Calls = { 'number POST smb_app_data': requestData }

async function requestData(call: SimulatedCall): Promise<GraphAnswer> {
  const refusal = productRefusal(call.values)
  if (refusal) return refusal
  const { store, number, values } = call
  const kind = values.sync_type
  if (kind !== 'history' && kind !== 'smb_app_state_sync')
    return invalidParameter('sync_type must be history or smb_app_state_sync.')
  if (number.inPhoneApp === false) return graphError(100, "(#100) The number isn't used in the phone app.")
  const id = `${kind}-${number.operatorId}`
  if (await store.has(number, 'phone_app', id))
    return graphError(100, '(#100) This data was already requested. It can be requested once.')
  const reports = kind === 'history' ? await historyReports(store, number) : addressBookReports(number)
  await store.keep(number, { kind: 'phone_app', id, value: {}, bytes: null, expiresAt: null })
  await store.schedule(number, reports, undefined)
  return { status: 200, body: { messaging_product: 'whatsapp', request_id: id } }
}
