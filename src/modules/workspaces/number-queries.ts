/** Statements on how numbers stand with the operator, and on their lanes. Lists from many workspaces. */
import type { Query, Tx } from '../../core/context.ts'
import { instants, uuids } from '../../core/sql.ts'

type Run = Tx['sql'] | Query
export type NumberKey = { workspaceId: string; phoneNumberId: string }

export type NumberStateRow = NumberKey & {
  state: string
  reason: string | null
  code: number | null
  /** Real time. */
  at: Date
  /** The sealed token that is to blame: one that was replaced meanwhile is not. */
  tokenSealed?: Buffer | undefined
}

/** Writes states that differ from what is stored; returns the numbers that changed. */
export const updateNumberStates = (run: Run, rows: NumberStateRow[]): Promise<NumberKey[]> =>
  run<NumberKey>(
    `update phone_numbers n set state = u.state, state_reason = u.reason, state_code = u.code, state_at = u.at
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int4[], $6::timestamptz[], $7::bytea[])
       as u(workspace_id, id, state, reason, code, at, token)
     where n.workspace_id = u.workspace_id and n.id = u.id and (u.token is null or n.token_sealed = u.token)
       and (n.state, n.state_reason, n.state_code) is distinct from (u.state, u.reason, u.code)
     returning n.workspace_id, n.id as phone_number_id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      rows.map((row) => row.state),
      rows.map((row) => row.reason),
      rows.map((row) => row.code),
      instants(rows.map((row) => row.at)),
      rows.map((row) => row.tokenSealed ?? null),
    ],
  )

/** What the operator says of a number; null leaves what is known. */
export type NumberFacts = NumberKey & {
  quality: string | null
  throughput: number | null
  messagingLimit: string | null
}

/** Writes facts that differ from what is stored. */
export const updateNumberFacts = (run: Run, rows: NumberFacts[]): Promise<unknown> =>
  run(
    `update phone_numbers n set quality = coalesce(u.quality, n.quality), throughput = coalesce(u.throughput, n.throughput),
            messaging_limit = coalesce(u.messaging_limit, n.messaging_limit)
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int4[], $5::text[]) as u(workspace_id, id, quality, throughput, messaging_limit)
     where n.workspace_id = u.workspace_id and n.id = u.id
       and (n.quality, n.throughput, n.messaging_limit) is distinct from
           (coalesce(u.quality, n.quality), coalesce(u.throughput, n.throughput), coalesce(u.messaging_limit, n.messaging_limit))`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      rows.map((row) => row.quality),
      rows.map((row) => row.throughput),
      rows.map((row) => row.messagingLimit),
    ],
  )

export const insertNumberLane = (run: Run, key: NumberKey, checkDueAt: Date): Promise<unknown> =>
  run('insert into number_lanes (workspace_id, phone_number_id, check_due_at) values ($1, $2, $3)', [
    key.workspaceId,
    key.phoneNumberId,
    checkDueAt,
  ])

/** Brings the next look at numbers forward to `at`, or sets it there. */
export const setNumberChecks = (
  run: Run,
  rows: (NumberKey & { at: Date })[],
  options: { sooner: boolean },
): Promise<unknown> =>
  run(
    `update number_lanes l set check_due_at = case when $4 then least(l.check_due_at, u.at) else u.at end
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u(workspace_id, id, at)
     where l.workspace_id = u.workspace_id and l.phone_number_id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      instants(rows.map((row) => row.at)),
      options.sooner,
    ],
  )

/** Claims numbers whose look is due, oldest first; whoever does not finish has them looked at again at `nextAt`. */
export const claimNumberChecks = (
  query: Query,
  claim: { now: Date; nextAt: Date; limit: number },
): Promise<(NumberKey & { state: string })[]> =>
  query<NumberKey & { state: string }>(
    `with due as materialized (
       select workspace_id, phone_number_id from number_lanes where check_due_at <= $1
       order by check_due_at limit $3 for update skip locked
     ), claimed as (
       update number_lanes l set check_due_at = $2 from due
       where l.workspace_id = due.workspace_id and l.phone_number_id = due.phone_number_id
       returning l.workspace_id, l.phone_number_id
     )
     select c.workspace_id, c.phone_number_id, n.state
     from claimed c join phone_numbers n on n.workspace_id = c.workspace_id and n.id = c.phone_number_id`,
    [claim.now, claim.nextAt, claim.limit],
  )
