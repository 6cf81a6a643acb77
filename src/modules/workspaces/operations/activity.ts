/** The activity log: who did what of consequence (docs/decisions/notices.md). */
import type { Context, Tx } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { json } from '../../../core/sql.ts'
import { ACTIVITY, type ActivityData, type ActivityKind } from '../activity-schema.ts'
import { insertActivityRow, listActivityRows } from '../queries/activity.ts'

/** Who did something, as the log names them. */
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

/** Logs what the actor of `ctx` does, in the transaction that does it: both commit or neither does. */
export async function recordActivity<Kind extends ActivityKind>(
  ctx: Pick<Context, 'tx' | 'workspace' | 'actor' | 'now'>,
  kind: Kind,
  data: ActivityData<Kind>,
): Promise<void> {
  await store(ctx.tx, { ...authorOf(ctx), workspaceId: ctx.workspace.id, at: ctx.now }, kind, data)
}

/** The same where no context is: what the command line or somebody by their account does to a workspace. */
export async function recordBy<Kind extends ActivityKind>(
  tx: Tx,
  { by, ...where }: { by: Author; workspaceId: string; at: Date },
  kind: Kind,
  data: ActivityData<Kind>,
): Promise<void> {
  await store(tx, { ...by, ...where }, kind, data)
}

/** The same for what the command line does to a workspace. */
export const recordCommand = <Kind extends ActivityKind>(
  tx: Tx,
  where: { workspaceId: string; at: Date },
  kind: Kind,
  data: ActivityData<Kind>,
): Promise<void> => recordBy(tx, { by: COMMAND_LINE, ...where }, kind, data)

type ActivityFilter = CursorQuery & {
  kinds?: readonly ActivityKind[] | undefined
  actorId?: string | undefined
}

/** One page of the log, newest first. */
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
