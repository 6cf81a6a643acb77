import { randomInt } from 'node:crypto'
import type { Calls, SimulatedCall } from '../call.ts'
import { parseFlowJson } from '../flow-json.ts'
import { type GraphAnswer, graphError, missingParameter } from '../graph-errors.ts'
import { nodeAnswer } from '../graph-fields.ts'
import { listAnswer } from '../graph-page.ts'
import { enumsParameter, refuse, textParameter } from '../graph-parameters.ts'
import { sampleFlowId } from '../samples.ts'
import type { SimulatedObject } from '../store.ts'

/** The in-chat forms of an account: created, changed, published, withdrawn, and deleted. A sample is always there. */
export const flowCalls: Calls = {
  'account GET flows': list,
  'account POST flows': create,
  'flow GET': async (call): Promise<GraphAnswer> =>
    nodeAnswer('WhatsAppBusinessFlow', nodeOf(call, call.object!), call.values.fields),
  'flow POST': rename,
  'flow POST assets': upload,
  'flow POST publish': publish,
  'flow POST deprecate': deprecate,
  'flow DELETE': remove,
}

type KeptFlow = {
  name: string
  categories: string[]
  status: 'DRAFT' | 'PUBLISHED' | 'DEPRECATED'
  faults: Record<string, unknown>[]
  version: string
}

const SAMPLE: KeptFlow = {
  name: 'Book a visit',
  categories: ['APPOINTMENT_BOOKING'],
  status: 'PUBLISHED',
  faults: [],
  version: '7.0',
}
const CATEGORIES = [
  'SIGN_UP',
  'SIGN_IN',
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'SHOPPING',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SURVEY',
  'OTHER',
]
const NAME_MAX = 200
/** The operator's subcode for a name that another form of the account has. */
const NAME_TAKEN = 4016019

const success: GraphAnswer = { status: 200, body: { success: true } }

/** Returns the stored form; the sample has no stored value. */
const keptOf = ({ value }: SimulatedObject): KeptFlow => ({ ...SAMPLE, ...(value as Partial<KeptFlow>) })

function nodeOf({ number: { accountId } }: SimulatedCall, object: SimulatedObject): Record<string, unknown> {
  const { name, categories, status, faults, version } = keptOf(object)
  return {
    id: object.id,
    name,
    status,
    categories,
    validation_errors: faults,
    json_version: version,
    data_api_version: '3.0',
    whatsapp_business_account: { id: accountId, name: 'Sandbox' },
    health_status: { can_send_message: status === 'PUBLISHED' ? 'AVAILABLE' : 'BLOCKED', entities: [] },
  }
}

async function flowsOf({ store, number }: SimulatedCall): Promise<SimulatedObject[]> {
  const stored = await store.list(number, 'flow')
  const id = sampleFlowId(number.accountId)
  if (stored.some((flow) => flow.id === id)) return stored
  return [
    { kind: 'flow', id, accountId: number.accountId, value: {}, bytes: null, expiresAt: null },
    ...stored,
  ]
}

async function list(call: SimulatedCall): Promise<GraphAnswer> {
  const flows = await flowsOf(call)
  return listAnswer(
    call,
    'WhatsAppBusinessFlow',
    flows.map((flow) => nodeOf(call, flow)),
  )
}

/** Reads a name and categories; `id` is the form that already has the name. */
async function readHead(
  call: SimulatedCall,
  id?: string,
): Promise<{ ok: true; name: string; categories: string[] } | { ok: false; answer: GraphAnswer }> {
  const name = textParameter(call.values.name)
  if (name === '') return { ok: false, answer: missingParameter('name') }
  if (name.length > NAME_MAX) return refuse(`Param name must be at most ${NAME_MAX} characters long.`)
  if (call.values.categories === undefined) return { ok: false, answer: missingParameter('categories') }
  const categories = enumsParameter('categories', call.values.categories, CATEGORIES)
  if (!categories.ok) return categories
  const isTaken = (await flowsOf(call)).some((flow) => flow.id !== id && keptOf(flow).name === name)
  if (isTaken)
    return {
      ok: false,
      answer: graphError(100, 'Invalid parameter: the account has a form with this name.', {
        subcode: NAME_TAKEN,
      }),
    }
  return { ok: true, name, categories: categories.value }
}

async function create(call: SimulatedCall): Promise<GraphAnswer> {
  const head = await readHead(call)
  if (!head.ok) return head.answer
  const { version, faults } = parseFlowJson(call.values.flow_json)
  // As long as the operator's own ids.
  const id = `7${String(randomInt(1e7)).padStart(7, '0')}${String(randomInt(1e7)).padStart(7, '0')}`
  const value: KeptFlow = { name: head.name, categories: head.categories, status: 'DRAFT', faults, version }
  await call.store.keep(call.number, { kind: 'flow', id, value, bytes: null, expiresAt: null })
  return { status: 200, body: { id, success: true, validation_errors: faults } }
}

/** Stores a change of the addressed form, if it is a draft. */
async function change(call: SimulatedCall, patch: Partial<KeptFlow>): Promise<GraphAnswer> {
  const { id } = call.object!
  const kept = keptOf(call.object!)
  if (kept.status !== 'DRAFT') return graphError(139002, 'A published form cannot be changed.')
  await call.store.keep(call.number, {
    kind: 'flow',
    id,
    value: { ...kept, ...patch },
    bytes: null,
    expiresAt: null,
  })
  return success
}

async function rename(call: SimulatedCall): Promise<GraphAnswer> {
  const kept = keptOf(call.object!)
  const values = { name: kept.name, categories: kept.categories, ...call.values }
  const head = await readHead({ ...call, values }, call.object!.id)
  return head.ok ? change(call, { name: head.name, categories: head.categories }) : head.answer
}

async function upload(call: SimulatedCall): Promise<GraphAnswer> {
  if (textParameter(call.values.asset_type) !== 'FLOW_JSON') return missingParameter('asset_type')
  if (!call.file) return missingParameter('file')
  const { version, faults } = parseFlowJson(call.file.bytes.toString())
  const answer = await change(call, { version, faults })
  return answer === success ? { status: 200, body: { success: true, validation_errors: faults } } : answer
}

async function publish(call: SimulatedCall): Promise<GraphAnswer> {
  if (keptOf(call.object!).faults.length > 0)
    return graphError(139000, 'The form has validation errors and cannot be published.')
  return change(call, { status: 'PUBLISHED' })
}

async function deprecate(call: SimulatedCall): Promise<GraphAnswer> {
  const kept = keptOf(call.object!)
  if (kept.status !== 'PUBLISHED') return graphError(139003, 'Only a published form can be deprecated.')
  const value = { ...kept, status: 'DEPRECATED' }
  await call.store.keep(call.number, {
    kind: 'flow',
    id: call.object!.id,
    value,
    bytes: null,
    expiresAt: null,
  })
  return success
}

async function remove({ store, number, object }: SimulatedCall): Promise<GraphAnswer> {
  if (keptOf(object!).status !== 'DRAFT') return graphError(139004, 'Only a draft can be deleted.')
  await store.drop(number, 'flow', object!.id)
  return success
}
