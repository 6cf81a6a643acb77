/** What the operator posts, between its callback and the work on it: whose it is, and how it is stored. */
import { batched, HOT_BATCH } from '../core/batch.ts'
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import type { Sealer } from '../core/sealing.ts'
import { isConnectionFault } from '../database/faults.ts'
import type { OperatorIntake } from '../http/operator-callback.ts'
import { type NewPost, type SplitPost, takeInPosts } from '../modules/messages/intake/operations/intake.ts'
import type { Directory } from '../modules/workspaces/directory.ts'
import type { NumberRecord } from '../modules/workspaces/operations/phone-numbers.ts'
import { countListed, type WebhookChange, webhookChanges } from '../operator/cloud/changes.ts'
import { verifyWebhookSignature } from '../operator/webhook-signature.ts'

/** A bigger body is not read before the answer, so that a thousand updates are answered at once too. */
const READ_AT_ONCE_BYTES = 128 * 1024
/** Posts that may wait to be stored, some 128 MB of them: one more is refused, and the operator comes again. */
const MAX_WAITING = 1_000

/**
 * The number that a change is kept with, among those that signed it. One that concerns an account as a whole is kept with
 * the number that it shows, else with one of the account, else with any: what it says is applied by what it names.
 */
const numberOf = (change: WebhookChange, signers: NumberRecord[]): NumberRecord | undefined =>
  change.operatorId === ''
    ? (signers.find((one) => one.number === `+${change.displayNumber}`) ??
      signers.find((one) => one.accountId === change.accountId) ??
      signers[0])
    : signers.find((one) => one.operatorId === change.operatorId)

/** The changes of a body that concern the numbers that signed it, and the ids of others that it speaks of. */
function changesFor(body: unknown, signers: NumberRecord[]) {
  const others = new Set<string>()
  const ours = webhookChanges(body).flatMap((change) => {
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
  return { ours, others }
}

/**
 * Whether a body begins and ends as a JSON object does: nothing was cut off. Reading all of it would take as long as everything
 * else that is done before the answer; what the operator signed and is no JSON all the same is set aside later.
 */
const isWholeObject = (bytes: Buffer): boolean =>
  bytes.find((byte) => !BLANKS.includes(byte)) === OPENING &&
  bytes.findLast((byte) => !BLANKS.includes(byte)) === CLOSING
const [OPENING, CLOSING] = Buffer.from('{}')
const BLANKS = Buffer.from(' \t\r\n')

/** Throws without quoting what it could not read: the error is kept and logged, and the body holds what customers wrote. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw noJson()
  }
}
const noJson = () => new SyntaxError("The body isn't valid JSON.")

/** The operator sends 1,000 updates at most; what lists so much more is none of its bodies, and could not be worked on. */
const MAX_LISTED = 10_000

/**
 * Parts a body that was stored as it came. Throws SyntaxError for what is no body of the operator. `onOthers` hears, by its id at
 * the operator, of a number that the body speaks of and that did not sign it: what is said of that one is nobody's here.
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
    const known = async () => (await directory.numbers(workspaceId)).filter(({ id }) => signers.includes(id))
    let numbers = await known()
    if (numbers.length < signers.length) {
      // One is gone, or was connected so lately that this process has not heard of it.
      directory.forget(workspaceId)
      numbers = await known()
    }
    const { ours, others } = changesFor(body, numbers)
    for (const operatorId of others) onOthers(workspaceId, operatorId)
    return ours
  }

/** What the operator's callback needs: its signature, and the intake that stores what it says. */
export function operatorIntake(parts: {
  database: Database
  directory: Directory
  sealer: Sealer
  clock: Clock
}): OperatorIntake {
  const { database, directory, sealer, clock } = parts
  const store = (posts: NewPost[]): Promise<void> =>
    database.tenantIds([...new Set(posts.map(({ workspaceId }) => workspaceId))], (unit) =>
      takeInPosts(unit, posts),
    )
  // Posts that come together share a transaction.
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
