import { type GraphAnswer, graphError } from './graph-errors.ts'

/**
 * The fields of a node that a call asks for with `fields=a,b{c}`; `id` always comes along. Without `fields` the node
 * shows `byDefault`. A name that the node does not know is refused in the operator's words.
 */
export function selectFields(
  node: Record<string, unknown>,
  fields: unknown,
  { byDefault, type }: { byDefault: readonly string[]; type: string },
): { ok: true; node: Record<string, unknown> } | { ok: false; answer: GraphAnswer } {
  const names = typeof fields === 'string' && fields.trim() !== '' ? fieldNames(fields) : byDefault
  const unknown = names.find((name) => !Object.hasOwn(node, name))
  if (unknown !== undefined)
    return {
      ok: false,
      answer: graphError(100, `(#100) Tried accessing nonexistent field (${unknown}) on node type (${type})`),
    }
  const wanted = new Set([...names, 'id'])
  return { ok: true, node: Object.fromEntries(Object.entries(node).filter(([name]) => wanted.has(name))) }
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
