import { type GraphAnswer, graphError } from '../../operator/simulator/graph-errors.ts'
import { parseFields } from '../../operator/simulator/graph-fields.ts'

type Node = Record<string, unknown>
type NodeType = { byDefault: readonly string[]; type: string }

/**
 * Returns the fields of a node that `fields=a,b{c}` requests, always with its id. Without `fields` it returns
 * `byDefault`. Refuses unknown fields with the network's text.
 */
export function selectFields(
  node: Node,
  fields: unknown,
  { byDefault, type }: NodeType,
): { ok: true; node: Node } | { ok: false; answer: GraphAnswer } {
  const fieldNames = parseFields(fields).map(({ name }) => name)
  const names = fieldNames.length > 0 ? fieldNames : byDefault
  const unknown = names.find((name) => !Object.hasOwn(node, name))
  if (unknown !== undefined)
    return {
      ok: false,
      answer: graphError(100, `(#100) Tried accessing nonexistent field (${unknown}) on node type (${type})`),
    }
  const shownFields = new Set([...names, 'id'])
  return {
    ok: true,
    node: Object.fromEntries(Object.entries(node).filter(([name]) => shownFields.has(name))),
  }
}

/** Returns the answer to a call about one node. */
export function nodeAnswer(node: Node, fields: unknown, type: NodeType): GraphAnswer {
  const selected = selectFields(node, fields, type)
  return selected.ok ? { status: 200, body: selected.node } : selected.answer
}
