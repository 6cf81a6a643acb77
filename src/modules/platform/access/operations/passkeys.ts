/** Passkeys. A passkey has a key and verifies its person, and so counts as two factors. */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { hashToken, type NewSession, newToken, type SessionContext } from '../../../../core/session.ts'
import { findAccountForUpdate } from '../queries/accounts.ts'
import {
  deletePasskey,
  findPasskeyForUpdate,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  updatePasskeyUse,
} from '../queries/passkeys.ts'
import { insertToken, takeToken } from '../queries/tokens.ts'
import { endOlderRequests, endTrustInFactor, getOwnCredentials, getOwnForNewFactor } from './own-account.ts'
import { requireSignedIn } from './read-session.ts'
import { recordAccess } from './record-access.ts'
import { createFirstCodes, deleteUnusedCodes } from './recovery-codes.ts'
import { refuseIfProviderOnly } from './refuse-if-provider-only.ts'
import { enter } from './sign-in.ts'
import { renewSession } from './start-session.ts'

const CHALLENGE_MS = 5 * MINUTE_MS
const MAX_PASSKEYS = 20

// Loaded on demand: loading is slow, and most processes never need it.
const library = () => import('@simplewebauthn/server')

/** Returns whether passkeys work on the site: browsers require a domain name and a secure connection. */
export function passkeysWork(siteUrl: string): boolean {
  const { hostname, protocol } = new URL(siteUrl)
  return hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname))
}

function partyOf({ siteUrl }: SessionContext) {
  if (!passkeysWork(siteUrl))
    refuse('not_available', 'Passkeys require an https address with a host name. Set PARLEY_SITE_URL to one.')
  return { rpID: new URL(siteUrl).hostname, expectedOrigin: siteUrl }
}

/** Stores a challenge, which can be answered once within five minutes. */
async function keepChallenge(ctx: SessionContext, tx: Tx, challenge: string, accountId: string | null) {
  const ticket = newToken()
  await insertToken(tx, {
    hash: hashToken(ticket),
    purpose: 'passkey',
    accountId,
    challenge,
    expiresAt: later(ctx.now, CHALLENGE_MS),
    createdAt: ctx.now,
  })
  return ticket
}

async function takeChallenge(ctx: SessionContext, ticket: string, accountId: string | null): Promise<string> {
  const token = await ctx.transaction((tx) => takeToken(tx, 'passkey', hashToken(ticket), ctx.now))
  if (!token?.challenge || token.accountId !== accountId)
    return refuse('sign_in_refused', 'This took too long. Start again.')
  return token.challenge
}

