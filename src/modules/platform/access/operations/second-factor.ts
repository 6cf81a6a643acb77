/** The second factor of an account: an authenticator app and its recovery codes. */
import type { Tx } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import type { SessionContext } from '../../../../core/session.ts'
import { type AccountRow, updateAccountRow } from '../queries/accounts.ts'
import { endOlderRequests, endTrustInFactor, getOwnCredentials, getOwnForNewFactor } from './own-account.ts'
import { requireSignedIn } from './read-session.ts'
import { recordAccess } from './record-access.ts'
import { deleteUnusedCodes } from './recovery-codes.ts'
import { NO_APP } from './reset-factors.ts'
import { beginAttempt, codeAttempt, succeed } from './sign-in-limits.ts'
import { renewSession } from './start-session.ts'
import { newRecoveryCodes, newTotpSecret, stepOfCode, totpUri, withoutRecoveryCode } from './totp.ts'

type CodeContext = Pick<SessionContext, 'now' | 'sealer'>

/**
 * Returns which factor a code belongs to and spends the code: `totp`, `recovery`, or undefined for a wrong
 * code.
 */
async function spendCode(
  tx: Tx,
  account: AccountRow,
  code: string,
  { now, sealer }: CodeContext,
): Promise<'totp' | 'recovery' | undefined> {
  const step =
    account.totpSealed === null
      ? undefined
      : stepOfCode(sealer.open(account.totpSealed), code, now, Number(account.totpStep))
  if (step !== undefined) {
    await updateAccountRow(tx, account.id, { totpStep: step })
    return 'totp'
  }
  const remaining = withoutRecoveryCode(account.recoveryHashes, code)
  if (remaining === undefined) return undefined
  await updateAccountRow(tx, account.id, { recoveryHashes: remaining })
  return 'recovery'
}

/** Spends a code as `spendCode` does, and counts wrong codes. Refuses `rate_limited` after five. */
export async function tryCode(tx: Tx, account: AccountRow, code: string, ctx: CodeContext) {
  const attempt = codeAttempt(account.id)
  const failures = await beginAttempt(tx, attempt, ctx.now)
  const factor = await spendCode(tx, account, code, ctx)
  if (factor) await succeed(tx, attempt)
  return { factor, failures }
}

/**
 * Starts the setup of an authenticator app and returns the address that the app scans. The app counts only
 * after its first code.
 */
export async function beginTotp(ctx: SessionContext): Promise<{ uri: string }> {
  const { accountId } = requireSignedIn(ctx)
  const secret = newTotpSecret()
  return ctx.transaction(async (tx) => {
    const account = await getOwnForNewFactor(tx, ctx)
    if (account.totpSealed) refuse('conflict', 'An authenticator app is already set up. Remove it first.')
    await updateAccountRow(tx, accountId, { totpPendingSealed: ctx.sealer.seal(secret) })
    const issuer = `Parley ${new URL(ctx.siteUrl).hostname}`
    return { uri: totpUri(secret, { issuer, name: account.email ?? account.name }) }
  })
}

/**
 * Finishes the setup with the app's first code and makes the session strong. The recovery codes are returned
 * only here.
 */
export async function finishTotp(ctx: SessionContext, code: string) {
  const { accountId, sessionId } = requireSignedIn(ctx)
  const { codes, hashes } = newRecoveryCodes()
  const session = await ctx.transaction(async (tx) => {
    const account = await getOwnForNewFactor(tx, ctx)
    if (!account.totpPendingSealed)
      return refuse('conflict', 'Start the setup of the app first, without a code.')
    const step = stepOfCode(ctx.sealer.open(account.totpPendingSealed), code, ctx.now, 0)
    if (step === undefined)
      throw invalid([{ path: 'code', message: 'Must be the code that the app shows now.' }])
    await updateAccountRow(tx, accountId, {
      totpSealed: account.totpPendingSealed,
      totpPendingSealed: null,
      totpStep: step,
      recoveryHashes: hashes,
    })
    await endOlderRequests(tx, accountId)
    await recordAccess(tx, accountId, ctx.now, 'authenticator app added')
    return renewSession(tx, sessionId, { now: ctx.now, strong: true })
  })
  return { recoveryCodes: codes, session }
}

/** Removes the app, and the recovery codes when no other factor is left. */
export async function deleteTotp(ctx: SessionContext): Promise<void> {
  const { accountId } = requireSignedIn(ctx)
  await ctx.transaction(async (tx) => {
    const account = await getOwnCredentials(tx, ctx)
    if (!account.totpSealed) refuse('not_found', 'No authenticator app is set up.')
    await updateAccountRow(tx, accountId, NO_APP)
    await deleteUnusedCodes(tx, accountId)
    await endTrustInFactor(tx, ctx)
    await recordAccess(tx, accountId, ctx.now, 'authenticator app removed')
  })
}
