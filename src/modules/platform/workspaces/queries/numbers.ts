/** Statements on the operator's state of numbers, and on their lanes, for lists from many workspaces. */
import type { Selectable, Updateable } from 'kysely'
import { NO_END } from '../../../../core/clock.ts'
import type { Query, Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { ACCOUNT_RESTRICTED } from '../../../../operator/refusals.ts'

/** Messages a second by the operator's throughput level (docs/formats.md section 12). */
export const THROUGHPUT = { STANDARD: 80, HIGH: 1000 } as const
/** The same for a number that the business also uses in the phone app. */
export const SHARED_THROUGHPUT = 20

type Run = Tx['sql'] | Query
export type StoredNumber = Selectable<Tables['phoneNumbers']>
type LaneRow = Selectable<Tables['numberLanes']>
/** Until when an active number may not begin conversations, and may not answer, in the workspace's time. */
export type Restrictions = Pick<
  StoredNumber,
  'businessInitiatedBlockedUntil' | 'customerInitiatedBlockedUntil'
>
export type NumberKey = Pick<LaneRow, 'workspaceId' | 'phoneNumberId'>

export type NumberStateRow = NumberKey & {
  state: string
  reason: string | null
  code: number | null
  /** Real time. */
  at: Date
  /** The sealed token that was refused; ignored if it was replaced meanwhile. */
  tokenSealed?: Buffer | undefined
}

/** The job that notifies admins of a number that can no longer send some messages (modules/platform/notifications). */
export const NUMBER_NOTICE = 'notifyOfNumber'
const NOTICE = `insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
     select workspace_id, gen_random_uuid(), '${NUMBER_NOTICE}', jsonb_build_object('phoneNumberId', id), at, at, false`

/**
 * Writes states that differ from the stored ones; returns the numbers that changed. For a number that was
 * active, the same statement creates a notice.
 */
export const updateNumberStates = (run: Run, rows: NumberStateRow[]): Promise<NumberKey[]> =>
  run<NumberKey>(
    `select workspace_id, phone_number_id from set_number_states(
       $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int4[], $6::timestamptz[], $7::bytea[], '${NUMBER_NOTICE}')`,
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

/** Creates a notice for each number with a new restriction. `at`: real time. */
export const insertNumberNotices = (run: Run, rows: (NumberKey & { at: Date })[]): Promise<unknown> =>
  run(`${NOTICE} from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u(workspace_id, id, at)`, [
    uuids(rows.map((row) => row.workspaceId)),
    uuids(rows.map((row) => row.phoneNumberId)),
    instants(rows.map((row) => row.at)),
  ])

/** The operator's facts about a number; null leaves the known value. */
export type NumberFacts = NumberKey & {
  quality: string | null
  throughput: number | null
  messagingLimit: string | null
}

/** Writes facts that differ from the stored ones. */
export const updateNumberFacts = (run: Run, rows: NumberFacts[]): Promise<unknown> =>
  run(
    `update phone_numbers n set quality = u.quality, throughput = u.throughput, messaging_limit = u.messaging_limit
     from (
       select n.workspace_id, n.id, coalesce(u.quality, n.quality) as quality,
              -- The operator's standard level does not say whether the phone app shares the number.
              case when u.throughput = $6 and n.throughput = $7 then n.throughput else coalesce(u.throughput, n.throughput) end as throughput,
              coalesce(u.messaging_limit, n.messaging_limit) as messaging_limit
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int4[], $5::text[]) as u(workspace_id, id, quality, throughput, messaging_limit)
       join phone_numbers n on n.workspace_id = u.workspace_id and n.id = u.id
     ) u
     where n.workspace_id = u.workspace_id and n.id = u.id
       and (n.quality, n.throughput, n.messaging_limit) is distinct from (u.quality, u.throughput, u.messaging_limit)`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      rows.map((row) => row.quality),
      rows.map((row) => row.throughput),
      rows.map((row) => row.messagingLimit),
      THROUGHPUT.STANDARD,
      SHARED_THROUGHPUT,
    ],
  )

export const insertNumberLane = (run: Run, key: NumberKey, checkDueAt: Date): Promise<unknown> =>
  run('insert into number_lanes (workspace_id, phone_number_id, check_due_at) values ($1, $2, $3)', [
    key.workspaceId,
    key.phoneNumberId,
    checkDueAt,
  ])

/**
 * Moves the next check of numbers forward to `at`, or sets it. A simulated number has no lane until it has a
 * problem.
 */
export const setNumberChecks = (
  run: Run,
  rows: (NumberKey & { at: Date })[],
  options: { sooner: boolean },
): Promise<unknown> =>
  run(
    `insert into number_lanes as l (workspace_id, phone_number_id, check_due_at)
     select n.workspace_id, n.id, u.at from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u(workspace_id, id, at)
     join phone_numbers n on n.workspace_id = u.workspace_id and n.id = u.id
     on conflict (workspace_id, phone_number_id) do update
       set check_due_at = ${options.sooner ? 'least(l.check_due_at, excluded.check_due_at)' : 'excluded.check_due_at'}`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      instants(rows.map((row) => row.at)),
    ],
  )

