/**
 * Checks the nodes of a bot: every target exists, every node is reachable, and every cycle waits for the
 * customer. Pure.
 */
import type { Issue } from '../../../core/errors.ts'
import { AUTOMATIC_MAX } from '../../conversations/operations/automatic-messages.ts'
import type { BotNode } from '../node-schema.ts'
import type { BotDefinition } from '../schema.ts'

type Way = { path: string; to: string | null }

/** Returns the targets of a node, with their paths in the request. */
function waysOf(node: BotNode): Way[] {
  switch (node.type) {
    case 'message':
    case 'ask':
    case 'action':
      return [{ path: 'next', to: node.next }]
    case 'buttons':
    case 'list':
      return node.options.map(({ next }, at) => ({ path: `options[${at}].next`, to: next }))
    case 'condition':
      return [
        { path: 'next', to: node.next },
        { path: 'otherwise', to: node.otherwise },
      ]
    case 'ai':
      return [{ path: 'otherwise', to: node.otherwise }]
    case 'handover':
    case 'end':
      return []
  }
}

const INPUTS = new Set(['buttons', 'list', 'ask', 'ai'])
const SAYS = new Set(['message', 'buttons', 'list', 'ask'])
/** Returns whether the bot waits for the customer at this node. */
export const waits = ({ type }: BotNode): boolean => INPUTS.has(type)

type Script = Pick<BotDefinition, 'start' | 'nodes'>

/** Returns the issues of a bot, by path. */
export function faultsOf(script: Script): Issue[] {
  const repeated = repeatedIds(script)
  if (repeated.length > 0) return repeated
  const unknown = unknownTargets(script)
  if (unknown.length > 0) return unknown
  const rounds = roundsWithoutInput(script)
  if (rounds.length > 0) return rounds
  return [...unreached(script), ...tooMuchAtOnce(script)]
}

function repeatedIds({ nodes }: Script): Issue[] {
  const seen = new Set<string>()
  return nodes.flatMap(({ id }, at): Issue[] => {
    if (seen.has(id)) return [{ path: `nodes[${at}].id`, message: 'Must be unique.' }]
    seen.add(id)
    return []
  })
}

function unknownTargets({ start, nodes }: Script): Issue[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const unknown = nodes.flatMap((node, at) =>
    waysOf(node).flatMap(({ path, to }): Issue[] =>
      to === null || ids.has(to) ? [] : [{ path: `nodes[${at}].${path}`, message: `Unknown node: ${to}.` }],
    ),
  )
  return ids.has(start) ? unknown : [{ path: 'start', message: `Unknown node: ${start}.` }, ...unknown]
}

const byId = ({ nodes }: Script) => new Map(nodes.map((node, at) => [node.id, { node, at }]))

/** Finds cycles without a wait, which would never end. Each issue is at the node that closes the cycle. */
function roundsWithoutInput(script: Script): Issue[] {
  const nodes = byId(script)
  const state = new Map<string, 'open' | 'done'>()
  const issues: Issue[] = []
  const visit = (id: string): void => {
    state.set(id, 'open')
    const { node, at } = nodes.get(id)!
    if (!waits(node))
      for (const { path, to } of waysOf(node)) {
        if (to === null) continue
        if (state.get(to) === 'open' && !waits(nodes.get(to)!.node))
          issues.push({
            path: `nodes[${at}].${path}`,
            message: `Loops back to ${to} without waiting for the customer. Add a question in the loop.`,
          })
        else if (!state.has(to)) visit(to)
      }
    state.set(id, 'done')
  }
  for (const { id } of script.nodes) if (!state.has(id)) visit(id)
  return issues
}

function unreached(script: Script): Issue[] {
  const nodes = byId(script)
  const reached = new Set([script.start])
  const open = [script.start]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const { to } of waysOf(nodes.get(id)!.node)) {
      if (to === null || reached.has(to)) continue
      reached.add(to)
      open.push(to)
    }
  return script.nodes.flatMap(({ id }, at): Issue[] =>
    reached.has(id)
      ? []
      : [
          {
            path: `nodes[${at}].id`,
            message: `Can't be reached from ${script.start}. Connect it or delete it.`,
          },
        ],
  )
}

/** Finds nodes from which the bot sends more messages than the automatic limit before it waits. */
function tooMuchAtOnce(script: Script): Issue[] {
  const nodes = byId(script)
  const longest = new Map<string, number>()
  const measure = (id: string | null): number => {
    if (id === null) return 0
    const known = longest.get(id)
    if (known !== undefined) return known
    const { node } = nodes.get(id)!
    const own = SAYS.has(node.type) ? 1 : 0
    const all = waits(node) ? own : own + Math.max(0, ...waysOf(node).map(({ to }) => measure(to)))
    longest.set(id, all)
    return all
  }
  return script.nodes.flatMap(({ id }, at): Issue[] =>
    measure(id) > AUTOMATIC_MAX
      ? [
          {
            path: `nodes[${at}].id`,
            message: `Sends more than ${AUTOMATIC_MAX} messages without waiting for the customer. Add a question before that.`,
          },
        ]
      : [],
  )
}
