/** What the operator posts, between its callback and the work on it: whose it is, and how it is stored. */
import type { Clock } from './core/clock.ts'
import type { Database } from './core/context.ts'
import { newId } from './core/ids.ts'
import type { Sealer } from './core/sealing.ts'
import type { CallbackOptions } from './http/operator-callback.ts'
import { type SplitPost, takeInPost, takeInUpdates } from './modules/messages/operations/intake.ts'
import type { Directory } from './modules/workspaces/directory.ts'
import type { NumberRecord } from './modules/workspaces/operations.ts'
import { type WebhookChange, webhookChanges } from './operator/cloud/changes.ts'
import { verifyWebhookSignature } from './operator/webhook-signature.ts'

/** A bigger body is stored as it came and split by the work on it, so that a thousand updates are answered at once too. */
const SPLIT_AT_ONCE_BYTES = 128 * 1024

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

/** The changes of a body that concern the numbers that signed it. */
const changesFor = (body: unknown, signers: NumberRecord[]) =>
  webhookChanges(body).flatMap((change) => {
    const number = numberOf(change, signers)
    if (!number) return []
    const { field, value, accountId, at, sender } = change
    return [
      {
        phoneNumberId: number.id,
        sender,
        body: { field, value, accountId, ...(at === null ? {} : { at: at.toISOString() }) },
      },
    ]
  })

/**
 * Whether a body begins and ends as a JSON object does: nothing was cut off. Reading all of it would take as long as everything
 * else that is done before the answer; what the operator signed and is no JSON all the same is set aside later.
 */
const isWholeObject = (bytes: Buffer): boolean => bytes[0] === OPENING && bytes.at(-1) === CLOSING
const [OPENING, CLOSING] = Buffer.from('{}')

/** Splits a body that was stored as it came. */
export const postSplitter =
  (directory: Pick<Directory, 'numbers'>): SplitPost =>
  async ({ workspaceId, raw, signers }) => {
    const numbers = await directory.numbers(workspaceId)
    return changesFor(
      JSON.parse(raw.toString('utf8')),
      numbers.filter(({ id }) => signers.includes(id)),
    )
  }

/** What the operator's callback needs: its signature, and the intake that stores what it says. */
export const operatorIntake = (parts: {
  database: Database
  directory: Directory
  sealer: Sealer
  clock: Clock
}): CallbackOptions => ({
  directory: parts.directory,
  sealer: parts.sealer,
  verify: verifyWebhookSignature,
  takeIn: async (workspaceId, bytes, signers) => {
    const now = parts.clock.now()
    const told = { workspaceId, runAt: now, receivedAt: now }
    if (bytes.length > SPLIT_AT_ONCE_BYTES) {
      if (!isWholeObject(bytes)) throw new SyntaxError('The body is no JSON object.')
      return parts.database.tenantIds([workspaceId], (unit) =>
        takeInPost(unit, { ...told, id: newId(), raw: bytes, signers: signers.map(({ id }) => id) }),
      )
    }
    const changes = changesFor(JSON.parse(bytes.toString('utf8')), signers)
    if (changes.length > 0)
      await parts.database.tenantIds([workspaceId], (unit) =>
        takeInUpdates(
          unit,
          changes.map((change) => ({ ...told, ...change, id: newId(), reference: null })),
        ),
      )
  },
})