/** Moves the next check of an account's numbers, except for `except`, forward to `at`. */
export const setAccountChecks = (
  run: Run,
  account: { workspaceId: string; accountId: string; except: string | null; at: Date },
): Promise<unknown> =>
  run(
    `update number_lanes l set check_due_at = $4 from phone_numbers n
     where n.workspace_id = $1 and n.account_id = $2 and n.id is distinct from $3::uuid
       and l.workspace_id = n.workspace_id and l.phone_number_id = n.id and l.check_due_at > $4`,
    [account.workspaceId, account.accountId, account.except, account.at],
  )

/** Claims numbers with due checks, oldest first; unfinished checks are claimed again at `nextAt`. */
export const claimNumberChecks = (
  query: Query,
  claim: { now: Date; nextAt: Date; limit: number },
): Promise<NumberKey[]> =>
  query<NumberKey>(
    `with due as materialized (
       select workspace_id, phone_number_id from number_lanes l where check_due_at <= $1 and ${isOfWorkspace('l')}
       order by check_due_at limit $3 for update skip locked
     ), claimed as (
       update number_lanes l set check_due_at = $2 from due
       where l.workspace_id = due.workspace_id and l.phone_number_id = due.phone_number_id
       returning l.workspace_id, l.phone_number_id
     )
     select * from claimed`,
    [claim.now, claim.nextAt, claim.limit],
  )

/**
 * A number (E.164 with +) with its names in the operator's updates. `notifiedAt`: the time of each fact's
 * report.
 */
export type ListedNumber = Pick<
  StoredNumber,
  'workspaceId' | 'id' | 'number' | 'accountId' | 'displayName' | 'username' | 'notifiedAt'
> & { notifiedAt: Record<string, string> } & Restrictions

/** Locks all numbers of the workspaces, in a fixed order. */
export const lockNumbersOf = (tx: Tx, workspaceIds: string[]): Promise<ListedNumber[]> =>
  tx.sql<ListedNumber>(
    `select workspace_id, id, number, account_id, display_name, username, notified_at, business_initiated_blocked_until,
            customer_initiated_blocked_until
     from phone_numbers
     where workspace_id = any($1::uuid[]) order by workspace_id, id for no key update`,
    [uuids(workspaceIds)],
  )

