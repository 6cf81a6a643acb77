/** What the dashboard knows of who is signed in (docs/decisions/dashboard-sessions.md). */
import { randomBytes } from 'node:crypto'
import { MINUTE_MS } from './clock.ts'
import type { MemberActor, Outside, Tx, Workspace } from './context.ts'
import { sha256 } from './digest.ts'
import type { Sealer } from './sealing.ts'

/** A session as the browser is given it; only the hash of its token is stored. */
export type NewSession = { token: string; expiresAt: Date }

/** Where a request comes from, as the activity log and the list of sessions show it. */
export type RequestOrigin = { address: string; device: string }

/** The workspace that a request names, and who its caller is there. */
export type Membership = { workspace: Workspace; actor: MemberActor }

export type SignedIn = {
  sessionId: string
  accountId: string
  confirmedAt: Date
  /** Whether a second factor was given. */
  strong: boolean
  /** Null when the request names no workspace. */
  membership: Membership | null
}

/** A request about an account. `now` is real time. */
export type SessionContext = {
  /** Null where nobody need be signed in and nobody is. */
  signedIn: SignedIn | null
  origin: RequestOrigin
  /** Whom failures count for: the address, or its network in IPv6. */
  sender: string
  now: Date
  siteUrl: string
  sealer: Sealer
  outside: Outside
  /** As the platform: statements of the module that owns the tables, nobody else's. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  workspace(id: string): Promise<Workspace | undefined>
  /** Lets something go on after the answer; its failure is logged. */
  afterwards(work: Promise<unknown>): void
}

/** For how long after a sign-in or a confirmation what is marked `fresh` is open. */
export const FRESH_MS = 10 * MINUTE_MS

const TOKEN_BYTES = 32

/** A token that is good for whoever holds it: 32 random bytes. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is stored of a token. */
export const hashToken = (token: string): Buffer => sha256(token)
