import type { Context } from '../../../../core/context.ts'
import { listDefinitions, listEntries } from '../queries/bots.ts'

/** Active bots that are read, oldest first. */
const BOTS_MAX = 20

/** Returns the instructions that active bots give the assistant, and the domains that its answers may have. */
export async function readAssistantKnowledge(
  ctx: Context,
): Promise<{ instructions: string[]; domains: string[] }> {
  const entries = await listEntries(ctx.tx, [ctx.workspace.id])
  const bots = entries.length === 0 ? [] : await listDefinitions(ctx.tx, entries.slice(0, BOTS_MAX))
  const nodes = bots.flatMap(({ definition }) => definition.nodes.filter((node) => node.type === 'ai'))
  return {
    instructions: [...new Set(nodes.map(({ instructions }) => instructions))],
    domains: [...new Set(nodes.flatMap(({ domains }) => domains))],
  }
}