/** Writes names, restrictions, and the times of reports. */
export const updateNumberNews = (
  run: Run,
  rows: (NumberKey & Pick<ListedNumber, 'displayName' | 'username' | 'notifiedAt' | keyof Restrictions>)[],
): Promise<unknown> =>
  run(
    `update phone_numbers n set display_name = u.display_name, username = u.username, notified_at = u.notified_at,
            business_initiated_blocked_until = u.business_until, customer_initiated_blocked_until = u.customer_until
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::timestamptz[])
       as u(workspace_id, id, display_name, username, notified_at, business_until, customer_until)
     where n.workspace_id = u.workspace_id and n.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      rows.map((row) => row.displayName),
      rows.map((row) => row.username),
      rows.map((row) => JSON.stringify(row.notifiedAt)),
      instants(rows.map((row) => row.businessInitiatedBlockedUntil)),
      instants(rows.map((row) => row.customerInitiatedBlockedUntil)),
    ],
  )

/** Activates numbers that are blocked only because a message was refused for a restriction. */
export const unblockRestricted = (run: Run, keys: NumberKey[]): Promise<unknown> =>
  run(
    `update phone_numbers n set state = 'active', state_reason = null, state_code = null
     from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, id)
     where n.workspace_id = k.workspace_id and n.id = k.id and n.state = 'sending_blocked' and n.state_code = $3`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.phoneNumberId)),
      ACCOUNT_RESTRICTED,
    ],
  )

/** Lifts restrictions without an end from numbers that the operator reports as working. */
export const liftEndlessRestrictions = (run: Run, keys: NumberKey[]): Promise<unknown> =>
  run(
    `update phone_numbers n
     set business_initiated_blocked_until = nullif(business_initiated_blocked_until, $3::timestamptz),
         customer_initiated_blocked_until = nullif(customer_initiated_blocked_until, $3::timestamptz)
     from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, id)
     where n.workspace_id = k.workspace_id and n.id = k.id
       and $3::timestamptz in (business_initiated_blocked_until, customer_initiated_blocked_until)`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.phoneNumberId)), NO_END],
  )

/**
 * Blocks messages that begin a conversation until the operator reports the number as working, unless they are
 * already blocked.
 */
export const blockNewConversations = (run: Run, key: NumberKey, now: Date): Promise<unknown> =>
  run(`select block_new_conversations($1, $2, $3, $4, '${NUMBER_NOTICE}')`, [
    key.workspaceId,
    key.phoneNumberId,
    now,
    NO_END,
  ])

type FoundNumber = Pick<StoredNumber, 'workspaceId' | 'id' | 'number' | 'operator' | 'state'>

/**
 * Finds a number by one of its names, in any workspace, for the command line, which works on the whole
 * installation.
 */
export const findNumberForUpdate = async (
  tx: Tx,
  name: { phoneNumberId?: string | undefined; operatorId?: string | undefined },
): Promise<FoundNumber | undefined> => {
  const numbers = db.selectFrom('phoneNumbers').select(['workspaceId', 'id', 'number', 'operator', 'state'])
  const numberQuery = name.phoneNumberId
    ? numbers.where('id', '=', name.phoneNumberId)
    : numbers.where('operator', '=', 'cloud').where('operatorId', '=', name.operatorId ?? '')
  return tx.first(numberQuery.forUpdate())
}

/** Finds a number of the workspace by its digits or by the operator's id. */
export const findOwnNumberForUpdate = (
  tx: Tx,
  { workspaceId, number, operatorId }: { workspaceId: string; number: string; operatorId: string },
): Promise<FoundNumber | undefined> =>
  tx.first(
    db
      .selectFrom('phoneNumbers')
      .select(['workspaceId', 'id', 'number', 'operator', 'state'])
      .where('workspaceId', '=', workspaceId)
      .where((row) => row.or([row('number', '=', number), row('operatorId', '=', operatorId)]))
      .orderBy('id')
      .forUpdate(),
  )

/** Finds a number with the operator's id, or a connected number of the account, in other workspaces. */
export const listForeignNumbers = (
  query: Query,
  workspaceId: string,
  { accountId, operatorId }: { accountId: string; operatorId: string },
): Promise<Pick<StoredNumber, 'id'>[]> =>
  query(
    `(select id from phone_numbers where operator = 'cloud' and operator_id = $2 and workspace_id <> $1)
     union all
     (select id from phone_numbers
      where operator = 'cloud' and account_id = $3 and workspace_id <> $1 and state <> 'disconnected' limit 1)`,
    [workspaceId, operatorId, accountId],
  )

export const updateNumberRow = async (
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
  patch: Updateable<Tables['phoneNumbers']>,
): Promise<void> => {
  if (Object.keys(patch).length > 0)
    await tx.run(
      db.updateTable('phoneNumbers').set(patch).where('workspaceId', '=', workspaceId).where('id', '=', id),
    )
}

/** A number in the business's view, with the pause of its lane (real time). */
export type ShownNumber = Pick<
  StoredNumber,
  | 'id'
  | 'number'
  | 'displayName'
  | 'username'
  | 'operator'
  | 'accountId'
  | 'state'
  | 'stateReason'
  | 'quality'
  | 'throughput'
  | 'messagingLimit'
  | 'createdAt'
  | 'historyState'
  | 'historyProgress'
  | 'historyPhase'
  | 'historyStored'
  | 'historyLeftOut'
  | 'historyReason'
  | 'historyRequestedAt'
  | 'historyAt'
> &
  Pick<LaneRow, 'pausedUntil' | 'pauseReason'> &
  Restrictions

/** Lists the workspace's numbers, oldest first, without expired pauses. */
export const listShownNumbers = (tx: Tx, workspaceId: string, now: Date): Promise<ShownNumber[]> =>
  tx.sql<ShownNumber>(
    `select n.id, n.number, n.display_name, n.username, n.operator, n.account_id, n.state, n.state_reason, n.quality, n.throughput,
            n.messaging_limit, n.business_initiated_blocked_until, n.customer_initiated_blocked_until, l.paused_until, l.pause_reason, n.created_at,
            n.history_state, n.history_progress, n.history_phase, n.history_stored, n.history_left_out, n.history_reason,
            n.history_requested_at, n.history_at
     from phone_numbers n
     left join number_lanes l on l.workspace_id = n.workspace_id and l.phone_number_id = n.id and l.paused_until > $2
     where n.workspace_id = $1 order by n.id`,
    [workspaceId, now],
  )
