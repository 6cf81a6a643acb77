/**
 * Edits the script of a bot: its nodes, their exits, and the order in which they are shown. Without side
 * effects.
 */
import type { Bot } from '../../sdk/api.ts'

export type Node = Bot['nodes'][number]
export type NodeType = Node['type']
export type NodeOf<Type extends NodeType> = Extract<Node, { type: Type }>
export type Script = Pick<Bot, 'start' | 'nodes'>
/** An exit of a node: `next`, `otherwise`, `onFailure`, or the ID of an option. */
export type Exit = { key: string; to: string | null }
/** The exit that leads to a node; null for the first node. */
export type From = { id: string; key: string } | null

export const OPTION = 'option:'

export function exitsOf(node: Node): Exit[] {
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
    case 'request':
      return [
        { key: 'next', to: node.next },
        { key: 'onFailure', to: node.onFailure },
      ]
    case 'ai':
      return [{ key: 'otherwise', to: node.otherwise }]
    case 'handover':
    case 'end':
      return []
  }
}

/** Returns the node with a new target for one of its exits. */
export function withTarget(node: Node, key: string, to: string | null): Node {
  if ('options' in node)
    return {
      ...node,
      options: node.options.map((option) =>
        `${OPTION}${option.id}` === key ? { ...option, next: to } : option,
      ),
    } as Node
  return { ...node, [key]: to } as Node
}

/** Returns whether the node has one exit, and its next part is shown below it. */
export const isStep = (node: Node): node is NodeOf<'message' | 'ask' | 'action'> =>
  node.type === 'message' || node.type === 'ask' || node.type === 'action'

const byId = ({ nodes }: Script) => new Map(nodes.map((node) => [node.id, node]))
const mapTargets = (node: Node, change: (to: string | null) => string | null): Node =>
  exitsOf(node).reduce((changed, { key, to }) => withTarget(changed, key, change(to)), node)
const replaceIn = (nodes: Node[], node: Node): Node[] =>
  nodes.map((existing) => (existing.id === node.id ? node : existing))

const replaceNode = (script: Script, node: Node): Script => ({
  ...script,
  nodes: replaceIn(script.nodes, node),
})

/** Returns the nodes reachable from the first node. */
function reachableNodes(script: Script): Set<string> {
  const nodes = byId(script)
  const reachedIds = new Set<string>()
  const open = [script.start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id)
    if (!node || reachedIds.has(id)) continue
    reachedIds.add(id)
    for (const { to } of exitsOf(node)) if (to !== null) open.push(to)
  }
  return reachedIds
}

/** Returns `after` without nodes that were reachable in `before` and no longer are. */
function dropLost(before: Script, after: Script): Script {
  const [reachableBefore, reachableAfter] = [reachableNodes(before), reachableNodes(after)]
  return {
    ...after,
    nodes: after.nodes.filter(({ id }) => reachableAfter.has(id) || !reachableBefore.has(id)),
  }
}

