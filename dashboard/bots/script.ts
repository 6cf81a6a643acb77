/** What a bot says, as it is edited: nodes, where each leads, and the order in which they are shown. Pure. */
import type { Bot } from '../../sdk/api.ts'

export type Node = Bot['nodes'][number]
export type NodeType = Node['type']
export type NodeOf<Type extends NodeType> = Extract<Node, { type: Type }>
export type Script = Pick<Bot, 'start' | 'nodes'>
/** A way out of a node: `next`, `otherwise`, or that of an option by its id. */
export type Way = { key: string; to: string | null }
/** From where a node is reached; null: it is the first. */
export type From = { id: string; key: string } | null

export const OPTION = 'option:'

export function waysOf(node: Node): Way[] {
  switch (node.type) {
    case 'message':
    case 'ask':
    case 'action':
      return [{ key: 'next', to: node.next }]
    case 'buttons':
    case 'list':
      return node.options.map(({ id, next }) => ({ key: `${OPTION}${id}`, to: next }))
    case 'condition':
      return [
        { key: 'next', to: node.next },
        { key: 'otherwise', to: node.otherwise },
      ]
    case 'ai':
      return [{ key: 'otherwise', to: node.otherwise }]
    case 'handover':
    case 'end':
      return []
  }
}

/** The node with another target at one of its ways. */
export function withTarget(node: Node, key: string, to: string | null): Node {
  if ('options' in node)
    return {
      ...node,
      options: node.options.map((one) => (`${OPTION}${one.id}` === key ? { ...one, next: to } : one)),
    } as Node
  return { ...node, [key]: to } as Node
}

/** It has one way out, and what comes next stands below it. */
export const isStep = (node: Node): node is NodeOf<'message' | 'ask' | 'action'> =>
  node.type === 'message' || node.type === 'ask' || node.type === 'action'

const byId = ({ nodes }: Script) => new Map(nodes.map((node) => [node.id, node]))
const mapTargets = (node: Node, change: (to: string | null) => string | null): Node =>
  waysOf(node).reduce((changed, { key, to }) => withTarget(changed, key, change(to)), node)
const replaceIn = (nodes: Node[], node: Node): Node[] => nodes.map((one) => (one.id === node.id ? node : one))

const replaceNode = (script: Script, node: Node): Script => ({
  ...script,
  nodes: replaceIn(script.nodes, node),
})

/** Which nodes are reached from the first. */
function reachedIn(script: Script): Set<string> {
  const nodes = byId(script)
  const reached = new Set<string>()
  const open = [script.start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id)
    if (!node || reached.has(id)) continue
    reached.add(id)
    for (const { to } of waysOf(node)) if (to !== null) open.push(to)
  }
  return reached
}

/** `after` without the nodes that `before` reached and that nothing leads to any more. */
function dropLost(before: Script, after: Script): Script {
  const [was, is] = [reachedIn(before), reachedIn(after)]
  return { ...after, nodes: after.nodes.filter(({ id }) => is.has(id) || !was.has(id)) }
}

/** The first of `base-1`, `base-2` … that is not taken. */
export function freshId(base: string, taken: Iterable<string>): string {
  const all = new Set(taken)
  let at = 1
  while (all.has(`${base}-${at}`)) at++
  return `${base}-${at}`
}

/** Where `from` leads now. */
export const targetOf = (script: Script, from: From): string | null =>
  from === null
    ? script.start
    : (waysOf(byId(script).get(from.id)!).find(({ key }) => key === from.key)?.to ?? null)

/** Puts a node between `from` and what it led to; a node that asks nothing passes that on by its first way. */
export function insertNode(script: Script, from: From, node: Node): Script {
  const old = targetOf(script, from)
  const [first] = waysOf(node)
  const placed = first ? withTarget(node, first.key, old) : node
  const before =
    from === null ? script : replaceNode(script, withTarget(byId(script).get(from.id)!, from.key, node.id))
  const after = { start: from === null ? node.id : script.start, nodes: [...before.nodes, placed] }
  return dropLost(script, after)
}