/** Returns the options with which a browser creates a passkey. */
export async function beginPasskey(ctx: SessionContext) {
  const { accountId } = requireSignedIn(ctx)
  const { rpID } = partyOf(ctx)
  const { generateRegistrationOptions } = await library()
  return ctx.transaction(async (tx) => {
    const account = await getOwnForNewFactor(tx, ctx)
    const existing = await listPasskeys(tx, accountId)
    if (existing.length >= MAX_PASSKEYS)
      refuse('conflict', `An account can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`)
    const options = await generateRegistrationOptions({
      rpName: 'Parley',
      rpID,
      userID: Buffer.from(accountId),
      userName: account.email ?? account.name,
      userDisplayName: account.name,
      attestationType: 'none',
      excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { options, ticket: await keepChallenge(ctx, tx, options.challenge, accountId) }
  })
}

type Answer = { ticket: string; response: unknown }

/**
 * Stores the passkey that the browser created and makes the session strong. Returns recovery codes with the
 * first factor.
 */
export async function finishPasskey(
  ctx: SessionContext,
  { ticket, response, name }: Answer & { name: string },
) {
  const { accountId, sessionId } = requireSignedIn(ctx)
  const { rpID, expectedOrigin } = partyOf(ctx)
  await ctx.transaction((tx) => getOwnForNewFactor(tx, ctx))
  const expectedChallenge = await takeChallenge(ctx, ticket, accountId)
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo)
    throw invalid([{ path: 'response', message: 'Must be the response of a new passkey.' }])
  const { id, publicKey, counter, transports } = registrationInfo.credential
  const passkeyId = newId()
  const { session, recoveryCodes } = await ctx.transaction(async (tx) => {
    // Another factor may have been added since the first check.
    const account = await getOwnForNewFactor(tx, ctx)
    const created = await insertPasskey(tx, {
      id: passkeyId,
      accountId,
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: transports ?? [],
      name,
      createdAt: ctx.now,
    })
    if (created === 0) refuse('conflict', 'This passkey is already registered.')
    await endOlderRequests(tx, accountId)
    await recordAccess(tx, accountId, ctx.now, 'passkey added')
    return {
      recoveryCodes: await createFirstCodes(tx, account),
      session: await renewSession(tx, sessionId, { now: ctx.now, strong: true }),
    }
  })
  return { passkey: { id: passkeyId, name, createdAt: ctx.now.toISOString() }, recoveryCodes, session }
}

/** Removes a passkey of the caller's account. */
export async function removePasskey(ctx: SessionContext, id: string): Promise<void> {
  const { accountId } = requireSignedIn(ctx)
  await ctx.transaction(async (tx) => {
    await getOwnCredentials(tx, ctx)
    if (!isUuid(id) || !(await deletePasskey(tx, accountId, id)))
      refuse('not_found', `Passkey ${id} not found.`)
    await deleteUnusedCodes(tx, accountId)
    await endTrustInFactor(tx, ctx)
    await recordAccess(tx, accountId, ctx.now, 'passkey removed')
  })
}

/**
 * Returns the options with which a browser asks for a passkey. The passkey in the answer identifies the
 * account.
 */
export async function passkeySignInOptions(ctx: SessionContext) {
  const { rpID } = partyOf(ctx)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
  return { options, ticket: await ctx.transaction((tx) => keepChallenge(ctx, tx, options.challenge, null)) }
}

const REFUSED = 'No account uses this passkey. Sign in another way.'

/** Verifies a passkey's answer, in the transaction that counts the passkey's use. */
async function verify(
  ctx: SessionContext,
  tx: Tx,
  { response, challenge }: { response: unknown; challenge: string },
) {
  const { rpID, expectedOrigin } = partyOf(ctx)
  const { verifyAuthenticationResponse } = await library()
  const assertion = response as AuthenticationResponseJSON
  const passkey = await findPasskeyForUpdate(tx, Buffer.from(assertion.id, 'base64url'))
  if (!passkey) return refuse('sign_in_refused', REFUSED)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertion,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: credentialOf(passkey),
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) return refuse('sign_in_refused', REFUSED)
  await updatePasskeyUse(tx, passkey.id, authenticationInfo.newCounter, ctx.now)
  return passkey
}

const credentialOf = ({ credentialId, publicKey, counter, transports }: PasskeyRow) => ({
  id: credentialId.toString('base64url'),
  publicKey: new Uint8Array(publicKey),
  counter: Number(counter),
  transports: transports as AuthenticatorTransport[],
})

/** Signs in to the account of the passkey. Failed passwords don't block a passkey. */
export async function signInByPasskey(
  ctx: SessionContext,
  { ticket, response }: Answer,
): Promise<{ session: NewSession }> {
  refuseIfProviderOnly(ctx)
  const challenge = await takeChallenge(ctx, ticket, null)
  return ctx.transaction(async (tx) => {
    const { accountId } = await verify(ctx, tx, { response, challenge })
    const account = await findAccountForUpdate(tx, accountId)
    const outcome = account && (await enter(tx, ctx, account, 'passkey'))
    return outcome && 'session' in outcome ? outcome : refuse('sign_in_refused', REFUSED)
  })
}

/** Confirms that the caller still has a passkey of their account. */
export async function confirmByPasskey(ctx: SessionContext, { ticket, response }: Answer): Promise<void> {
  const { accountId } = requireSignedIn(ctx)
  const challenge = await takeChallenge(ctx, ticket, null)
  const passkey = await ctx.transaction((tx) => verify(ctx, tx, { response, challenge }))
  if (passkey.accountId !== accountId) refuse('sign_in_refused', REFUSED)
}
