/**
 * Stores answers for retries (spec 4.1.1). A write and its answer commit in one transaction. An advisory lock
 * for the transaction separates concurrent duplicates; PostgreSQL ends transactions long before two minutes,
 * which frees the key of an unfinished request.
 */

import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { DAY_MS } from '../../core/clock.ts'
import type { Tx } from '../../core/context.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import { sha256 } from '../../core/values/digest.ts'
import { byteStrings, digests, instants, uuids } from '../../database/sql/binary-arrays.ts'
import { plainList } from '../../database/sql/sql.ts'
import type { Tables } from '../../database/sql/tables.ts'

const KEY_LENGTH_MAX = 255
export const REMEMBERED_MS = DAY_MS

/** The key of a request and its fingerprint. */
export type Keyed = {
  /** As the client sent it; only its digest is stored. */
  key: string
  /**
   * SHA-256 of key, method, address, and body bytes. Including the key prevents guessing bodies from the
   * stored hash.
   */
  fingerprint: Buffer
}

/** The sender of a request: the ID of an API key or of a member. */
type Sender = { workspaceId: string; keyId: string }

/** The claim of a request on its key. */
export type Claim = Keyed &
  Sender & {
    /**
     * Replaces the key in the database, in 16 bytes: keys may contain customers' names, and the key opens the
     * sealed answer.
     */
    digest: Buffer
    /** In the workspace's time. */
    now: Date
  }

/** A stored answer: its text, or the bytes of the sealed text. */
export type StoredAnswer = { status: number; answer: string | Buffer }

/** The result of a claim: `fresh` (no valid answer, the request may run), or how the request ends. */
export type Finding =
  /** `expired`: an expired answer, not yet deleted, is in the row that the new answer needs. */
  | { kind: 'fresh'; expired?: true }
  | { kind: 'replay'; stored: StoredAnswer & { answer: Buffer } }
  | { kind: 'refused'; refusal: Refusal }

/** Reads the Idempotency-Key header; undefined without one. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = Array.isArray(header) ? header.join(', ') : header
  if (key.length < 1 || key.length > KEY_LENGTH_MAX)
    refuse(
      'invalid_idempotency_key',
      `Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} characters. This one has ${key.length}.`,
    )
  return key
}

/** Returns the beginning of the fingerprinted text; the body follows. */
export const fingerprintHead = (key: string, method: string, address: string): string =>
  `${key}\n${method}\n${address}\n`

/** Returns a key with the fingerprint of its request. Every use of the key must have the same fingerprint. */
export const keyedRequest = (key: string, method: string, address: string, body: Buffer): Keyed => ({
  key,
  fingerprint: sha256(Buffer.concat([Buffer.from(fingerprintHead(key, method, address)), body])),
})

const DIGEST_BYTES = 16

/** Builds the claim of a sender's request; `now` is in the workspace's time. */
export const claimOf = ({ workspaceId, keyId }: Sender, { key, fingerprint }: Keyed, now: Date): Claim => ({
  workspaceId,
  keyId,
  key,
  fingerprint,
  digest: sha256(`${keyId}\n${key}`).subarray(0, DIGEST_BYTES),
  now,
})

/** Returns an ID that only a request and its retries share. */
export const requestKeyOf = ({ keyId, key, fingerprint }: Claim): string =>
  hash('sha256', `${keyId}\n${key}\n${fingerprint.toString('hex')}`, 'hex')

export const inProgress = (): Refusal =>
  new Refusal(
    'idempotency_key_in_progress',
    'The first request with this Idempotency-Key is still running. Try again shortly.',
  )

const reusedKeyRefusal = (): Refusal =>
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used with a different request within 24 hours. Use a new key.',
  )

export type StoredKey = Selectable<Tables['idempotencyKeys']>
type KeyRow = Pick<StoredKey, 'status' | 'answer'> & {
  fingerprint: StoredKey['fingerprint'] | null
  unfinished: boolean
  expired: boolean
}

/** Locks the key of a claim `c` for this transaction if it is free. */
const LOCKED = 'pg_try_advisory_xact_lock(uuid_hash_extended(c.key_digest, 0))'

/**
 * Locks the keys for this transaction and reads their stored answers, as two statements in one message. A
 * statement sees only commits from before its start, so one statement that locks and reads could miss the
 * answer of the lock's last owner.
 */