/** Whether something is left when it is gone. */
export function mayRemove(script: Script, id: string): boolean {
  const node = byId(script).get(id)
  return (
    node !== undefined && (script.start !== id || (isStep(node) && node.next !== null && node.next !== id))
  )
}

/** Takes a node out: what led to it leads to what came next. What only it led to goes with it. */
export function removeNode(script: Script, id: string): Script {
  const node = byId(script).get(id)
  if (!node || !mayRemove(script, id)) return script
  const onward = isStep(node) && node.next !== id ? node.next : null
  const relink = (to: string | null) => (to === id ? onward : to)
  return dropLost(script, {
    start: relink(script.start)!,
    nodes: script.nodes.filter((one) => one.id !== id).map((one) => mapTargets(one, relink)),
  })
}

/** The step that leads to `id` and to nothing else, if one does. */
const stepBefore = (script: Script, id: string): NodeOf<'message' | 'ask' | 'action'> | undefined =>
  script.nodes.find((node) => isStep(node) && node.next === id && node.id !== id) as
    | NodeOf<'message' | 'ask' | 'action'>
    | undefined

/** Whether it and the step above it can change places. */
export function mayMoveUp(script: Script, id: string): boolean {
  const node = byId(script).get(id)
  return node !== undefined && isStep(node) && stepBefore(script, id) !== undefined
}

/** Changes places with the step above it: whatever led there leads here first. */
export function moveUp(script: Script, id: string): Script {
  const node = byId(script).get(id)
  const above = stepBefore(script, id)
  if (!node || !isStep(node) || !above) return script
  const relink = (to: string | null) => (to === above.id ? id : to)
  return {
    start: relink(script.start)!,
    nodes: script.nodes.map((one) => {
      if (one.id === above.id) return { ...above, next: relink(node.next) }
      if (one.id === id) return { ...node, next: above.id }
      return mapTargets(one, relink)
    }),
  }
}

/** The step below it that it can change places with. */
export function stepBelow(script: Script, id: string): string | undefined {
  const node = byId(script).get(id)
  const below = node && isStep(node) && node.next !== null ? byId(script).get(node.next) : undefined
  return below && isStep(below) && stepBefore(script, below.id)?.id === id ? below.id : undefined
}

/** A changed node in place; what its options only led to goes with them. */
export const changeNode = (script: Script, node: Node): Script => {
  const before = byId(script).get(node.id)
  const isLess = before !== undefined && waysOf(node).length < waysOf(before).length
  const after = replaceNode(script, node)
  return isLess ? dropLost(script, after) : after
}

export type Item = { node: Node; branches: { way: Way; chain: Chain }[] }
/** Nodes one below the other, and how that ends: by a node, by the end, or on at a node that stands elsewhere. */
export type Chain = { items: Item[]; last: { from: From; to: string | null } | undefined }

/** What the bot says in the order in which it says it; `lost` is what nothing leads to. */
export function outlineOf(script: Script): { chain: Chain; lost: Chain[] } {
  const nodes = byId(script)
  const shown = new Set<string>()
  const chainOf = (first: From, start: string | null): Chain => {
    const items: Item[] = []
    let [from, to] = [first, start]
    for (;;) {
      const node = to === null ? undefined : nodes.get(to)
      if (!node || shown.has(node.id)) return { items, last: { from, to } }
      shown.add(node.id)
      const item: Item = { node, branches: [] }
      items.push(item)
      if (!isStep(node)) {
        item.branches = waysOf(node).map((way) => ({
          way,
          chain: chainOf({ id: node.id, key: way.key }, way.to),
        }))
        return { items, last: undefined }
      }
      from = { id: node.id, key: 'next' }
      to = node.next
    }
  }
  const chain = chainOf(null, script.start)
  const lost: Chain[] = []
  for (const { id } of script.nodes) if (!shown.has(id)) lost.push(chainOf(null, id))
  return { chain, lost }
}
