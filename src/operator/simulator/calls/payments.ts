import { isObject, objectsIn } from '../../../core/values/storable.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, unknownObject } from '../graph-errors.ts'
import { findOrder } from '../stored-orders.ts'

/** The calls about payments in the chat (docs/formats.md section 13). */
export const paymentCalls: Calls = {
  'number GET payments': lookUpPayment,
  'account GET payment_configurations': listConfigurations,
}

/** Looks up the payments of an order by its payment configuration and its reference. */
async function lookUpPayment({ store, number, rest }: SimulatedCall): Promise<GraphAnswer> {
  const [configuration = '', reference = ''] = rest
  const order = await findOrder(store, number, reference)
  const [settings] = objectsIn(order?.value.settings)
  const gateway = isObject(settings?.payment_gateway) ? settings.payment_gateway : {}
  if (!order || gateway.configuration_name !== configuration) return unknownObject('GET', reference)
  const { status, currency, amount, transactions } = order.value
  const payment = { reference_id: reference, status, currency, total_amount: amount, transactions }
  return { status: 200, body: { payments: [payment] } }
}

/** The only configuration of every simulated account; any other name is accepted too. */
const CONFIGURATION = {
  configuration_name: 'simulated',
  merchant_category_code: { code: '0000', description: 'Test MCC Code' },
  purpose_code: { code: '00', description: 'Test Purpose Code' },
  status: 'Active',
  provider_mid: 'acc_simulated',
  provider_name: 'RazorPay',
  created_timestamp: 1_720_203_204,
  updated_timestamp: 1_721_088_316,
}

async function listConfigurations(): Promise<GraphAnswer> {
  return { status: 200, body: { data: [CONFIGURATION] } }
}