/** Returns the first of `base-1`, `base-2` … that is not taken. */
export function freshId(base: string, usedIds: Iterable<string>): string {
  const used = new Set(usedIds)
  let number = 1
  while (used.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}

/** Returns the current target of `from`. */
export const targetOf = (script: Script, from: From): string | null =>
  from === null
    ? script.start
    : (exitsOf(byId(script).get(from.id)!).find(({ key }) => key === from.key)?.to ?? null)

/** Inserts a node between `from` and its target; the new node's first exit leads to that target. */
export function insertNode(script: Script, from: From, node: Node): Script {
  const old = targetOf(script, from)
  const [first] = exitsOf(node)
  const linkedNode = first ? withTarget(node, first.key, old) : node
  const before =
    from === null ? script : replaceNode(script, withTarget(byId(script).get(from.id)!, from.key, node.id))
  const after = { start: from === null ? node.id : script.start, nodes: [...before.nodes, linkedNode] }
  return dropLost(script, after)
}

/** Returns whether the script still has nodes without this one. */
export function mayRemove(script: Script, id: string): boolean {
  const node = byId(script).get(id)
  return (
    node !== undefined && (script.start !== id || (isStep(node) && node.next !== null && node.next !== id))
  )
}

/** Removes a node: exits to it lead to its next node. Nodes that only it led to are removed too. */
export function removeNode(script: Script, id: string): Script {
  const node = byId(script).get(id)
  if (!node || !mayRemove(script, id)) return script
  const nextId = isStep(node) && node.next !== id ? node.next : null
  const relink = (to: string | null) => (to === id ? nextId : to)
  return dropLost(script, {
    start: relink(script.start)!,
    nodes: script.nodes
      .filter((existing) => existing.id !== id)
      .map((existing) => mapTargets(existing, relink)),
  })
}

/** Returns the step whose only target is `id`, if it is the only way there. */
const stepBefore = (script: Script, id: string): NodeOf<'message' | 'ask' | 'action'> | undefined =>
  script.nodes.find((node) => isStep(node) && node.next === id && node.id !== id) as
    | NodeOf<'message' | 'ask' | 'action'>
    | undefined

/** Returns whether a node and the step above it can trade places. */
export function mayMoveUp(script: Script, id: string): boolean {
  const node = byId(script).get(id)
  return node !== undefined && isStep(node) && stepBefore(script, id) !== undefined
}

/** Trades places with the step above: exits to that step lead to this node first. */
export function moveUp(script: Script, id: string): Script {
  const node = byId(script).get(id)
  const above = stepBefore(script, id)
  if (!node || !isStep(node) || !above) return script
  const relink = (to: string | null) => (to === above.id ? id : to)
  return {
    start: relink(script.start)!,
    nodes: script.nodes.map((existing) => {
      if (existing.id === above.id) return { ...above, next: relink(node.next) }
      if (existing.id === id) return { ...node, next: above.id }
      return mapTargets(existing, relink)
    }),
  }
}

/** Returns the step below with which a node can trade places. */
export function stepBelow(script: Script, id: string): string | undefined {
  const node = byId(script).get(id)
  const nextNode = node && isStep(node) && node.next !== null ? byId(script).get(node.next) : undefined
  return nextNode && isStep(nextNode) && stepBefore(script, nextNode.id)?.id === id ? nextNode.id : undefined
}

/** Replaces a node; nodes that only its removed options led to are removed too. */
export const changeNode = (script: Script, node: Node): Script => {
  const before = byId(script).get(node.id)
  const isLess = before !== undefined && exitsOf(node).length < exitsOf(before).length
  const after = replaceNode(script, node)
  return isLess ? dropLost(script, after) : after
}

export type Item = { node: Node; branches: { exit: Exit; chain: Chain }[] }
/**
 * Nodes in sequence, and how the sequence ends: at a node, at the end of the chat, or at a node shown
 * elsewhere.
 */
export type Chain = { items: Item[]; last: { from: From; to: string | null } | undefined }

/** Returns the nodes in the order in which the bot runs them; `lost` has the unreachable nodes. */
export function outlineOf(script: Script): { chain: Chain; lost: Chain[] } {
  const nodes = byId(script)
  const shownIds = new Set<string>()
  const chainOf = (first: From, start: string | null): Chain => {
    const items: Item[] = []
    let [from, to] = [first, start]
    for (;;) {
      const node = to === null ? undefined : nodes.get(to)
      if (!node || shownIds.has(node.id)) return { items, last: { from, to } }
      shownIds.add(node.id)
      const item: Item = { node, branches: [] }
      items.push(item)
      if (!isStep(node)) {
        item.branches = exitsOf(node).map((exit) => ({
          exit,
          chain: chainOf({ id: node.id, key: exit.key }, exit.to),
        }))
        return { items, last: undefined }
      }
      from = { id: node.id, key: 'next' }
      to = node.next
    }
  }
  const chain = chainOf(null, script.start)
  const lostChains: Chain[] = []
  for (const { id } of script.nodes) if (!shownIds.has(id)) lostChains.push(chainOf(null, id))
  return { chain, lost: lostChains }
}
