/**
 * Checks the nodes of a bot: every target exists, every node is reachable, and every cycle waits for the
 * customer. Pure.
 */
import type { Issue } from '../../../../core/errors.ts'
import { AUTOMATIC_MAX } from '../../../messaging/conversations/operations/automatic-messages.ts'
import type { BotNode } from '../node-schema.ts'
import type { BotDefinition } from '../schema.ts'

type Edge = { path: string; to: string | null }

/** Returns the targets of a node, with their paths in the request. */
function edgesOf(node: BotNode): Edge[] {
  switch (node.type) {
    case 'message':
    case 'ask':
    case 'action':
      return [{ path: 'next', to: node.next }]
    case 'buttons':
    case 'list':
      return node.options.map(({ next }, index) => ({ path: `options[${index}].next`, to: next }))
    case 'condition':
      return [
        { path: 'next', to: node.next },
        { path: 'otherwise', to: node.otherwise },
      ]
    case 'request':
      return [
        { path: 'next', to: node.next },
        { path: 'onFailure', to: node.onFailure },
      ]
    case 'ai':
      return [{ path: 'otherwise', to: node.otherwise }]
    case 'handover':
    case 'end':
      return []
  }
}

const INPUTS = new Set(['buttons', 'list', 'ask', 'ai'])
const SENDERS = new Set(['message', 'buttons', 'list', 'ask'])
/** Returns whether the bot waits for the customer at this node. */
export const waits = ({ type }: BotNode): boolean => INPUTS.has(type)

type Script = Pick<BotDefinition, 'start' | 'nodes'>

/** Returns the issues of a bot, by path. */
export function findScriptFaults(script: Script): Issue[] {
  const repeated = findRepeatedIds(script)
  if (repeated.length > 0) return repeated
  const unknown = findUnknownTargets(script)
  if (unknown.length > 0) return unknown
  const loops = findEndlessLoops(script)
  if (loops.length > 0) return loops
  return [...findUnreachable(script), ...findLongSequences(script)]
}

function findRepeatedIds({ nodes }: Script): Issue[] {
  const seenIds = new Set<string>()
  return nodes.flatMap(({ id }, index): Issue[] => {
    if (seenIds.has(id)) return [{ path: `nodes[${index}].id`, message: 'Must be unique.' }]
    seenIds.add(id)
    return []
  })
}

function findUnknownTargets({ start, nodes }: Script): Issue[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const unknown = nodes.flatMap((node, index) =>
    edgesOf(node).flatMap(({ path, to }): Issue[] =>
      to === null || ids.has(to)
        ? []
        : [{ path: `nodes[${index}].${path}`, message: `Unknown node: ${to}.` }],
    ),
  )
  return ids.has(start) ? unknown : [{ path: 'start', message: `Unknown node: ${start}.` }, ...unknown]
}

const byId = ({ nodes }: Script) => new Map(nodes.map((node, index) => [node.id, { node, index }]))

/** Finds cycles without a wait, which would never end. Each issue is at the node that closes the cycle. */
function findEndlessLoops(script: Script): Issue[] {
  const nodes = byId(script)
  const state = new Map<string, 'open' | 'done'>()
  const issues: Issue[] = []
  const visit = (id: string): void => {
    state.set(id, 'open')
    const { node, index } = nodes.get(id)!
    if (!waits(node))
      for (const { path, to } of edgesOf(node)) {
        if (to === null) continue
        if (state.get(to) === 'open' && !waits(nodes.get(to)!.node))
          issues.push({
            path: `nodes[${index}].${path}`,
            message: `Loops back to ${to} without waiting for the customer. Add a question in the loop.`,
          })
        else if (!state.has(to)) visit(to)
      }
    state.set(id, 'done')
  }
  for (const { id } of script.nodes) if (!state.has(id)) visit(id)
  return issues
}

function findUnreachable(script: Script): Issue[] {
  const nodes = byId(script)
  const reached = new Set([script.start])
  const open = [script.start]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const { to } of edgesOf(nodes.get(id)!.node)) {
      if (to === null || reached.has(to)) continue
      reached.add(to)
      open.push(to)
    }
  return script.nodes.flatMap(({ id }, index): Issue[] =>
    reached.has(id)
      ? []
      : [
          {
            path: `nodes[${index}].id`,
            message: `Can't be reached from ${script.start}. Connect it or delete it.`,
          },
        ],
  )
}

/** Finds nodes from which the bot sends more messages than the automatic limit before it waits. */
function findLongSequences(script: Script): Issue[] {
  const nodes = byId(script)
  const longest = new Map<string, number>()
  const countMessages = (id: string | null): number => {
    if (id === null) return 0
    const cached = longest.get(id)
    if (cached !== undefined) return cached
    const { node } = nodes.get(id)!
    const ownCount = SENDERS.has(node.type) ? 1 : 0
    const total = waits(node)
      ? ownCount
      : ownCount + Math.max(0, ...edgesOf(node).map(({ to }) => countMessages(to)))
    longest.set(id, total)
    return total
  }
  return script.nodes.flatMap(({ id }, index): Issue[] =>
    countMessages(id) > AUTOMATIC_MAX
      ? [
          {
            path: `nodes[${index}].id`,
            message: `Sends more than ${AUTOMATIC_MAX} messages without waiting for the customer. Add a question before that.`,
          },
        ]
      : [],
  )
}
