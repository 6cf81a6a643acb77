import { type GraphAnswer, graphError, notSimulated } from './graph-errors.ts'
import schema from './graph-schema.json' with { type: 'json' }

/**
 * The operator's published objects: their fields, and the fields that calls return by default
 * (docs/decisions/developer-tools.md).
 */
const nodes: Record<string, { default: string[]; listed: string[]; fields: string[]; expansions: string[] }> =
  schema.nodes

export type NodeType = keyof typeof schema.nodes
type Node = Record<string, unknown>

/**
 * Reads `fields=a,b{c}` and returns a function that shows a node with these fields and its id. Without
 * `fields` the defaults apply; lists may have their own. Omits published fields that the simulator has no
 * value for, and refuses unknown names with the operator's text.
 */
export function readFields(
  type: NodeType,
  fields: unknown,
  { listed = false }: { listed?: boolean } = {},
): { ok: true; show: (node: Node) => Node } | { ok: false; answer: GraphAnswer } {
  const node = nodes[type]!
  const asked = parseFields(fields).map(({ name }) => name)
  const names = asked.length > 0 ? asked : listed ? node.listed : node.default
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

/** Returns the answer to a call about one node. */
export function nodeAnswer(type: NodeType, node: Node, fields: unknown): GraphAnswer {
  const read = readFields(type, fields)
  return read.ok ? { status: 200, body: read.show(node) } : read.answer
}

/** One part of `a,b.limit(1){c,d}`: its name, its parameters in parentheses, and its selection in braces. */
export type AskedField = {
  text: string
  name: string
  parameters: Record<string, string>
  inner: string | undefined
}

/** Returns the top-level fields of `fields`; none if it is empty. */
export function parseFields(fields: unknown): AskedField[] {
  if (typeof fields !== 'string') return []
  const texts: string[] = ['']
  let depth = 0
  for (const letter of fields) {
    if (letter === '{' || letter === '(') depth++
    if (letter === '}' || letter === ')') depth--
    if (letter === ',' && depth === 0) texts.push('')
    else texts[texts.length - 1] += letter
  }
  return texts.map((text) => text.trim()).flatMap((text) => (text === '' ? [] : [parseField(text)]))
}

function parseField(text: string): AskedField {
  const opened = text.indexOf('{')
  const head = opened < 0 ? text : text.slice(0, opened)
  return {
    text,
    name: /^[^.({]*/.exec(text)![0].trim(),
    parameters: Object.fromEntries(
      [...head.matchAll(/\.(\w+)\(([^()]*)\)/g)].map(([, name, value]) => [name, value]),
    ),
    inner: opened < 0 ? undefined : text.slice(opened + 1, text.lastIndexOf('}')),
  }
}
