import type { Calls, SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { nodeAnswer } from '../graph-fields.ts'
import { listAnswer } from '../graph-page.ts'
import { sampleFlowId } from '../samples.ts'

/** The in-chat forms of an account: every simulated account has the same published form. */
export const flowCalls: Calls = {
  'account GET flows': async (call) => listAnswer(call, 'WhatsAppBusinessFlow', [flowNode(call)]),
  'flow GET': async (call): Promise<GraphAnswer> =>
    nodeAnswer('WhatsAppBusinessFlow', flowNode(call), call.values.fields),
}

const flowNode = ({ number: { accountId } }: SimulatedCall): Record<string, unknown> => ({
  id: sampleFlowId(accountId),
  name: 'Book a visit',
  status: 'PUBLISHED',
  categories: ['APPOINTMENT_BOOKING'],
  validation_errors: [],
  json_version: '7.0',
  data_api_version: '3.0',
  whatsapp_business_account: { id: accountId, name: 'Sandbox' },
  health_status: { can_send_message: 'AVAILABLE', entities: [] },
})
