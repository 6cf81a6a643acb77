import type { Context } from '../../../../../core/context.ts'
import { type PastMessage, type PastSource, pastMessageId } from '../past-message.ts'
import { listStoredKeys } from '../queries/past-messages.ts'

/** Returns those of the messages that are stored already, so that their files need no download. */
export async function findStoredPast(
  ctx: Context,
  source: PastSource,
  messages: PastMessage[],
): Promise<Set<PastMessage>> {
  if (messages.length === 0) return new Set()
  const idOf = (message: PastMessage) => pastMessageId(ctx.workspace.id, source, message)
  const chanmids = messages.flatMap(({ chanmid }) => chanmid ?? [])
  const stored = await listStoredKeys(ctx, { ids: messages.map(idOf), chanmids })
  return new Set(
    messages.filter(
      (message) => stored.has(idOf(message)) || (message.chanmid ? stored.has(message.chanmid) : false),
    ),
  )
}