export async function claimKeys(tx: Tx, claims: Claim[]): Promise<Finding[]> {
  if (claims.length === 0) return []
  const keyDigests = digests(claims.map((c) => c.digest))
  const [locks, rows] = await Promise.all([
    tx.sql<{ locked: boolean }>(
      `select ${LOCKED} as locked from unnest($1::uuid[]) with ordinality as c(key_digest, ord) order by c.ord`,
      [keyDigests],
    ),
    tx.sql<KeyRow>(
      `select k.fingerprint, k.status, k.answer, k.key_digest is not null and k.status is null as unfinished,
              coalesce(k.expires_at <= c.now, false) as expired
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
            with ordinality as c(workspace_id, key_digest, now, ord)
       left join idempotency_keys k
         on k.workspace_id = c.workspace_id and k.key_digest = c.key_digest
       order by c.ord`,
      [uuids(claims.map((c) => c.workspaceId)), keyDigests, instants(claims.map((c) => c.now))],
    ),
  ])
  return rows.map((row, i) => {
    if (!locks[i]!.locked) return { kind: 'refused', refusal: inProgress() }
    if (row.expired) return { kind: 'fresh', expired: true }
    if (!row.fingerprint) return { kind: 'fresh' }
    if (!row.fingerprint.equals(claims[i]!.fingerprint))
      return { kind: 'refused', refusal: reusedKeyRefusal() }
    if (row.unfinished) return { kind: 'refused', refusal: inProgress() }
    return { kind: 'replay', stored: { status: row.status!, answer: row.answer! } }
  })
}

/**
 * Locks keys that are assumed to be unused, without reading stored answers: `rememberAnswers` fails if one
 * exists. Throws if another transaction has one of the locks.
 */
export async function lockUnusedKeys(tx: Tx, claims: Claim[]): Promise<void> {
  if (claims.length === 0) return
  await tx.sql(
    `select expect_rows(count(*) filter (where ${LOCKED}), $2) from unnest($1::uuid[]) as c(key_digest)`,
    [digests(claims.map((c) => c.digest)), claims.length],
  )
}

const KEPT = `insert into idempotency_keys as k (workspace_id, key_digest, fingerprint, status, answer, started_at, expires_at)
  select workspace_id, key_digest, fingerprint, status, answer, started_at, started_at + interval '${REMEMBERED_MS} milliseconds'
  from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::int4[], $5::bytea[], $6::timestamptz[])
    as a(workspace_id, key_digest, fingerprint, status, answer, started_at)`

const KEPT_OVER_EXPIRED = `with kept as (
    ${KEPT}
    on conflict (workspace_id, key_digest) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
          attempt = null, started_at = excluded.started_at, expires_at = excluded.expires_at
      where k.expires_at <= excluded.started_at
    returning 1)
  select expect_rows((select count(*) from kept), $7)`

/**
 * Stores the answers of `claims` in the transaction of their effects; with `overExpired`, also over expired
 * answers. The statement itself fails if a duplicate took a key meanwhile, so the commit doesn't wait for its
 * result.
 */
export async function rememberAnswers(
  tx: Tx,
  claims: Claim[],
  answers: StoredAnswer[],
  { overExpired }: { overExpired: boolean },
): Promise<void> {
  if (claims.length === 0) return
  const values = [
    uuids(claims.map((c) => c.workspaceId)),
    digests(claims.map((c) => c.digest)),
    byteStrings(claims.map((c) => c.fingerprint)),
    plainList(answers.map((a) => a.status)),
    byteStrings(answers.map((a) => a.answer)),
    instants(claims.map((c) => c.now)),
  ]
  // Inserting with `on conflict` costs 50% more.
  if (overExpired) await tx.sql(KEPT_OVER_EXPIRED, [...values, claims.length])
  else await tx.sql(KEPT, values)
}

/** Deletes up to `max` answers that expired before `now`; returns their number. */
export const deleteExpiredAnswers = async (
  query: <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>,
  now: Date,
  max: number,
): Promise<number> =>
  (
    await query(
      `delete from idempotency_keys where ctid = any (array(
         select ctid from idempotency_keys where expires_at <= $1 limit $2)) returning 1`,
      [now, max],
    )
  ).length
