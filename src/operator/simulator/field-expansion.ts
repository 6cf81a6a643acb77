import type { Calls, SimulatedCall } from './call.ts'
import type { GraphAnswer } from './graph-errors.ts'
import { parseFields } from './graph-fields.ts'

/**
 * Runs a call, and the lists that `fields` requests inside a node: `phone_numbers.limit(2){id}` of an account
 * runs its call `phone_numbers` with these parameters and fields, and its answer is the field of that name.
 */
export async function playWithExpansions(
  calls: Calls,
  name: string,
  call: SimulatedCall,
): Promise<GraphAnswer> {
  const fields = name.endsWith(' GET') ? parseFields(call.values.fields) : []
  const edges = fields.filter((field) => Object.hasOwn(calls, `${name} ${field.name}`))
  if (edges.length === 0) return calls[name]!(call)
  const own = fields.filter((field) => !edges.includes(field)).map(({ text }) => text)
  const values = { ...call.values, fields: own.join(',') || 'id' }
  const answer = await calls[name]!({ ...call, values })
  if (answer.status !== 200) return answer
  const body: Record<string, unknown> = { ...(answer.body as object) }
  for (const { name: edge, parameters, inner } of edges) {
    const part = await calls[`${name} ${edge}`]!({
      ...call,
      path: `${call.path}/${edge}`,
      values: inner === undefined ? parameters : { ...parameters, fields: inner },
    })
    if (part.status !== 200) return part
    body[edge] = part.body
  }
  return { ...answer, body }
}
