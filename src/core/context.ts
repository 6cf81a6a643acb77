import type { Compilable } from 'kysely'
import type { Clock } from './clock.ts'
import type { PendingCount } from './count.ts'
import type { EventKind, PendingEvent, Retraction } from './event.ts'
import type { Sealer } from './sealing.ts'
import type { Source } from './source.ts'
import type { Language } from './values/languages.ts'

export const ROLES = ['viewer', 'agent', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Whether `role` is at least `lowest` (viewer < agent < admin). */
export const roleReaches = (role: Role, lowest: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(lowest)

export type Plan = 'free' | 'pro' | 'enterprise' | 'unlimited'

/** A workspace as every operation receives it: its settings, without its data. */
export type Workspace = {
  id: string
  name: string
  plan: Plan
  sandbox: boolean
  /** Calling code without +, for numbers that are written without a country code. */
  countryCode: string
  timezone: string
  /** The language of texts for customers without a language of their own. */
  language: Language
  clockOffsetMs: number
  leadCapture: boolean
  captureToken: string
  socialAddon: boolean
  socialEnabled: boolean
  modules: string[]
  /** Null for no limit. */
  contactLimit: number | null
  messageAllowance: number | null
  /** Maximum number of marketing templates that campaigns send to one person in 24 hours. */
  marketingCap: number
  /** Days without campaigns for a person who never wrote and did not answer the last campaign. */
  coolOffDays: number
  /** Minimum hours between a campaign and its follow-up. */
  followUpHours: number
  /** The prepaid balance is used up, and the workspace may not send without it. */
  walletEmpty: boolean
  /** The workspace has active auto-replies or bots, so customers may be answered without a person. */
  answersItself: boolean
  /** Members receive push notifications in their browsers. */
  sendsPush: boolean
  /** Teammates mapped submissions at its capture link by hand; later submissions are read with that mapping. */
  mapsCaptures: boolean
  /** Roles from which customers' phone numbers and email addresses are hidden (core/customer-details.ts). */
  detailsHiddenFrom: Role[]
  createdAt: Date
}

/** An authenticated API key. `scopes` is null for a key that may do all that its role allows. */
export type KeyActor = {
  kind: 'key'
  keyId: string
  memberId: string | null
  label: string
  role: Role
  scopes: string[] | null
  expiresAt: Date | null
}
/** A member with a session; `strong` when they passed a second factor. */
export type MemberActor = {
  kind: 'member'
  memberId: string
  sessionId: string
  /** The browser, as it names itself. */
  device: string
  name: string
  role: Role
  owner: boolean
  strong: boolean
  /** When they last proved their identity, in real time. */
  confirmedAt: Date
}
export type Actor = KeyActor | { kind: 'platform' } | MemberActor

/** The channel of a change; several events depend on it (spec 6.3). */
export type Via = 'api' | 'dashboard' | 'import' | 'platform' | 'sandbox'

/**
 * The automation through which the platform acts, and those that led to it
 * (src/modules/automating/automations/DECISIONS.md).
 */
export type Cause = {
  automationId: string
  name: string
  runId: string
  /** The ids of the automations that caused the action, in order; the last is the acting one. */
  chain: readonly string[]
}

/** Anything that compiles to SQL: a query builder or a `sql` template. */
export type Statement<Row> = Compilable<Row>

/**
 * An open transaction. Each statement is prepared once, under a name derived from its text. Column names are returned in
 * camelCase.
 */
export type Tx = {
  /** Returns all rows. */
  all<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Returns the first row, or undefined. */
  first<Row>(statement: Statement<Row>): Promise<Row | undefined>
  /** Runs a write and returns the number of affected rows. */
  run(statement: Statement<unknown>): Promise<number>
  /** Runs a hand-written hot statement with `$1…` parameters. */
  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]>
}

/** One log line: the fact and the ids of the things concerned. It never contains text of customers. */
export type LogLine = { message: string; fields: Record<string, string | number | null> }

/** Facts and secrets of the installation, the same in every context. */
export type Installation = {
  /** Base URL of the service, without a slash at the end; public pages are below it. */
  siteUrl: string
  /** Encrypts secrets that must be read back. */
  sealer: Sealer
  /** Key of the hashes that recognize erased ids and numbers. It is not in the database. */
  erasureKey: Buffer
  /** Whether Parley sends mail. */
  sendsMail: boolean
  /** Whether the owner of a workspace may turn its modules on and off. */
  ownersChangeModules: boolean
  /** Every event of the service. */
  eventKinds: readonly EventKind[]
}

/** Everything that one transaction gathers until it commits. */
export type Unit = Installation & {
  tx: Tx
  /** Events to write together with the facts, in order. */
  outbox: PendingEvent[]
  /** Personal data to remove from the event log. */
  retractions: Retraction[]
  /** Facts to count, in the same transaction. */
  counts: PendingCount[]
  /** Lines to log after the commit. */
  logged: LogLine[]
  /** Background work to wake after the commit, by source name. */
  wakes: Set<string>
  /** Statements that are sent in one round trip with the commit (`beforeCommit`). */
  closing: Promise<unknown>[]
  /** Called with the messages that the transaction queues. Only a process that exports traces sets it. */
  onQueued?(messageIds: readonly string[]): void
}

/**
 * Sends the commit without waiting for the answer to a last statement. Only for statements that fail in PostgreSQL when
 * something is wrong: a failed statement turns the commit into a rollback.
 */
export function beforeCommit(unit: Pick<Unit, 'closing'>, statement: Promise<unknown>): void {
  // The commit reports its failure.
  statement.catch(() => {})
  unit.closing.push(statement)
}

/** State inside a transaction: the caller, the workspace, and the moment. It has no access to the network. */
export type Context = Unit & {
  workspace: Workspace
  actor: Actor
  via: Via
  /** Read once when the transaction opens, in the workspace's time. */
  now: Date
  /** Set when the platform acts through an automation. */
  cause?: Cause
  /** The part of Parley that acts, if neither the actor nor the automation is meant. */
  source?: Source
}

/** `lastly` runs in the transaction of the last move, with the result of the move. */
export type Advance = {
  seconds: number
  callerLeft: AbortSignal
  lastly(tx: Tx, advanced: Advanced): Promise<void>
}
/** The new time, and the remainder of the requested milliseconds. */
export type Advanced = { now: Date; remainingMs: number }

/** Calls that an `outside` operation may make. The composition root provides them; ports add their own. */
export interface Outside {
  /** Refuses (`invalid`, naming `field`) an address that webhooks must not reach, without a DNS look-up. */
  refuseWebhookAddress(url: string, field: string): void
  /** Does the same with a DNS look-up. A workspace runs one check at a time; too many in all are `rate_limited`. */
  checkWebhookAddress(workspace: Workspace, url: string, field: string): Promise<void>
  /**
   * Moves a sandbox's clock and runs the work that falls due on the way. A call ends after a limited time, or when its caller
   * disconnects. Refuses `invalid`, and `rate_limited` while other calls move the clock.
   */
  advanceClock(workspace: Workspace, advance: Advance): Promise<Advanced>
  /** Has a stored update of the intake (by its id) applied, and waits for it for a limited time. */
  applyUpdate(workspace: Workspace, id: string): Promise<void>
}

/** Context before the transaction of a request; reads at this stage have their own transaction. */
export type PrepareContext = {
  workspace: Workspace
  actor: Actor
  outside: Outside
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** Context of an operation whose reply needs the outside's answer: it records the intent, calls, and records the outcome. */
export type OutsideContext = {
  workspace: Workspace
  actor: Actor
  clock: Clock
  outside: Outside
  /**
   * The same value for a request and its retries under one Idempotency-Key; null without a key. An intent that is stored under
   * it is found by a retry when the first attempt died between its call and its answer.
   */
  requestKey: string | null
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/**
 * A request that only reads. Its statements time out much sooner than those of writes, and are canceled when the caller
 * disconnects.
 */
export type Reading = { callerLeft: AbortSignal }

/** The database as background work uses it. */
export type Database = {
  /** Runs a transaction that row-level security limits to `workspaces`. Events and wakes are handled at its commit. */
  tenant<T>(
    workspaces: Workspace | Workspace[],
    work: (unit: Unit) => Promise<T>,
    reading?: Reading,
  ): Promise<T>
  /** Does the same for workspace ids, without reading their settings. */
  tenantIds<T>(workspaceIds: string[], work: (unit: Unit) => Promise<T>): Promise<T>
  /** Runs a transaction of the platform itself, across workspaces: claims, settings, migrations. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs a transaction of the platform that creates or drops tables. */
  define<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs one statement of the platform itself, outside a transaction. */
  query<Row>(text: string, parameters?: unknown[]): Promise<Row[]>
}

/** Runs one statement of the platform itself, in queries that belong to no tenant. */
export type Query = Database['query']

/** Returns the context of work that the platform itself does in `workspace`. */
export const platformContext = (
  unit: Unit,
  workspace: Workspace,
  clock: Clock,
  via: Via = 'platform',
): Context => ({
  ...unit,
  workspace,
  actor: { kind: 'platform' },
  via,
  now: new Date(clock.now().getTime() + workspace.clockOffsetMs),
})

/** Wakes background work after this transaction has committed. */
export const wake = (ctx: { wakes: Set<string> }, source: string): void => {
  ctx.wakes.add(source)
}
