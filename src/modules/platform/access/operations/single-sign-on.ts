/** Single sign-on at the identity provider of the installation (DECISIONS.md "Single sign-on"). */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Role, Tx } from '../../../../core/context.ts'
import { hashToken, type NewSession, newToken, type RequestOrigin } from '../../../../core/session.ts'
import { sameSecret } from '../../../../core/values/api-key.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import {
  type Identity,
  type IdentityProvider,
  type Joining,
  ProviderFault,
  type SignInChecks,
} from '../../../../identity-provider/port.ts'
import { addMember, isSuspended, setMember } from '../../workspaces/operations/workspace-members.ts'
import {
  type AccountRow,
  findAccountByEmail,
  findAccountForUpdate,
  joinAccount,
  listMembersByEmail,
  listMembersOfAccount,
} from '../queries/accounts.ts'
import { findAccountByIdentity, insertIdentity } from '../queries/identities.ts'
import { insertToken, takeToken } from '../queries/tokens.ts'
import { createAccount } from './accounts.ts'
import { replaceSession } from './start-session.ts'

const ATTEMPT_MS = 10 * MINUTE_MS

/** The reason for a refused sign-in; the sign-in page has a text for each. */
export type SignInProblem = 'late' | 'failed' | 'unverified' | 'unproven' | 'unknown'

/** Parley refuses a sign-in, also one that the provider has confirmed. */
export class SignInRefused extends Error {
  readonly problem: SignInProblem
  constructor(problem: SignInProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}

type Attempt = Omit<SignInChecks, 'state'> & { browser: string; next: string }

/**
 * Begins a sign-in: returns the address of the provider's page. `browser` is the secret in a cookie of the browser, so that an
 * answer is of use only there. `next` is the page to open afterwards.
 */
export async function beginSingleSignOn(
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  provider: IdentityProvider,
  { browser, next, now }: { browser: string; next: string; now: Date },
): Promise<string> {
  const checks = { state: newToken(), nonce: newToken(), verifier: newToken() }
  const url = await provider.signInUrl(checks)
  const attempt: Attempt = { nonce: checks.nonce, verifier: checks.verifier, browser, next }
  await transaction((tx) =>
    insertToken(tx, {
      hash: hashToken(checks.state),
      purpose: 'sso',
      challenge: JSON.stringify(attempt),
      expiresAt: later(now, ATTEMPT_MS),
      createdAt: now,
    }),
  )
  return url
}

export type Returning = {
  /** The address to which the provider sent the browser, with its query. */
  callback: URL
  /** The secret in the cookie of the browser. */
  browser: string | undefined
  origin: RequestOrigin
  now: Date
  /** The live session of the browser. */
  current: { id: string; accountId: string } | null
}

/** Finishes a sign-in: starts a session. Throws `SignInRefused`. */
export async function finishSingleSignOn(
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  provider: IdentityProvider,
  { callback, browser, origin, now, current }: Returning,
): Promise<NewSession & { next: string }> {
  const state = callback.searchParams.get('state') ?? ''
  const token = await transaction((tx) => takeToken(tx, 'sso', hashToken(state), now))
  const attempt = token?.challenge ? (JSON.parse(token.challenge) as Attempt) : undefined
  if (!attempt || browser === undefined || !sameSecret(attempt.browser, browser))
    throw new SignInRefused('late')
  const identity = await identityOf(provider, callback, { ...attempt, state })
  const session = await transaction(async (tx) => {
    const account = await accountOf(tx, identity, provider.joining, now)
    return replaceSession(tx, current, { accountId: account.id, method: 'sso', origin, now })
  })
  return { ...session, next: attempt.next }
}

async function identityOf(
  provider: IdentityProvider,
  callback: URL,
  checks: SignInChecks,
): Promise<Identity> {
  try {
    return await provider.identityOf(callback, checks)
  } catch (error) {
    if (error instanceof ProviderFault) throw new SignInRefused('failed', error)
    throw error
  }
}

/**
 * Returns the account of a person: the one they signed in to before, else the one with their email address, else a new one for
 * the members with that address, or for someone who may join.
 */
async function accountOf(
  tx: Tx,
  identity: Identity,
  joining: Joining | null,
  now: Date,
): Promise<AccountRow> {
  const known = await findAccountByIdentity(tx, identity)
  const role = joining ? roleOf(identity, joining) : undefined
  const account = known ?? (await linkAccount(tx, identity, role !== undefined, now))
  if (identity.email !== null) await joinByEmail(tx, account.id, identity.email)
  if (joining && role)
    await followRole(tx, account, identity, { workspaceId: joining.workspaceId, role, now })
  if ((await listMembersOfAccount(tx, account.id)).length === 0) throw new SignInRefused('unknown')
  return account
}

/** Returns the role that a person has in the workspace of new members; undefined if they may not join. */
function roleOf({ email, groups }: Identity, { domains, roles }: Joining): Role | undefined {
  const domain = email?.split('@').at(-1)?.toLowerCase()
  if (domain === undefined || !domains.includes(domain)) return undefined
  if (roles.length === 0) return 'agent'
  return roles.find(({ group }) => groups.includes(group))?.role
}

async function linkAccount(tx: Tx, identity: Identity, mayJoin: boolean, now: Date): Promise<AccountRow> {
  const { email, issuer, subject } = identity
  if (email === null) throw new SignInRefused('unverified')
  // Of two concurrent first sign-ins, the second finds the account of the first.
  await lockEmail(tx, email)
  const existing = await findAccountByEmail(tx, email)
  // Its creator may be someone else, who would keep their password for it.
  if (existing && !existing.emailProven) throw new SignInRefused('unproven')
  const account = existing ?? (await createFor(tx, identity, email, { mayJoin, now }))
  await insertIdentity(tx, { issuer, subject, accountId: account.id, createdAt: now })
  return account
}

/** Joins the members with the email address that have no account yet: they were invited or provisioned. */
async function joinByEmail(tx: Tx, accountId: string, email: string): Promise<void> {
  for (const { memberId } of await listMembersByEmail(tx, email)) await joinAccount(tx, memberId, accountId)
}

/** Creates an account for the members with its email address, or for someone who may join. */
async function createFor(
  tx: Tx,
  { name }: Identity,
  email: string,
  { mayJoin, now }: { mayJoin: boolean; now: Date },
): Promise<AccountRow> {
  const members = await listMembersByEmail(tx, email)
  if (members.length === 0 && !mayJoin) throw new SignInRefused('unknown')
  const created = await createAccount(tx, { email, name: name ?? members[0]?.name ?? email }, now)
  return (await findAccountForUpdate(tx, created.accountId))!
}

/** Adds the account to the workspace of new members, or gives its member there the role of its groups. */
async function followRole(
  tx: Tx,
  account: AccountRow,
  { email, name }: Identity,
  { workspaceId, role, now }: { workspaceId: string; role: Role; now: Date },
): Promise<void> {
  const members = await listMembersOfAccount(tx, account.id)
  const member = members.find((row) => row.workspaceId === workspaceId)
  const address = account.email ?? email!
  if (!member) {
    // The provider has deactivated the person over SCIM, and their session there may outlive that.
    if (await isSuspended(tx, workspaceId, { accountId: account.id, email: address })) return
    const added = await addMember(tx, { workspaceId, email: address, name: name ?? account.name, role }, now)
    await joinAccount(tx, added.memberId, account.id)
  } else if (!member.owner && member.role !== role) await setMember(tx, member.memberId, { role }, now)
}
