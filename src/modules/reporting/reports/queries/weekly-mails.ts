/** Every statement on the weekly mail. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { isOfWorkspace, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type Due = Selectable<Tables['weeklyMails']>
type Choice = Selectable<Tables['weeklyMailChoices']>

/** Returns workspaces without a due time, at most `limit`. */
export const listUnplanned = (
  query: Query,
  limit: number,
): Promise<Pick<Selectable<Tables['workspaces']>, 'id' | 'timezone'>[]> =>
  query(
    `select w.id, w.timezone from workspaces w
     where not w.sandbox and not exists (select from weekly_mails m where m.workspace_id = w.id)
     order by w.id limit $1`,
    [limit],
  )

/** Plans the first mails. A due time that another process has just written stays. */
export const insertPlans = (query: Query, plans: Pick<Due, 'workspaceId' | 'runAt'>[]): Promise<unknown> =>
  query(
    `insert into weekly_mails (workspace_id, run_at) select * from unnest($1::uuid[], $2::timestamptz[])
     on conflict (workspace_id) do nothing`,
    [uuids(plans.map(({ workspaceId }) => workspaceId)), instants(plans.map(({ runAt }) => runAt))],
  )

/** Returns workspaces whose mail is due, longest due first. */
export const listDueMails = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<Pick<Due, 'workspaceId'>>(
      `select workspace_id from weekly_mails waiting where run_at <= $1 and ${isOfWorkspace('waiting')} order by run_at limit $2`,
      [now, limit],
    )
  ).map(({ workspaceId }) => workspaceId)

/** Returns the plan of the workspace, locked; undefined while another process has it, or if it is not due. */
export const claimPlan = async (
  { tx, workspace }: Context,
  now: Date,
): Promise<Pick<Due, 'lastWeek'> | undefined> =>
  (
    await tx.sql<Pick<Due, 'lastWeek'>>(
      'select last_week from weekly_mails where workspace_id = $1 and run_at <= $2 for update skip locked',
      [workspace.id, now],
    )
  )[0]

export const updatePlan = (
  { tx, workspace }: Context,
  { runAt, lastWeek }: Pick<Due, 'runAt' | 'lastWeek'>,
): Promise<unknown> =>
  tx.sql('update weekly_mails set run_at = $2, last_week = $3 where workspace_id = $1', [
    workspace.id,
    runAt,
    lastWeek,
  ])

/** Returns the choices of members who have one. */
export const listChoices = ({
  tx,
  workspace,
}: Context): Promise<Pick<Choice, 'memberId' | 'enabled' | 'token'>[]> =>
  tx.sql('select member_id, enabled, token from weekly_mail_choices where workspace_id = $1', [workspace.id])

/** Stores choices of members who have none yet. */
export const insertChoices = (
  { tx, workspace, now }: Context,
  choices: Pick<Choice, 'memberId' | 'enabled' | 'token'>[],
): Promise<unknown> =>
  tx.sql(
    `insert into weekly_mail_choices (workspace_id, member_id, enabled, token, updated_at)
     select $1, member_id, enabled, token, $5 from unnest($2::uuid[], $3::boolean[], $4::text[]) as c (member_id, enabled, token)
     on conflict (workspace_id, member_id) do nothing`,
    [
      workspace.id,
      uuids(choices.map(({ memberId }) => memberId)),
      plainList(choices.map(({ enabled }) => enabled)),
      texts(choices.map(({ token }) => token)),
      now,
    ],
  )

/** Sets a member's choice. */
export const updateChoice = (
  { tx, workspace, now }: Context,
  { memberId, enabled }: Pick<Choice, 'memberId' | 'enabled'>,
): Promise<unknown> =>
  tx.sql(
    'update weekly_mail_choices set enabled = $3, updated_at = $4 where workspace_id = $1 and member_id = $2',
    [workspace.id, memberId, enabled, now],
  )

/** Returns the member of a link, in any workspace. */
export const findChoiceByToken = async (
  query: Query,
  token: string,
): Promise<{ workspaceId: Choice['workspaceId']; id: Choice['memberId'] } | undefined> =>
  (
    await query<Pick<Choice, 'workspaceId'> & { id: Choice['memberId'] }>(
      'select workspace_id, member_id as id from weekly_mail_choices where token = $1',
      [token],
    )
  )[0]
