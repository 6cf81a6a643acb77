import { idOrNull, textOrNull } from '../../core/values/storable.ts'
import type { Operator, OperatorFlow } from '../port.ts'
import { type Line, pageOf } from './line.ts'

/** The in-chat forms of an account (docs/formats.md section 2, interactive flow). */
export const flowCalls = (line: Line): Pick<Operator, 'listFlows'> => ({
  async listFlows(number, after) {
    const cursor = after === null ? '' : `&after=${encodeURIComponent(after)}`
    const page = pageOf(
      await line.call(number, {
        method: 'GET',
        path: `/${encodeURIComponent(number.accountId)}/flows?fields=id,name,status,categories&limit=100${cursor}`,
      }),
    )
    if (page.kind !== 'done') return page
    const { data, after: next } = page.value
    return { kind: 'done', value: { flows: data.flatMap(flowOf), after: next } }
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
      categories: categories.filter((category): category is string => typeof category === 'string'),
    },
  ]
}
