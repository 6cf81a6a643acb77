/** Statements on names that the operator blocks for a while after their template was deleted. */
import type { Context, Tx } from '../../../../core/context.ts'
import type { TemplateKey } from './templates.ts'

/** Returns until when the operator refuses this name and language; undefined if unknown. */
export const findClosedUntil = async (ctx: Context, key: TemplateKey): Promise<Date | undefined> =>
  (
    await ctx.tx.sql<{ until: Date }>(
      `select until from closed_template_names
       where workspace_id = $1 and account_id = $2 and name = $3 and language = $4 and until > $5`,
      [key.workspaceId, key.accountId, key.name, key.language, ctx.now],
    )
  )[0]?.until

/**
 * Stores names, each with its `until`, and removes those of the same workspaces that have expired by its
 * `now`.
 */
export const closeNames = (tx: Tx, names: (TemplateKey & { now: Date; until: Date })[]): Promise<unknown> =>
  tx.sql(
    `with given as (
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
         as n (workspace_id, account_id, name, language, now, until)
     ), open as (
       delete from closed_template_names c using given
       where c.workspace_id = given.workspace_id and c.until <= given.now
     )
     insert into closed_template_names (workspace_id, account_id, name, language, until)
     select workspace_id, account_id, name, language, max(until) from given
     group by workspace_id, account_id, name, language
     on conflict (workspace_id, account_id, name, language) do update set until = excluded.until`,
    [
      names.map((name) => name.workspaceId),
      names.map((name) => name.accountId),
      names.map((name) => name.name),
      names.map((name) => name.language),
      names.map((name) => name.now),
      names.map((name) => name.until),
    ],
  )
