/** The database as the service uses it: what is written with the facts of a transaction, and what a pooler must be set to. */
import { EVENTS } from '../catalog.ts'
import type { Clock } from '../core/clock.ts'
import { erasureKeyOf } from '../core/sealing.ts'
import { type OpenDatabase, openDatabase } from '../database/database.ts'
import { requireNamedStatements, requirePoolerSettings } from '../database/pooler-settings.ts'
import type { Recording } from '../database/tenant-transactions.ts'
import { recordCounts } from '../modules/analytics/record-counts.ts'
import { recordTallies } from '../modules/broadcasts/work/record-tallies.ts'
import { followMessages } from '../modules/payments/operations/follow-messages.ts'
import { reviewFollower } from '../modules/reviews/operations/follow-facts.ts'
import { eventRecorder } from '../modules/webhooks/event-log/record-events.ts'
import { listWorkspacesById } from '../modules/workspaces/queries/workspaces.ts'
import type { StartOptions } from './start-options.ts'

const CONNECTIONS = 12

type Follower = NonNullable<Recording['follow']>

/** Those whom what was announced concerns. */
const followers =
  (all: Follower[]): Follower =>
  (unit) => {
    const concerned = all.flatMap((follow) => follow(unit) ?? [])
    return concerned.length === 0 ? undefined : Promise.all(concerned).then(() => {})
  }

const following = (clock: Clock): Follower => {
  const of = {
    clock,
    workspaces: (unit: Parameters<Follower>[0], ids: string[]) => listWorkspacesById(unit.tx.sql, ids),
  }
  return followers([reviewFollower(of)])
}

/** What is written with the facts of every transaction. */
export const writtenBesideFacts = (
  clock: Clock,
): Pick<Recording, 'follow' | 'recordEvents' | 'recordCounts'> => ({
  follow: following(clock),
  recordEvents: eventRecorder(clock, EVENTS),
  recordCounts: (unit) => Promise.all([recordCounts(unit), recordTallies(unit), followMessages(unit)]),
})

/** `followers` hear what a commit made due, and what it wrote into the log. */
export async function openServiceDatabase(
  options: StartOptions,
  clock: Clock,
  followers: Required<Pick<Recording, 'onCommit' | 'onEvents'>>,
): Promise<OpenDatabase> {
  const { pooler } = options.config
  const database = openDatabase({
    url: options.databaseUrl,
    connections: CONNECTIONS,
    limits: options.databaseLimits,
    pooler,
    erasureKey: erasureKeyOf(options.secretKey),
    siteUrl: options.config.siteUrl,
    onError: (error) => options.log.warn({ err: error }, 'a database connection was lost'),
    ...writtenBesideFacts(clock),
    ...followers,
  })
  if (pooler?.namedStatements) await requireNamedStatements(options.databaseUrl)
  if (pooler) await requirePoolerSettings(database.query)
  return database
}
