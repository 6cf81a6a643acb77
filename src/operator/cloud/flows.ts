import { idOrNull, objectsIn, textOrNull } from '../../core/values/storable.ts'
import type { Answered, FlowFaults, NewOperatorFlow, Operator, OperatorFlow } from '../port.ts'
import { type Line, pageOf } from './line.ts'
import { multipartOf } from './multipart.ts'

const FIELDS = 'id,name,status,categories'
/** Errors of a form that are kept. */
const FAULTS_MAX = 50

type FlowCalls = Pick<
  Operator,
  'listFlows' | 'createFlow' | 'changeFlow' | 'findFlow' | 'publishFlow' | 'deprecateFlow' | 'deleteFlow'
>

/** The in-chat forms of an account (docs/formats.md section 2, interactive flow). */
export function flowCalls(line: Line): FlowCalls {
  const act = async (
    number: Parameters<Operator['findFlow']>[0],
    method: 'POST' | 'DELETE',
    path: string,
    json?: unknown,
  ): Promise<Answered<undefined>> => {
    const answered = await line.call(number, { method, path, json })
    return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
  }
  return {
    async listFlows(number, after) {
      const cursor = after === null ? '' : `&after=${encodeURIComponent(after)}`
      const page = pageOf(
        await line.call(number, {
          method: 'GET',
          path: `/${encodeURIComponent(number.accountId)}/flows?fields=${FIELDS}&limit=100${cursor}`,
        }),
      )
      if (page.kind !== 'done') return page
      const { data, after: next } = page.value
      return { kind: 'done', value: { flows: data.flatMap(flowOf), after: next } }
    },

    async createFlow(number, flow) {
      const answered = await line.call(number, {
        method: 'POST',
        path: `/${encodeURIComponent(number.accountId)}/flows`,
        json: { ...headOf(flow), flow_json: JSON.stringify(flow.json) },
      })
      if (answered.kind !== 'done') return answered
      const id = idOrNull(answered.value.id)
      return id === null
        ? { kind: 'unknown', reason: 'the answer about the form has no id' }
        : { kind: 'done', value: { id, faults: faultsIn(answered.value) } }
    },

    async changeFlow(number, flowId, flow) {
      const head = await act(number, 'POST', addressOf(flowId), headOf(flow))
      if (head.kind !== 'done') return head
      const bytes = Buffer.from(JSON.stringify(flow.json))
      const form = multipartOf(
        { asset_type: 'FLOW_JSON', name: 'flow.json' },
        {
          filename: 'flow.json',
          mimeType: 'application/json',
          sizeBytes: bytes.length,
          chunks: () => [bytes],
        },
      )
      const answered = await line.call(number, {
        method: 'POST',
        path: `${addressOf(flowId)}/assets`,
        headers: { 'content-type': form.type, 'content-length': String(form.bytes) },
        body: form.stream,
      })
      return answered.kind === 'done'
        ? { kind: 'done', value: { faults: faultsIn(answered.value) } }
        : answered
    },

    async findFlow(number, flowId) {
      const answered = await line.call(number, {
        method: 'GET',
        path: `${addressOf(flowId)}?fields=${FIELDS}`,
      })
      if (answered.kind !== 'done') return answered
      const [flow] = flowOf(answered.value)
      return flow
        ? { kind: 'done', value: flow }
        : { kind: 'unknown', reason: 'the answer about the form has no id' }
    },

    publishFlow: (number, flowId) => act(number, 'POST', `${addressOf(flowId)}/publish`),
    deprecateFlow: (number, flowId) => act(number, 'POST', `${addressOf(flowId)}/deprecate`),
    deleteFlow: (number, flowId) => act(number, 'DELETE', addressOf(flowId)),
  }
}

const addressOf = (flowId: string): string => `/${encodeURIComponent(flowId)}`

const headOf = ({ name, categories }: NewOperatorFlow) => ({ name, categories })

/** Returns the errors in an answer as sentences, at most fifty. */
const faultsIn = ({ validation_errors: errors }: Record<string, unknown>): FlowFaults =>
  objectsIn(errors)
    .flatMap((error) => textOrNull(error.message) ?? textOrNull(error.error) ?? [])
    .slice(0, FAULTS_MAX)

function flowOf(row: Record<string, unknown>): OperatorFlow[] {
  const id = idOrNull(row.id)
  if (id === null) return []
  const categories = Array.isArray(row.categories) ? row.categories : []
  return [
    {
      id,
      name: textOrNull(row.name) ?? id,
      status: textOrNull(row.status) ?? 'DRAFT',
      categories: categories.filter((category): category is string => typeof category === 'string'),
    },
  ]
}
