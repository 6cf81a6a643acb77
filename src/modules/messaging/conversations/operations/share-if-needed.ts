import type { Context } from '../../../../core/context.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { shareChats } from '../jobs.ts'
import { hasSharingTeam } from '../queries/teams.ts'

/** Gives waiting chats after a change, if the workspace has a team that gives chats in turn. */
export async function shareIfNeeded(ctx: Context): Promise<void> {
  if (await hasSharingTeam(ctx)) await enqueue(ctx, shareChats, {})
}
