/** Statements on names that the operator blocks for a while after their template was deleted. */
import type { Context, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { TemplateKey } from './templates.ts'

/** Returns until when the operator refuses this name and language; undefined if unknown. */
export const findClosedUntil = async (ctx: Context, key: TemplateKey): Promise<Date | undefined> =>
  (
    await ctx.tx.first(
      db
        .selectFrom('closedTemplateNames')
        .select('until')
        .where('workspaceId', '=', key.workspaceId)
        .where('accountId', '=', key.accountId)
        .where('name', '=', key.name)
        .where('language', '=', key.language)
        .where('until', '>', ctx.now),
    )
  )?.until

/**
 * Stores names, each with its `until`, and removes those of the same workspaces that have expired by its
 * `now`.
 */
export const closeNames = (tx: Tx, names: (TemplateKey & { now: Date; until: Date })[]): Promise<unknown> =>
  Promise.all([
    tx.sql(
      `delete from closed_template_names c using unnest($1::uuid[], $2::timestamptz[]) as n (workspace_id, now)
       where c.workspace_id = n.workspace_id and c.until <= n.now`,
      [names.map((name) => name.workspaceId), names.map((name) => name.now)],
    ),
    tx.sql(
      `insert into closed_template_names (workspace_id, account_id, name, language, until)
       select workspace_id, account_id, name, language, max(until)
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
         as n (workspace_id, account_id, name, language, until)
       group by workspace_id, account_id, name, language
       on conflict (workspace_id, account_id, name, language) do update set until = excluded.until`,
      [
        names.map((name) => name.workspaceId),
        names.map((name) => name.accountId),
        names.map((name) => name.name),
        names.map((name) => name.language),
        names.map((name) => name.until),
      ],
    ),
  ])
