import type { Compilable } from 'kysely'
import type { Clock } from './clock.ts'
import type { PendingCount } from './count.ts'
import type { PendingEvent, Retraction } from './event.ts'

export const ROLES = ['viewer', 'agent', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Whether `role` is at least `lowest` (viewer < agent < admin). */
export const roleReaches = (role: Role, lowest: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(lowest)

export type Plan = 'free' | 'pro' | 'enterprise' | 'unlimited'

/** A workspace as every operation sees it: its settings, never its data. */
export type Workspace = {
  id: string
  name: string
  plan: Plan
  sandbox: boolean
  /** Calling code without +, for numbers written without one. */
  countryCode: string
  timezone: string
  clockOffsetMs: number
  leadCapture: boolean
  captureToken: string
  socialAddon: boolean
  socialEnabled: boolean
  modules: string[]
  /** Null: no limit. */
  contactLimit: number | null
  messageAllowance: number | null
  /** Marketing templates that campaigns send one person at most in 24 hours. */
  marketingCap: number
  /** Days in which somebody who never wrote and did not answer a campaign is left alone. */
  coolOffDays: number
  /** Hours that a follow-up comes at least after the campaign that it follows. */
  followUpHours: number
  /** Its prepaid money is used up, and nothing is to be sent without it. */
  walletEmpty: boolean
  /** It has auto-replies or bots that are on: what customers write may be answered without a person. */
  answersItself: boolean
  /** People mapped submissions at its capture link by hand: the next ones are read by that. */
  mapsCaptures: boolean
  createdAt: Date
}

/** An authenticated API key. `scopes` null: all that the role allows. */
export type KeyActor = {
  kind: 'key'
  keyId: string
  memberId: string | null
  label: string
  role: Role
  scopes: string[] | null
  expiresAt: Date | null
}
/** A member, by their session; `strong` when a second factor was given. */
export type MemberActor = {
  kind: 'member'
  memberId: string
  name: string
  role: Role
  owner: boolean
  strong: boolean
  /** When they last showed who they are, in real time. */
  confirmedAt: Date
}
export type Actor = KeyActor | { kind: 'platform' } | MemberActor

/** Which way the change came in; several events fire or not by it (spec 6.3). */
export type Via = 'api' | 'dashboard' | 'import' | 'platform' | 'sandbox'

/** The rule of a workspace by which the platform acts, and those that led to it (docs/decisions/automations.md). */
export type Cause = {
  automationId: string
  name: string
  runId: string
  /** The ids of the automations that caused what is done, the first first; its own is the last. */
  chain: readonly string[]
}

/** Anything that compiles to SQL: a query builder or a `sql` template. */
export type Statement<Row> = Compilable<Row>

/**
 * One open transaction. Every statement is prepared once under a name made from its text.
 * Column names come back in camelCase.
 */
export type Tx = {
  /** All rows. */
  all<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The first row, or undefined. */
  first<Row>(statement: Statement<Row>): Promise<Row | undefined>
  /** Runs a write and says how many rows it touched. */
  run(statement: Statement<unknown>): Promise<number>
  /** A hand-written hot statement with `$1…` parameters. */
  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]>
}

/** One line of the log: what happened, and ids of what it happened to. Never what a customer wrote. */
export type LogLine = { message: string; fields: Record<string, string | number | null> }

/** What one transaction gathers until it commits. */
export type Unit = {
  tx: Tx
  /** Events to write with the facts, in order. */
  outbox: PendingEvent[]
  /** What the log of events is to lose. */
  retractions: Retraction[]
  /** What to count with the facts. */
  counts: PendingCount[]
  /** Lines that the log gets after the commit. */
  logged: LogLine[]
  /** Background work to wake after the commit, by source name. */
  wakes: Set<string>
  /** Keys the hashes by which what was erased is known again; it is not in the database. */
  erasureKey: Buffer
  /** The address of the service, without a slash at the end: what customers open lies below it. */
  siteUrl: string
  /** Statements that go out in one round trip with the commit (`beforeCommit`). */
  closing: Promise<unknown>[]
}

/**
 * Lets the commit follow a last statement without waiting for its answer. Only for statements that
 * PostgreSQL itself fails when something is wrong: a failed one turns the commit into a rollback.
 */
export function beforeCommit(unit: Pick<Unit, 'closing'>, statement: Promise<unknown>): void {
  // Its failure is met at the commit.
  statement.catch(() => {})
  unit.closing.push(statement)
}

/** Inside a transaction: who asks, for which workspace, at what moment. No way out to the network. */
export type Context = Unit & {
  workspace: Workspace
  actor: Actor
  via: Via
  /** Read once when the transaction opens, in the workspace's time. */
  now: Date
  /** Where the platform acts by a rule. */
  cause?: Cause
}

/** `lastly` is called in the transaction of the last move, with what comes of it. */
export type Advance = {
  seconds: number
  callerLeft: AbortSignal
  lastly(tx: Tx, advanced: Advanced): Promise<void>
}
/** The new time, and how much of what was asked for is left. */
export type Advanced = { now: Date; remainingMs: number }

/** What an `outside` operation may call; the composition root provides it. Ports add what they offer. */
export interface Outside {
  /** Refuses (`invalid`, naming `field`) an address that webhooks must not reach, as far as that needs no look-up. */
  refuseWebhookAddress(url: string, field: string): void
  /** The same with the look-up. One check of a workspace runs at a time; too many at once are `rate_limited`. */
  checkWebhookAddress(workspace: Workspace, url: string, field: string): Promise<void>
  /**
   * Moves a sandbox's clock and runs what falls due on the way. There is an end to one call, and it ends when its caller has
   * left. Refuses `invalid`, and `rate_limited` while others move the clock.
   */
  advanceClock(workspace: Workspace, asked: Advance): Promise<Advanced>
  /** Has an update of the intake (by its id) applied, and waits for it; not for ever. */
  applyUpdate(workspace: Workspace, id: string): Promise<void>
}

/** What may be asked of the outside outside of a transaction. */
export type AskingContext = { workspace: Workspace; actor: Actor; outside: Outside }

/** Before the transaction of a request: what is read first has a transaction of its own. */
export type PrepareContext = AskingContext & {
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** An operation that must answer with the outside's word: record the intent, call, record the outcome. */
export type OutsideContext = {
  workspace: Workspace
  actor: Actor
  clock: Clock
  outside: Outside
  /**
   * The same for a request and its retries under one Idempotency-Key; null without a key. Who records an intent under it
   * finds it again when the first attempt died between its call and its answer.
   */
  requestKey: string | null
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/**
 * A request that only reads: a statement of it is given up long before one that writes would be, unless it `mayTakeLong`, and
 * all of it once its caller has left.
 */
export type Reading = { callerLeft: AbortSignal; mayTakeLong: boolean }

/** The database as background work sees it. */
export type Database = {
  /** A transaction held by row-level security to `workspaces`. Events and wakes are settled at its commit. */
  tenant<T>(
    workspaces: Workspace | Workspace[],
    work: (unit: Unit) => Promise<T>,
    reading?: Reading,
  ): Promise<T>
  /** The same for ids whose settings are not needed. */
  tenantIds<T>(workspaceIds: string[], work: (unit: Unit) => Promise<T>): Promise<T>
  /** A transaction of the platform itself, across workspaces: claims, settings, migrations. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement of the platform itself, outside a transaction. */
  query<Row>(text: string, parameters?: unknown[]): Promise<Row[]>
}

/** One statement of the platform itself, as queries that belong to no tenant take it. */
export type Query = Database['query']

/** A context for work that the platform does by itself in `workspace`. */
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

/** Wakes background work once this transaction has committed. */
export const wake = (ctx: { wakes: Set<string> }, source: string): void => {
  ctx.wakes.add(source)
}
