/** Applies what the operator told us: stored first, worked on here, each change once (FORMATS section 1). */
import { type Clock, later, SECOND_MS } from '../../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { NumberReports } from '../../../operator/port.ts'
import { applyInbound, type InboundItem } from '../operations/apply-inbound.ts'
import { applyReceipts, type ReceiptItem } from '../operations/apply-receipts.ts'
import { UPDATES } from '../operations/intake.ts'
import {
  claimDueUpdates,
  countUpdatesUnderWay,
  type DueUpdate,
  deleteUpdates,
  findNextUpdateDue,
  setBackUpdate,
  shiftUpdates,
} from '../update-queries.ts'

export type UpdatesOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Translates the operator's words. */
  read(field: string, value: unknown): NumberReports
  /** Told of what we do not act on, by its field only. */
  onUnrecognised(workspaceId: string, field: string): void
  onError(error: unknown): void
}

const CLAIM_MOST = 200
/** Applying takes moments; whoever still holds a row when its lease runs out keeps it (the claim skips locked rows). */
const LEASE_MS = 12 * SECOND_MS
const RETRY_SECONDS = [1, 5, 30, 120, 600, 3600]

export function updatesSource(options: UpdatesOptions): WorkSource {
  const { database, clock } = options

  const apply = async (rows: DueUpdate[], workspaces: Map<string, Workspace>): Promise<void> => {
    await database.tenant([...workspaces.values()], async (unit) => {
      const held = await deleteUpdates(unit.tx, rows)
      const receipts: ReceiptItem[] = []
      const inbound: InboundItem[] = []
      for (const row of rows) {
        const workspace = workspaces.get(row.workspaceId)
        if (workspace && held.has(row.id))
          sortReports(row, platformContext(unit, workspace, clock), receipts, inbound)
      }
      await applyInbound(unit, inbound)
      await applyReceipts(unit, receipts)
    })
  }

  const sortReports = (
    row: DueUpdate,
    ctx: Context,
    receipts: ReceiptItem[],
    inbound: InboundItem[],
  ): void => {
    let first = true
    for (const report of options.read(row.body.field, row.body.value).reports) {
      if (report.kind === 'receipt') receipts.push({ ctx, receipt: report })
      else if (report.kind === 'unrecognised') options.onUnrecognised(row.workspaceId, report.field)
      else if (report.kind === 'inbound') {
        // The first message of an update takes the update's id, which its sender may have been told already.
        inbound.push({ ctx, id: first ? row.id : newId(), phoneNumberId: row.phoneNumberId, message: report })
        first = false
      }
    }
  }

  const setBack = async (row: DueUpdate, error: unknown): Promise<void> => {
    options.onError(error)
    const now = clock.now()
    const seconds = RETRY_SECONDS[row.attempts - 1]
    await setBackUpdate(database.query, row, error instanceof Error ? error.message : String(error), {
      runAt: later(now, (seconds ?? 0) * SECOND_MS),
      failedAt: seconds === undefined ? now : null,
    })
  }

  /** A list that fails as a whole is applied row by row, so that one row's fault stays its own. */
  const applyEach = async (rows: DueUpdate[], workspaces: Map<string, Workspace>): Promise<void> => {
    for (const row of rows) {
      const workspace = workspaces.get(row.workspaceId)
      if (workspace)
        await apply([row], new Map([[workspace.id, workspace]])).catch((error: unknown) =>
          setBack(row, error),
        )
    }
  }

  return {
    name: UPDATES,
    pollMs: 250,
    async runDue({ workspaceId }) {
      const now = clock.now()
      const rows = await claimDueUpdates(database.query, {
        now,
        leaseUntil: later(now, LEASE_MS),
        limit: CLAIM_MOST,
        workspaceId,
      })
      if (rows.length === 0) return 0
      const workspaces = await options.workspaces(rows.map((row) => row.workspaceId))
      if (workspaces.size > 0) await apply(rows, workspaces).catch(() => applyEach(rows, workspaces))
      return rows.length
    },
    nextDue: (workspaceId) => findNextUpdateDue(database.query, workspaceId, clock.now()),
    running: (workspaceId) => countUpdatesUnderWay(database.query, workspaceId, clock.now()),
    shift: async (tx, workspaceId, ms) => {
      await shiftUpdates(tx, workspaceId, ms)
    },
  }
}
