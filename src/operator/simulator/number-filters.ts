/** The filters of an account's list of numbers, from the operator's published schema. */
import { isObject } from '../../core/values/storable.ts'
import { enumParameter, type Read, refuse, textParameter, textsParameter } from './graph-parameters.ts'
import schema from './graph-schema.json' with { type: 'json' }
import { listParameter } from './request-body.ts'

type Node = Record<string, unknown>
const { filtering: fields, operators, sort: orders } = schema.lists.phone_numbers

const matches: Record<string, (value: string, expected: string[]) => boolean> = {
  EQUAL: (value, [expected]) => value === expected,
  NOT_EQUAL: (value, [expected]) => value !== expected,
  IN: (value, expected) => expected.includes(value),
  NOT_IN: (value, expected) => !expected.includes(value),
  CONTAIN: (value, [expected = '']) => value.includes(expected),
  NOT_CONTAIN: (value, [expected = '']) => !value.includes(expected),
}

/** Returns the numbers that match `filtering`, in the order of `sort`; by default in order of creation. */
export function filterNumbers(
  nodes: Node[],
  { filtering, sort }: { filtering?: unknown; sort?: unknown },
): Read<Node[]> {
  const filters = filtering === undefined ? [] : listParameter(filtering)
  if (filters === undefined) return refuse('Param filtering must be an array.')
  let left = nodes
  for (const [i, filter] of filters.entries()) {
    const condition = isObject(filter) ? filter : {}
    const field = enumParameter(`filtering[${i}][field]`, condition.field, fields)
    if (!field.ok) return field
    const operator = enumParameter(`filtering[${i}][operator]`, condition.operator, operators)
    if (!operator.ok) return operator
    const texts = textsParameter(condition.value).map((text) => text.toLowerCase())
    left = left.filter((node) =>
      matches[operator.value]!(textParameter(node[field.value]).toLowerCase(), texts),
    )
  }
  if (sort === undefined) return { ok: true, value: left }
  const order = enumParameter('sort', sort, orders)
  if (!order.ok) return order
  return { ok: true, value: order.value.endsWith('.desc') ? left.toReversed() : left }
}
