/**
 * Idempotency keys of outside operations. The key's row is committed before the call, marked unfinished.
 * After two minutes, an unfinished first request loses the key, and `fence` stops its further commits (spec
 * 4.1.1).
 */
import { later, MINUTE_MS } from '../../core/clock.ts'
import type { Tx } from '../../core/context.ts'
import { db } from '../../database/sql/sql.ts'
import {
  type Claim,
  claimKeys,
  type Finding,
  inProgress,
  REMEMBERED_MS,
  type StoredAnswer,
  type StoredKey,
} from './idempotency.ts'

const RELEASE_MS = 2 * MINUTE_MS

/** Returns the primary key of a claim's row. */
const ownRow = ({ workspaceId, digest }: Claim): [string, string] => [workspaceId, digest.toString('hex')]

/** Takes the key for `attempt`, and replaces an unfinished first request older than two minutes. */
export async function claimOutside(tx: Tx, claim: Claim, attempt: string): Promise<Finding> {
  const [finding] = await claimKeys(tx, [claim])
  const claimed = await tx.sql<Pick<StoredKey, 'attempt'>>(
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
  if (claimed.length > 0) return { kind: 'fresh' }
  return finding && finding.kind !== 'fresh' ? finding : { kind: 'refused', refusal: inProgress() }
}

/**
 * Stops an attempt that lost its key from committing. Call it first in each of the attempt's transactions.
 */
export async function fence(tx: Tx, claim: Claim, attempt: string): Promise<void> {
  const [workspaceId, keyDigest] = ownRow(claim)
  const row = await tx.first(
    db
      .selectFrom('idempotencyKeys')
      .select('attempt')
      .where('workspaceId', '=', workspaceId)
      .where('keyDigest', '=', keyDigest)
      .where('attempt', '=', attempt)
      .where('status', 'is', null)
      .forUpdate(),
  )
  if (row === undefined) throw inProgress()
}

/**
 * Stores the answer, unless the attempt lost its key. It is kept for 24 hours after `now` of the workspace,
 * because the operation may have moved the sandbox clock.
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
  const [workspaceId, keyDigest] = ownRow(claim)
  await tx.run(
    db
      .deleteFrom('idempotencyKeys')
      .where('workspaceId', '=', workspaceId)
      .where('keyDigest', '=', keyDigest)
      .where('attempt', '=', attempt)
      .where('status', 'is', null),
  )
}
