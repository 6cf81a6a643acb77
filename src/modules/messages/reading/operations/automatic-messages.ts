import type { Context } from '../../../../core/context.ts'
import { countAutomaticRows } from '../queries/automatic-messages.ts'

/** How many messages by automations went into a chat since `since`, and since a person of the team last wrote there; `max` at most. */
export const countAutomatic = (
  ctx: Context,
  conversationId: string,
  since: Date,
  max: number,
): Promise<number> => countAutomaticRows(ctx, conversationId, since, max)
