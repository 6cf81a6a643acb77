/** What a narrowed key may have a bot say, read and do: what its scopes let it do by itself (spec 5.5). A running bot has the rights of who saved it. */
import type { Context } from '../../../core/context.ts'
import { placeholderNames } from '../../../core/placeholder-names.ts'
import { requireReadableNames, requireScope, type Scope } from '../../../core/scopes.ts'
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

/** The scope of what the node changes. */
function changesBy(node: BotNode): Scope | undefined {
  if (node.type === 'action') return DONE_BY[node.action.type]
  if (node.type === 'handover') return 'conversations:write'
  return node.type === 'ask' && node.saveTo.startsWith('contact.') ? 'contacts:write' : undefined
}

/** Refuses `insufficient_scope` where a node or a placeholder is beyond the key's scopes. Every bot sends. */
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
