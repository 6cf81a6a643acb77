/**
 * Connects the operator's callback to the processing: which numbers a post belongs to, and how it is stored.
 */
import { batched, HOT_BATCH } from '../core/batch.ts'
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import type { Sealer } from '../core/sealing.ts'
import { isConnectionFault } from '../database/faults.ts'
import type { OperatorIntake } from '../http/callbacks/operator-callback.ts'
import {
  type NewPost,
  type SplitPost,
  storePosts,
} from '../modules/messaging/messages/intake/operations/intake.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'
import type { NumberRecord } from '../modules/platform/workspaces/operations/phone-numbers.ts'
import { countListed, type WebhookChange, webhookChanges } from '../operator/cloud/changes.ts'
import { verifyWebhookSignature } from '../operator/webhook-signature.ts'

/** A larger body is parsed after the answer, so that a thousand updates are answered immediately too. */
const READ_AT_ONCE_BYTES = 128 * 1024
/**
 * The maximum number of posts that wait to be stored, about 128 MB: beyond it posts are rejected, and the
 * operator retries.
 */
const MAX_WAITING = 1_000

/**
 * Returns the number that stores a change, among those that signed it: the number that it shows, else one of
 * its account, else any. Processing uses only the identifiers in the change.
 */
const numberOf = (change: WebhookChange, signers: NumberRecord[]): NumberRecord | undefined =>
  change.operatorId === ''
    ? (signers.find((signer) => signer.number === `+${change.displayNumber}`) ??
      signers.find((signer) => signer.accountId === change.accountId) ??
      signers[0])
    : signers.find((signer) => signer.operatorId === change.operatorId)

/** Returns the changes of a body for the numbers that signed it, and the ids of other numbers in it. */
function changesFor(body: unknown, signers: NumberRecord[]) {
  const others = new Set<string>()
  const ownChanges = webhookChanges(body).flatMap((change) => {
    const number = numberOf(change, signers)
    if (!number) {
      others.add(change.operatorId)
      return []
    }
    const { field, value, accountId, at, sender } = change
    return [
      {
        phoneNumberId: number.id,
        sender,
        body: { field, value, accountId, ...(at === null ? {} : { at: at.toISOString() }) },
      },
    ]
  })
  return { ownChanges, others }
}

/**
 * Returns whether a body starts and ends like a JSON object, so it was not cut off. Parsing it would take as
 * long as everything else before the answer; signed bodies that are not JSON are set aside later.
 */
const isWholeObject = (bytes: Buffer): boolean =>
  bytes.find((byte) => !BLANKS.includes(byte)) === OPENING &&
  bytes.findLast((byte) => !BLANKS.includes(byte)) === CLOSING
const [OPENING, CLOSING] = Buffer.from('{}')
const BLANKS = Buffer.from(' \t\r\n')

/**
 * Throws without quoting the input: the error is stored and logged, and the body contains customers'
 * messages.
 */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw noJson()
  }
}
const noJson = () => new SyntaxError("The body isn't valid JSON.")

/**
 * The operator sends at most 1,000 updates; a body with this many is not from the operator and could not be
 * processed.
 */
const MAX_LISTED = 10_000

/**
 * Splits a stored body into changes. Throws SyntaxError if it is not one of the operator's bodies. Calls
 * `onOthers` with the operator's id of a number in the body that did not sign it: changes of that number are
 * dropped.
 */
export const postSplitter =
  (
    directory: Pick<Directory, 'numbers' | 'forget'>,
    onOthers: (workspaceId: string, operatorId: string) => void,
  ): SplitPost =>
  async ({ workspaceId, raw, signers }) => {
    const body = parsed(raw)
    if (countListed(body) > MAX_LISTED)
      throw new SyntaxError('The body has more items than the operator sends.')
    const findSigners = async () =>
      (await directory.numbers(workspaceId)).filter(({ id }) => signers.includes(id))
    let numbers = await findSigners()
    if (numbers.length < signers.length) {
      // The number was deleted, or connected so recently that this process does not know it.
      directory.forget(workspaceId)
      numbers = await findSigners()
    }
    const { ownChanges, others } = changesFor(body, numbers)
    for (const operatorId of others) onOthers(workspaceId, operatorId)
    return ownChanges
  }

/** Provides the signature check and the intake for the operator's callback. */
export function operatorIntake(parts: {
  database: Database
  directory: Directory
  sealer: Sealer
  clock: Clock
}): OperatorIntake {
  const { database, directory, sealer, clock } = parts
  const store = (posts: NewPost[]): Promise<void> =>
    database.tenantIds([...new Set(posts.map(({ workspaceId }) => workspaceId))], (unit) =>
      storePosts(unit, posts),
    )
  // Concurrent posts share a transaction.
  const storeWithOthers = batched<NewPost, void>(
    async (posts) => {
      await store(posts)
      return posts.map(() => undefined)
    },
    { ...HOT_BATCH, maxWaiting: MAX_WAITING, mayRunAgain: (error) => !isConnectionFault(error) },
  )
  return {
    directory,
    sealer,
    verify: verifyWebhookSignature,
    receive: ({ workspaceId, bytes: raw, signers }) => {
      const isBig = raw.length > READ_AT_ONCE_BYTES
      if (!isBig) parsed(raw)
      else if (!isWholeObject(raw)) throw noJson()
      const now = clock.now()
      const post = {
        workspaceId,
        id: newId(),
        raw,
        signers: signers.map(({ id }) => id),
        runAt: now,
        receivedAt: now,
      }
      return isBig ? store([post]) : storeWithOthers(post)
    },
  }
}
