/**
 * Keys of operations that speak to the outside between their transactions: the key's row is
 * committed before the call, marked unfinished. A first request that has not finished after two
 * minutes loses the key; from then on the fence keeps it from committing anything (spec 4.1.1).
 */
import { later, MINUTE_MS } from '../core/clock.ts'
import type { Tx } from '../core/context.ts'
import {
  type Claim,
  claimKeys,
  type Finding,
  inProgress,
  REMEMBERED_MS,
  type StoredAnswer,
} from './idempotency.ts'

const RELEASE_MS = 2 * MINUTE_MS

/** The primary key of a claim's row. */
const ownRow = ({ workspaceId, digest }: Claim): string[] => [workspaceId, digest.toString('hex')]

/** Takes the key for `attempt`; an unfinished first request older than two minutes is superseded. */
export async function claimOutside(tx: Tx, claim: Claim, attempt: string): Promise<Finding> {
  const [finding] = await claimKeys(tx, [claim])
  const taken = await tx.sql<{ attempt: string }>(
    `insert into idempotency_keys as k (workspace_id, key_digest, fingerprint, attempt, started_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, key_digest) do update
       set fingerprint = excluded.fingerprint, status = null, answer = null, attempt = excluded.attempt,
           started_at = excluded.started_at, expires_at = excluded.expires_at
       where k.expires_at <= excluded.started_at
          or (k.status is null and k.fingerprint = excluded.fingerprint and k.started_at <= $7)
     returning attempt`,
    [
      ...ownRow(claim),
      claim.fingerprint,
      attempt,
      claim.now,
      later(claim.now, REMEMBERED_MS),
      later(claim.now, -RELEASE_MS),
    ],
  )
  if (taken.length > 0) return { kind: 'fresh' }
  return finding && finding.kind !== 'fresh' ? finding : { kind: 'refused', refusal: inProgress() }
}

/** Keeps an attempt that lost its key from committing: call first in each of its transactions. */
export async function fence(tx: Tx, claim: Claim, attempt: string): Promise<void> {
  const rows = await tx.sql(
    `select 1 from idempotency_keys
     where workspace_id = $1 and key_digest = $2 and attempt = $3 and status is null for update`,
    [...ownRow(claim), attempt],
  )
  if (rows.length === 0) throw inProgress()
}

/**
 * Remembers the answer, unless the key was lost meanwhile. It is kept from `now` of the workspace on: the operation may have
 * moved its clock.
 */
export async function finishOutside(
  tx: Tx,
  claim: Claim,
  attempt: string,
  { status, answer, now = claim.now }: StoredAnswer & { now?: Date },
): Promise<void> {
  await tx.sql(
    `update idempotency_keys set status = $4, answer = $5, expires_at = greatest(expires_at, $6)
     where workspace_id = $1 and key_digest = $2 and attempt = $3 and status is null`,
    [...ownRow(claim), attempt, status, Buffer.from(answer), later(now, REMEMBERED_MS)],
  )
}

/** Frees the key of an attempt that ended without an outcome. */
export async function releaseOutside(tx: Tx, claim: Claim, attempt: string): Promise<void> {
  await tx.sql(
    'delete from idempotency_keys where workspace_id = $1 and key_digest = $2 and attempt = $3 and status is null',
    [...ownRow(claim), attempt],
  )
}
