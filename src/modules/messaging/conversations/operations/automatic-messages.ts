/**
 * Limits messages that no person writes: auto-replies, bots, automations
 * (src/modules/automating/auto-replies/DECISIONS.md). Each of them checks the limit before it sends, so that
 * two machines in a chat don't answer each other forever.
 */
import { MINUTE_MS } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { claimAutomatic, listPersonAnswers, touchPersonAnswer } from '../queries/automatic-messages.ts'

/** Automatic messages per chat within `WITHIN_MS`, until a teammate writes in the chat. */
export const AUTOMATIC_MAX = 10
const WITHIN_MS = 10 * MINUTE_MS

/** Messages to send together into one chat. */
export type AutomaticRequest = { ctx: Context; conversationId: string; messages: number }

/**
 * Counts automatic messages in the transaction that sends them. Each chat is in the list once. Returns, in
 * order, whether a chat's messages may be sent: all of them or none. A message that fails later stays
 * counted.
 */
export async function takeAutomaticMessages(unit: Unit, requests: AutomaticRequest[]): Promise<boolean[]> {
  const allowed = requests.filter(({ messages }) => messages > 0 && messages <= AUTOMATIC_MAX)
  const takenChats =
    allowed.length === 0
      ? []
      : await claimAutomatic(
          unit.tx,
          allowed.map(({ ctx, conversationId, messages }) => ({
            workspaceId: ctx.workspace.id,
            conversationId,
            messages,
            at: ctx.now,
          })),
          { max: AUTOMATIC_MAX, withinMs: WITHIN_MS },
        )
  const allowedIds = new Set(takenChats.map((row) => row.conversationId))
  return requests.map(({ conversationId, messages }) => messages === 0 || allowedIds.has(conversationId))
}

/**
 * Returns when a person of ours last wrote in each chat, in the dashboard or the phone app. Messages sent
 * with an API key are from programs.
 */
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

/**
 * Hands chats to people: from now on, automatic messages follow the same rules as after a teammate's message.
 */
export const handToTeam = (ctx: Context, conversationIds: string[]): Promise<unknown> =>
  conversationIds.length === 0 ? Promise.resolve() : touchPersonAnswer(ctx, conversationIds)
