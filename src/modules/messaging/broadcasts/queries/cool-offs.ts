/** Statements on new recipients in a cool-off (DECISIONS.md "Gates"). */

import type { Context, Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { type Put, parameters } from '../../../../database/sql/sql.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { condition, HIGHEST, KNOWN, LOWEST, listed, marks, reason, type Selection } from './selection.ts'

/**
 * Locks the start of campaigns in the workspace until the transaction ends, so that each sees earlier ones.
 */
export const holdBeginnings = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'campaigns that begin')

/** Locks messaging of new recipients by campaigns of the workspace until the transaction ends. */
export const holdNewRecipients = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'never messaged')

/**
 * Returns those of the contacts who got a campaign as new recipients after `since`. Each is one probe of the
 * key: counting all rows of a contact keeps PostgreSQL from reading all recent recipients instead.
 */
export const listCooling = async (ctx: Context, contactIds: string[], since: Date): Promise<string[]> =>
  (
    await ctx.tx.sql<{ id: string }>(
      `select p.id from unnest($2::uuid[]) as p (id) cross join lateral (
         select count(*) filter (where r.new_at > $3) as times from broadcast_recipients r
         where r.workspace_id = $1 and r.contact_id = p.id
       ) got where got.times > 0`,
      [ctx.workspace.id, uuids(contactIds), since],
    )
  ).map(({ id }) => id)

// Running campaigns to new recipients, with their conditions and the parts of the contacts that are left to
// walk. A null condition matches every contact.
const UNDER_WAY = `
  under_way as materialized (
    select id, started_at, walked, coalesce(walked_to, '${LOWEST}') as walked_to,
           (select array_agg(tag) from jsonb_array_elements_text(segment -> 'tags') tag) as tags,
           (select array_agg(tag) from jsonb_array_elements_text(segment -> 'excludeTags') tag) as exclude_tags,
           segment ->> 'optInStatus' as opt_in_status,
           (select array_agg(one::uuid) from jsonb_array_elements_text(segment -> 'contactIds') one) as contact_ids
    from broadcasts
    where workspace_id = $1 and status = 'running' and new_recipients > 0
  ), ahead as materialized (
    select u.*, u.walked_to as after_id, '${HIGHEST}'::uuid as until_id from under_way u where not u.walked
    union all
    select u.*, s.after_id, s.until_id from under_way u
    join broadcast_stretches s on s.workspace_id = $1 and s.broadcast_id = u.id
  )`

/**
 * Selects new recipients who got a campaign after `since`, who wait for their day, or whom a campaign has in
 * the rest of its list.
 */
const metSince = (since: string, ids: string | undefined) => {
  const within = (id: string) => (ids ? `and ${id} = any (${ids}::uuid[])` : '')
  return `
    select contact_id as id from broadcast_recipients
    where workspace_id = $1 and new_at > ${since} ${within('contact_id')}
    union
    select r.contact_id from under_way u
    join broadcast_recipients r on r.workspace_id = $1 and r.broadcast_id = u.id and r.state = 'waiting' ${within('r.contact_id')}
    union
    select named.id from ahead a cross join lateral unnest(a.contact_ids) as named (id)
    where named.id > a.after_id and named.id <= a.until_id ${within('named.id')}`
}

/** Matches a contact `c` in the rest of a campaign whose segment has conditions. */
const EXPECTED = `exists (
  select from ahead a
  where a.contact_ids is null and c.id > a.after_id and c.id <= a.until_id and c.created_at <= a.started_at
    and (a.tags is null or c.tags && a.tags) and (a.exclude_tags is null or not c.tags && a.exclude_tags)
    and (a.opt_in_status is null or c.opt_in_status = a.opt_in_status))`

/** Returns whether a running campaign to new recipients has conditions and is not completely walked. */
const expectsPeople = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (
    await tx.sql(`with ${UNDER_WAY} select 1 as one from ahead where contact_ids is null limit 1`, [
      workspaceId,
    ])
  ).length > 0

/**
 * Counts new recipients of the audience who got a campaign after `since` or are about to get one. One
 * statement, so that no person is missed when a step reaches them. It walks the contacts only while another
 * campaign walks them.
 */
export async function countCoolingRows(tx: Tx, selection: Selection, since: Date): Promise<number> {
  const { values, put } = parameters([selection.workspaceId])
  const list = selection.segment.contactIds
  const ids = list && put(uuids(list))
  const from = `(${metSince(put(since), ids)}) met cross join lateral (
    select * from contacts where contacts.workspace_id = $1 and contacts.id = met.id limit 1) c`
  const parts = [newRecipient(selection, put, from)]
  if (await expectsPeople(tx, selection.workspaceId))
    parts.push(
      newRecipient(
        selection,
        put,
        ids ? listed(ids) : 'contacts c',
        `c.workspace_id = $1 and ${EXPECTED} and`,
      ),
    )
  const [row] = await tx.sql<{ people: number }>(
    `with ${UNDER_WAY} select count(*) as people from (${parts.join(' union ')}) cooling`,
    values,
  )
  return row!.people
}

/** Selects the ids of new recipients of the audience who would get the campaign. */
const newRecipient = (selection: Selection, put: Put, from: string, extraCondition = ''): string =>
  `select c.id from ${from} ${marks(selection, put)}
   where ${extraCondition} ${condition(selection, put)} and not ${KNOWN} and ${reason(selection, put)} is null`
