/**
 * Messages that no person writes: auto-replies, bots, automations (docs/decisions/auto-replies.md). All of them ask here before
 * they send, so that machines on both sides of a chat do not answer each other for ever.
 */
import { MINUTE_MS } from '../../../core/clock.ts'
import type { Context, Unit } from '../../../core/context.ts'
import { listPersonAnswers, takeAutomatic, touchPersonAnswer } from '../queries/automatic-messages.ts'

/** So many go into one chat in so long, until a person of ours writes there. */
export const AUTOMATIC_MAX = 10
const WITHIN_MS = 10 * MINUTE_MS

/** Messages that are to go into one chat together. */
export type AutomaticRequest = { ctx: Context; conversationId: string; messages: number }

/**
 * Counts automatic messages before they are sent, in the transaction that sends them; each chat once in the list. Answers, in
 * order, whether they may go: all of a chat's, or none. A message that is refused afterwards stays counted.
 */
export async function takeAutomaticMessages(unit: Unit, requests: AutomaticRequest[]): Promise<boolean[]> {
  const possible = requests.filter(({ messages }) => messages > 0 && messages <= AUTOMATIC_MAX)
  const taken =
    possible.length === 0
      ? []
      : await takeAutomatic(
          unit.tx,
          possible.map(({ ctx, conversationId, messages }) => ({
            workspaceId: ctx.workspace.id,
            conversationId,
            messages,
            at: ctx.now,
          })),
          { max: AUTOMATIC_MAX, withinMs: WITHIN_MS },
        )
  const roomy = new Set(taken.map((row) => row.conversationId))
  return requests.map(({ conversationId, messages }) => messages === 0 || roomy.has(conversationId))
}

/** When a person of ours last wrote in each chat: in the dashboard, or in the phone app. What comes by a key is a program's. */
export async function readPersonAnswers(
  unit: Unit,
  chats: { workspaceId: string; conversationId: string }[],
): Promise<Map<string, Date>> {
  if (chats.length === 0) return new Map()
  const rows = await listPersonAnswers(unit.tx, chats)
  return new Map(
    rows.flatMap(({ conversationId, personAnsweredAt }) =>
      personAnsweredAt === null ? [] : [[conversationId, personAnsweredAt] as const],
    ),
  )
}

/** A chat was handed to people: what holds after one of them wrote holds from now on. */
export const leaveToPeople = (ctx: Context, conversationIds: string[]): Promise<unknown> =>
  conversationIds.length === 0 ? Promise.resolve() : touchPersonAnswer(ctx, conversationIds)
