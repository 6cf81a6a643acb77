/** Applies claimed updates: reads them, looks up missing data, and applies them in one transaction. */
import { type Clock, later, SECOND_MS } from '../../../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { storableText } from '../../../../core/values/storable.ts'
import type { SocialAccount, SocialNetwork, SocialReport } from '../../../../social-network/port.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import type { AccountRow } from '../operations/accounts.ts'
import { listAccountsById } from '../queries/accounts.ts'
import { applyReports, type ReportsOf } from './operations/apply-reports.ts'
import { type LookUpResult, lookUp, mentionKey, readKnown } from './operations/look-up-missing-data.ts'
import { type ClaimedUpdate, deleteClaimed, insertSocialUpdate, setBackUpdate } from './queries/updates.ts'

export type ApplyOptions = {
  database: Database
  clock: Clock
  network: SocialNetwork
  /** Returns a stored account for calls; undefined if it is disconnected. */
  openAccount(record: AccountRow): SocialAccount | undefined
  /** Translates the network's format. Throws SyntaxError for a body in another format. */
  readReports(raw: Buffer, account: AccountRow, receivedAt: Date): SocialReport[]
  /** Splits a body into its mentions and the rest. */
  splitReports(raw: Buffer): { rest: Buffer; mentions: Buffer }
  /** Called for reports on which Parley does not act, with only their field. */
  onUnknownReport(workspaceId: string, field: string): void
  onError(error: unknown): void
  pause(ms: number): Promise<unknown>
}

/** An update with its reports. */
type ReadUpdate = { row: ClaimedUpdate; of: ReportsOf }

/** Waits before each further attempt; after the last one, an update is set aside with its error. */
const RETRY_SECONDS = [2, 10, 60, 300, 1_800, 7_200, 21_600]
/** The number of requests for the text of a mention before it is stored without text. */
const MENTION_TRIES = 4

/** Applies the claimed updates of a workspace. Failed ones are put back; rejects only if even that fails. */
export async function applyClaimed(
  options: ApplyOptions,
  workspace: Workspace,
  rows: ClaimedUpdate[],
): Promise<void> {
  const accountIds = [...new Set(rows.map((row) => row.accountId))]
  const records = await listAccountsById(options.database.query, workspace.id, accountIds)
  const accounts = new Map(records.map((account) => [account.id, account]))
  const read: ReadUpdate[] = []
  for (const row of rows) {
    const readUpdate = readOne(options, row, accounts.get(row.accountId))
    if (readUpdate instanceof Error) await setBack(options, row, readUpdate)
    else read.push(readUpdate)
  }
  for (const [accountId, reads] of Map.groupBy(read, ({ row }) => row.accountId)) {
    const record = accounts.get(accountId)
    const account = record?.state === 'connected' ? options.openAccount(record) : undefined
    await applyOrPart(options, { workspace, account }, reads)
  }
}

type Place = { workspace: Workspace; account: SocialAccount | undefined }

function readOne(
  options: ApplyOptions,
  row: ClaimedUpdate,
  account: AccountRow | undefined,
): ReadUpdate | Error {
  if (!account) return new SyntaxError("This account doesn't exist anymore.")
  try {
    const reports = options.readReports(row.raw, account, row.receivedAt)
    const { username } = account
    return { row, of: { updateId: row.id, accountId: row.accountId, username, reports } }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Applies all together; after a failure, applies each alone, because one of them may be the cause. */
async function applyOrPart(options: ApplyOptions, place: Place, read: ReadUpdate[]): Promise<void> {
  try {
    await applyAll(options, place, read)
  } catch (error) {
    if (read.length === 1) return setBack(options, read[0]!.row, error)
    for (const readUpdate of read) await applyOrPart(options, place, [readUpdate])
  }
}

/**
 * Applies updates in the transaction that removes them, so that a failure changes nothing. Updates with a
 * mention whose text is not available yet are put back, and others do not wait for them.
 */
async function applyAll(
  options: ApplyOptions,
  { workspace, account }: Place,
  read: ReadUpdate[],
): Promise<void> {
  const { database, clock, network, pause } = options
  const inTransaction = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
    database.tenant(workspace, (unit) => work(platformContext(unit, workspace, clock)))
  const reports = read.flatMap(({ of }) => of.reports)
  const knownData = await inTransaction((ctx) => readKnown(ctx, reports))
  const found = await lookUp(reports, knownData, { network, account, pause })
  const earlyUpdates = account ? read.filter((readUpdate) => isTooEarly(readUpdate, found)) : []
  const ready = read.filter((readUpdate) => !earlyUpdates.includes(readUpdate))
  if (ready.length > 0)
    await inTransaction(async (ctx) => {
      // Holds off erasures, which lock chats and linked leads in another order.
      await holdOffErasures(ctx)
      const isOurs = await deleteClaimed(
        ctx.tx,
        ready.map(({ row }) => row),
      )
      if (!isOurs) throw new Error('another process claimed the updates')
      await applyReports(
        ctx,
        ready.map(({ of }) => of),
        found,
      )
    })
  for (const report of ready.flatMap(({ of }) => of.reports))
    if (report.kind === 'unrecognized') options.onUnknownReport(workspace.id, report.field)
  const why = new Error('the network did not return the text of a mention')
  for (const { row, of } of earlyUpdates)
    if (of.reports.every(isMention)) await setBack(options, row, why)
    else await part(options, workspace, row)
}

const isMention = (report: SocialReport): boolean => report.kind === 'comment' && report.mention

/** Moves a body's mentions after the rest, so that the rest does not wait for them. */
const part = (
  { database, clock, splitReports }: ApplyOptions,
  { id: workspaceId }: Workspace,
  row: ClaimedUpdate,
): Promise<void> =>
  database.tenantIds([workspaceId], async ({ tx }) => {
    if (!(await deleteClaimed(tx, [row]))) return
    const { rest, mentions } = splitReports(row.raw)
    const { accountId, receivedAt } = row
    const now = clock.now()
    const retryAt = later(now, RETRY_SECONDS[0]! * SECOND_MS)
    const common = { workspaceId, accountId, receivedAt }
    await insertSocialUpdate(tx.sql, { ...common, id: newId(), raw: rest, runAt: now })
    await insertSocialUpdate(tx.sql, { ...common, id: newId(), raw: mentions, runAt: retryAt })
  })

/** Returns whether the text of a mention may be available later. */
const isTooEarly = ({ row, of }: ReadUpdate, found: LookUpResult): boolean =>
  row.attempts <= MENTION_TRIES &&
  of.reports.some(
    (report) => report.kind === 'comment' && report.mention && !found.mentions.has(mentionKey(report)),
  )

/** Puts an update back for another attempt, or sets it aside. */
async function setBack(options: ApplyOptions, row: ClaimedUpdate, error: unknown): Promise<void> {
  options.onError(error)
  // A body in another format than the network's will never parse, so it is not retried.
  const seconds = error instanceof SyntaxError ? undefined : RETRY_SECONDS[row.attempts - 1]
  const now = options.clock.now()
  await setBackUpdate(options.database.query, row, {
    error: storableText(error instanceof Error ? error.message : String(error)),
    runAt: later(now, (seconds ?? 0) * SECOND_MS),
    failedAt: seconds === undefined ? now : null,
  })
}
