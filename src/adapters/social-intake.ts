/** Connects the photo network's callback to the processing of its reports. */
import type { Clock } from '../core/clock.ts'
import { type Database, wake } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { SocialIntake } from '../http/callbacks/social-callback.ts'
import { receiveSocialReport, SOCIAL_UPDATES } from '../modules/selling/social/intake/operations/intake.ts'
import { type AccountRow, findAccount } from '../modules/selling/social/operations/accounts.ts'
import { verifyWebhookSignature } from '../operator/webhook-signature.ts'
import { countReported, partMentions, readWebhook } from '../social-network/graph/reports.ts'
import { withWholeIds } from '../social-network/graph/values.ts'
import type { SocialReport } from '../social-network/port.ts'
import { connectedAccounts } from './connected-accounts.ts'

/** A connected account: it has its secrets. */
type SigningAccount = AccountRow & { appSecretSealed: Buffer; verifyTokenHash: Buffer }

const signs = (account: AccountRow | undefined): account is SigningAccount =>
  account !== undefined && account.appSecretSealed !== null && account.verifyTokenHash !== null

/** Provides the account's secrets and the intake for the network's callback. */
export function socialIntake(parts: {
  database: Database
  sealer: Sealer
  clock: Clock
}): SocialIntake<SigningAccount> {
  const { database, sealer, clock } = parts
  return {
    sealer,
    accounts: connectedAccounts(async (workspaceId) => {
      const account = await findAccount(database.query, workspaceId)
      return signs(account) ? account : undefined
    }),
    verify: verifyWebhookSignature,
    receive: async ({ workspaceId, bytes, signers: [account] }) => {
      parsed(bytes)
      if (account)
        await database.tenantIds([workspaceId], async (unit) => {
          await receiveSocialReport(unit.tx.sql, account, bytes, clock.now())
          wake(unit, SOCIAL_UPDATES)
        })
    },
  }
}

/**
 * Throws without quoting the input: the error is stored and logged, and the body contains customers'
 * messages.
 */
function parsed(bytes: Buffer, reviver?: typeof withWholeIds): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'), reviver)
  } catch (error) {
    // The body is nested too deeply for a reviver.
    if (reviver && error instanceof RangeError) return parsed(bytes)
    throw new SyntaxError("The body isn't valid JSON.")
  }
}

/** The network reports at most 1,000 items; a body with this many is not from the network. */
const MAX_REPORTED = 10_000

/** Translates a stored body. Throws SyntaxError if it is not one of the network's bodies. */
export function readReports(raw: Buffer, account: AccountRow, receivedAt: Date): SocialReport[] {
  const body = parsed(raw, withWholeIds)
  if (countReported(body) > MAX_REPORTED)
    throw new SyntaxError('The body has more items than the network sends.')
  return readWebhook(body, account, receivedAt)
}

/** Splits a body in two, with the mentions separate. */
export function splitReports(raw: Buffer): { rest: Buffer; mentions: Buffer } {
  const { rest, mentions } = partMentions(parsed(raw, withWholeIds))
  return { rest: Buffer.from(JSON.stringify(rest)), mentions: Buffer.from(JSON.stringify(mentions)) }
}
