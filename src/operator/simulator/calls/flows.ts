import type { Calls, SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { selectFields } from '../graph-fields.ts'
import { pageOf } from '../graph-page.ts'

/** The in-chat forms of an account: every simulated account has the same one, published. */
export const flowCalls: Calls = {
  'account GET flows': listFlows,
}

async function listFlows({ number, values, url }: SimulatedCall): Promise<GraphAnswer> {
  const sample = {
    id: `8${number.accountId}`,
    name: 'Book a visit',
    status: 'PUBLISHED',
    categories: ['APPOINTMENT_BOOKING'],
    validation_errors: [],
    json_version: '7.0',
    data_api_version: '3.0',
  }
  const selected = selectFields(sample, values.fields, {
    byDefault: ['id', 'name', 'status', 'categories', 'validation_errors'],
    type: 'WhatsAppBusinessFlow',
  })
  if (!selected.ok) return selected.answer
  const paged = pageOf([selected.node], values, {
    keyOf: (node) => String(node.id),
    url: `${url}/v24.0/${number.accountId}/flows`,
  })
  return paged.ok ? { status: 200, body: paged.page } : paged.answer
}
