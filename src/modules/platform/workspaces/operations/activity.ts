/** The activity log: important actions and their authors (DECISIONS.md). */
import type { Context, Tx } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { json } from '../../../../database/sql/sql.ts'
import { ACTIVITY, type ActivityData, type ActivityKind } from '../activity-schema.ts'
import { insertActivityRow, listActivityRows } from '../queries/activity.ts'

/** The author of an action in the log. */
export type Author = {
  actorKind: 'key' | 'member' | 'cli' | 'platform'
  actorId: string | null
  actorName: string | null
}

export const COMMAND_LINE: Author = { actorKind: 'cli', actorId: null, actorName: null }

export const memberAuthor = (memberId: string, name: string): Author => ({
  actorKind: 'member',
  actorId: memberId,
  actorName: name,
})

export function authorOf({ actor }: Pick<Context, 'actor'>): Author {
  if (actor.kind === 'key') return { actorKind: 'key', actorId: actor.keyId, actorName: actor.label }
  if (actor.kind === 'member') return memberAuthor(actor.memberId, actor.name)
  return { actorKind: 'platform', actorId: null, actorName: null }
}

const store = (
  tx: Tx,
  { workspaceId, at, ...author }: Author & { workspaceId: string; at: Date },
  kind: ActivityKind,
  data: unknown,
): Promise<number> =>
  insertActivityRow(tx, {
    workspaceId,
    id: newId(),
    kind,
    ...author,
    data: json(ACTIVITY[kind].parse(data)),
    createdAt: at,
  })

/** Logs an action of `ctx`'s actor in the transaction of the action: both commit or neither does. */
export async function recordActivity<Kind extends ActivityKind>(
  ctx: Pick<Context, 'tx' | 'workspace' | 'actor' | 'now'>,
  kind: Kind,
  data: ActivityData<Kind>,
): Promise<void> {
  await store(ctx.tx, { ...authorOf(ctx), workspaceId: ctx.workspace.id, at: ctx.now }, kind, data)
}

/** Logs an action without a context: by the command line, or by an account outside a workspace. */
export async function recordBy<Kind extends ActivityKind>(
  tx: Tx,
  { by, ...where }: { by: Author; workspaceId: string; at: Date },
  kind: Kind,
  data: ActivityData<Kind>,
): Promise<void> {
  await store(tx, { ...by, ...where }, kind, data)
}

type ActivityFilter = CursorQuery & {
  kinds?: readonly ActivityKind[] | undefined
  actorId?: string | undefined
}

/** Returns one page of the log, newest first. */
export async function listActivity(ctx: Context, filter: ActivityFilter) {
  const { rows, nextCursor } = cutPage(await listActivityRows(ctx, filter), filter.limit, (row) => row.id)
  return {
    activity: rows.map(({ id, kind, actorKind, actorId, actorName, data, createdAt }) => ({
      id,
      kind,
      actor: { kind: actorKind, id: actorId, name: actorName },
      data,
      createdAt: createdAt.toISOString(),
    })),
    nextCursor,
  }
}
