import { type GraphAnswer, graphError, notSimulated } from './graph-errors.ts'
import schema from './graph-schema.json' with { type: 'json' }

/** What the operator publishes of its objects: their fields and what calls answer unless asked (docs/decisions/simulator.md). */
const nodes: Record<string, { default: string[]; listed: string[]; fields: string[]; expansions: string[] }> =
  schema.nodes

export type NodeType = keyof typeof schema.nodes
type Node = Record<string, unknown>

/**
 * The fields that a call asks for with `fields=a,b{c}`, as what shows a node with them and its id; without `fields`
 * those by default, which lists may have others of. A published field that the simulator has no value for is left out,
 * as the operator leaves out what is empty; other names are refused in the operator's words.
 */
export function readFields(
  type: NodeType,
  fields: unknown,
  { listed = false }: { listed?: boolean } = {},
): { ok: true; show: (node: Node) => Node } | { ok: false; answer: GraphAnswer } {
  const node = nodes[type]!
  const asked = typeof fields === 'string' && fields.trim() !== '' ? fieldNames(fields) : undefined
  const names = asked ?? (listed ? node.listed : node.default)
  const unknown = names.find((name) => !node.fields.includes(name))
  if (unknown !== undefined)
    return {
      ok: false,
      answer: node.expansions.includes(unknown)
        ? notSimulated(`The field ${unknown}`)
        : graphError(100, `(#100) Tried accessing nonexistent field (${unknown}) on node type (${type})`),
    }
  const wanted = new Set([...names, 'id'])
  return {
    ok: true,
    show: (whole) => Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name))),
  }
}

/** The answer to a call about one node. */
export function nodeAnswer(type: NodeType, node: Node, fields: unknown): GraphAnswer {
  const read = readFields(type, fields)
  return read.ok ? { status: 200, body: read.show(node) } : read.answer
}

/** The names at the top of `a,b.limit(1){c,d}`: what stands in braces or behind a dot selects within a field. */
function fieldNames(text: string): string[] {
  let flat = text
  for (let before = ''; flat !== before; ) {
    before = flat
    flat = flat.replaceAll(/\{[^{}]*\}|\([^()]*\)/g, '')
  }
  return flat
    .split(',')
    .map((name) => name.trim().split('.')[0] ?? '')
    .filter((name) => name !== '')
}
