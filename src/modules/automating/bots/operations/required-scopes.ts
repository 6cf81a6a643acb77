/**
 * Checks a bot against the scopes of a narrowed key that saves it (spec 5.5), because the running bot has the
 * rights of that key.
 */
import type { Context } from '../../../../core/context.ts'
import { requireReadableNames, requireScope, type Scope } from '../../../../core/scopes.ts'
import { placeholderNames } from '../../../../core/values/placeholder-names.ts'
import type { BotAction, BotNode } from '../node-schema.ts'
import type { BotDefinition } from '../schema.ts'

const DONE_BY: Record<BotAction['type'], Scope> = {
  add_tags: 'contacts:write',
  remove_tags: 'contacts:write',
  set_attribute: 'contacts:write',
  assign_conversation: 'conversations:write',
  set_conversation: 'conversations:write',
  add_note: 'conversations:write',
  create_lead: 'crm:write',
}

/** Returns the scope for the changes of a node. */
function changesBy(node: BotNode): Scope | undefined {
  if (node.type === 'action') return DONE_BY[node.action.type]
  if (node.type === 'handover') return 'conversations:write'
  const places =
    node.type === 'ask' ? [node.saveTo] : node.type === 'request' ? node.save.map(({ saveTo }) => saveTo) : []
  return places.some((place) => place.startsWith('contact.')) ? 'contacts:write' : undefined
}

/**
 * Refuses `insufficient_scope` if a node or a placeholder needs a scope that the key lacks. Every bot sends
 * messages.
 */
export function requireScopesOf(
  ctx: Context,
  { nodes, fallback }: Pick<BotDefinition, 'nodes' | 'fallback'>,
): void {
  requireScope(ctx, 'messages:send', 'A bot')
  for (const node of nodes) {
    const scope = changesBy(node)
    if (scope) requireScope(ctx, scope, `The node ${node.id}`)
  }
  requireReadableNames(ctx, [
    ...nodes.flatMap((node) => (node.type === 'condition' ? [node.field] : [])),
    ...placeholderNames([nodes, fallback]),
  ])
}
