import { idOrNull, textOrNull } from '../../core/storable.ts'
import type { Operator, OperatorFlow } from '../port.ts'
import type { Line } from './line.ts'
import { pageOf } from './numbers.ts'

/** The in-chat forms of an account (docs/formats.md section 2, interactive flow). */
export const flowCalls = (line: Line): Pick<Operator, 'listFlows'> => ({
  async listFlows(number, after) {
    const cursor = after === null ? '' : `&after=${encodeURIComponent(after)}`
    const answered = await line.call(number, {
      method: 'GET',
      path: `/${encodeURIComponent(number.accountId)}/flows?fields=id,name,status,categories&limit=100${cursor}`,
    })
    if (answered.kind !== 'done') return answered
    const page = pageOf(answered.value)
    return { kind: 'done', value: { flows: page.data.flatMap(flowOf), after: page.after } }
  },
})

function flowOf(row: Record<string, unknown>): OperatorFlow[] {
  const id = idOrNull(row.id)
  if (id === null) return []
  const categories = Array.isArray(row.categories) ? row.categories : []
  return [
    {
      id,
      name: textOrNull(row.name) ?? id,
      status: textOrNull(row.status) ?? 'DRAFT',
      categories: categories.filter((one): one is string => typeof one === 'string'),
    },
  ]
}
