import type { Context } from '../../../../core/context.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { listRequestRows, type RequestRow } from '../queries/requests.ts'
import { getBot } from './bots.ts'

const present = ({ workspaceId: _, botId: __, ...row }: RequestRow) => ({
  ...row,
  method: row.method as 'GET',
  createdAt: row.createdAt.toISOString(),
})

/** Returns a page of a bot's requests, newest first. */
export async function listRequests(ctx: Context, id: string, page: CursorQuery) {
  const bot = await getBot(ctx, id)
  const rows = await listRequestRows(ctx, bot.id, page)
  const { rows: shown, nextCursor } = cutPage(rows, page.limit, (row) => row.id)
  return { requests: shown.map(present), nextCursor }
}
