/**
 * Opens the database for the service: the records written with each transaction, and the required pooler
 * settings.
 */
import type { Tracing } from '../adapters/tracing/tracing.ts'
import { EVENTS } from '../catalog.ts'
import type { Clock } from '../core/clock.ts'
import type { Installation, Unit } from '../core/context.ts'
import { createSealer, erasureKeyOf } from '../core/sealing.ts'
import { type OpenDatabase, openDatabase } from '../database/database.ts'
import { requireNamedStatements, requirePoolerSettings } from '../database/pooler-settings.ts'
import type { Recording } from '../database/tenant-transactions.ts'
import type { Listeners } from '../modules/automating/automations/listeners.ts'
import { automationFollower } from '../modules/automating/automations/operations/follow-events.ts'
import { recordTallies } from '../modules/messaging/broadcasts/work/record-tallies.ts'
import { recordResults } from '../modules/messaging/templates/work/record-results.ts'
import { eventRecorder } from '../modules/platform/webhooks/event-log/record-events.ts'
import { listWorkspacesById } from '../modules/platform/workspaces/queries/workspaces.ts'
import { recordCounts } from '../modules/reporting/analytics/record-counts.ts'
import { followMessages } from '../modules/selling/payments/operations/follow-messages.ts'
import { reviewFollower } from '../modules/selling/reviews/operations/follow-facts.ts'
import type { StartOptions } from './start-options.ts'

const CONNECTIONS = 12

/** The records written with every transaction; automations also react to events that reviews announce. */
export const transactionRecorders = (
  clock: Clock,
  listeners: Pick<Listeners, 'mayListen'>,
): Pick<Recording, 'follow' | 'recordEvents' | 'recordCounts'> => ({
  follow: followersInTurn(
    reviewFollower({
      clock,
      workspaces: (unit, ids) => listWorkspacesById(unit.tx.sql, ids),
    }),
    automationFollower({ clock, listeners }),
  ),
  recordEvents: eventRecorder(clock, EVENTS),
  recordCounts: (unit) =>
    Promise.all([recordCounts(unit), recordTallies(unit), recordResults(unit), followMessages(unit)]),
})

const followersInTurn =
  (first: NonNullable<Recording['follow']>, last: (unit: Unit) => void): NonNullable<Recording['follow']> =>
  (unit) => {
    const firstResult = first(unit)
    if (firstResult) return firstResult.then(() => last(unit))
    last(unit)
    return undefined
  }

const installationOf = ({
  secretKey,
  config: { siteUrl, mail, ownersChangeModules },
}: StartOptions): Installation => ({
  siteUrl,
  sealer: createSealer(secretKey),
  erasureKey: erasureKeyOf(secretKey),
  sendsMail: mail !== undefined,
  ownersChangeModules,
  eventKinds: EVENTS,
})

/** Opens the database. `followers` receive the work that a commit made due, and its events for the log. */
export async function openServiceDatabase(
  options: StartOptions & { tracing: Tracing | undefined },
  clock: Clock,
  listeners: Listeners,
  followers: Required<Pick<Recording, 'onCommit' | 'onEvents'>>,
): Promise<OpenDatabase> {
  const { tracing } = options
  const recorders = transactionRecorders(clock, listeners)
  const { pooler, cell } = options.config
  const database = openDatabase({
    url: options.databaseUrl,
    connections: CONNECTIONS,
    limits: options.databaseLimits,
    pooler,
    installation: installationOf(options),
    onError: (error) => options.log.warn({ err: error }, 'database connection lost'),
    ...(tracing?.recording(recorders) ?? recorders),
    onLogged: (lines) => {
      for (const { message, fields } of lines) options.log.warn(fields, message)
    },
    ...followers,
  })
  if (pooler?.namedStatements) await requireNamedStatements(options.databaseUrl)
  if (pooler) await requirePoolerSettings(database.query, cell)
  return tracing?.database(database) ?? database
}
