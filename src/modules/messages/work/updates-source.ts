/** Applies what the operator told us: stored first, worked on here, each change once (FORMATS section 1). */
import { type Clock, later, SECOND_MS } from '../../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { idAfter } from '../../../core/ids.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { NumberReports, Report } from '../../../operator/port.ts'
import { applyUpdates, type UpdateItem } from '../operations/apply-updates.ts'
import { type SplitPost, takeInUpdates, UPDATES } from '../operations/intake.ts'
import {
  type Claimed,
  claimDueUpdates,
  countUpdatesUnderWay,
  type DuePost,
  type DueUpdate,
  deleteUpdates,
  findNextUpdateDue,
  insertUnreadUpdates,
  isPost,
  letGoUpdates,
  setBackUpdate,
  shiftUpdates,
  type UnreadUpdate,
} from '../update-queries.ts'

export type UpdatesOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  split: SplitPost
  /** Translates the operator's words; `at` is when it spoke them. */
  read(field: string, value: unknown, source: { accountId: string; at: Date }): NumberReports
  /** Told of what we do not act on, by its field only. */
  onUnrecognised(workspaceId: string, field: string): void
  onError(error: unknown): void
}

const CLAIM_MOST = 200
/** Applying takes moments; whoever still holds a row when its lease runs out keeps it (the claim skips locked rows). */
const LEASE_MS = 12 * SECOND_MS
const RETRY_SECONDS = [1, 5, 30, 120, 600, 3600]
/** What waits longer after a fault no longer holds up what the same customer wrote since. */
const IN_PLACE_SECONDS = 5
/** Ids kept free after that of an update: more than there can be messages in it. */
const IDS_OF_UPDATE = 2 ** 20

export function updatesSource(options: UpdatesOptions): WorkSource {
  const { database, clock } = options

  const apply = async (rows: DueUpdate[], workspaces: Map<string, Workspace>): Promise<void> => {
    const unread = await database.tenant([...workspaces.values()], async (unit) => {
      const held = await deleteUpdates(unit.tx, rows)
      const read = rows.flatMap((row) => {
        const workspace = workspaces.get(row.workspaceId)
        return workspace && held.has(row.id) ? [readUpdate(row, platformContext(unit, workspace, clock))] : []
      })
      await applyUpdates(
        unit,
        read.flatMap(({ items }) => items),
      )
      // What is not acted on is kept for whoever asks what the operator said.
      const aside = read.flatMap(({ unread }) => unread ?? [])
      if (aside.length > 0) await insertUnreadUpdates(unit.tx, aside)
      return aside
    })
    for (const { workspaceId, fields } of unread)
      for (const field of fields) options.onUnrecognised(workspaceId, field)
  }

  const readUpdate = (
    row: DueUpdate,
    ctx: Context,
  ): { items: UpdateItem[]; unread: UnreadUpdate | undefined } => {
    const { field, value, accountId = '', at } = row.body
    const told = { accountId, at: at === undefined ? row.receivedAt : new Date(at) }
    const { reports } = options.read(field, value, told)
    let ids = 0
    // The first message of an update takes the update's id, which its sender may have been told already; the others follow
    // it, so that lists show them where they came.
    const idFor = ({ kind }: Report): string =>
      kind === 'inbound' || kind === 'echo' ? idAfter(row.id, ids++) : row.id
    const fields = reports.flatMap((report) => (report.kind === 'unrecognised' ? [report.field] : []))
    return {
      items: reports.map((report) => ({ ctx, id: idFor(report), phoneNumberId: row.phoneNumberId, report })),
      unread: fields.length > 0 ? { ...row, fields: [...new Set(fields)] } : undefined,
    }
  }

  /** Puts the updates of a body that was stored as it came in its place. */
  const split = async (post: DuePost): Promise<void> => {
    const { workspaceId, receivedAt } = post
    const changes = await options.split(post)
    await database.tenantIds([workspaceId], async (unit) => {
      const held = await deleteUpdates(unit.tx, [post])
      if (!held.has(post.id) || changes.length === 0) return
      const told = { workspaceId, reference: null, runAt: clock.now(), receivedAt }
      await takeInUpdates(
        unit,
        // Their ids say that they came with the post, before what came after it.
        changes.map((change, i) => ({ ...told, ...change, id: idAfter(post.id, (i + 1) * IDS_OF_UPDATE) })),
      )
    })
  }

  /** Returns the lane whose others go on waiting for this one. */
  const setBack = async (row: Claimed, error: unknown): Promise<string | null> => {
    options.onError(error)
    const now = clock.now()
    // What is no JSON will not become JSON.
    const seconds = error instanceof SyntaxError ? undefined : RETRY_SECONDS[row.attempts - 1]
    const lane = seconds === undefined || seconds > IN_PLACE_SECONDS ? null : row.lane
    await setBackUpdate(database.query, row, error instanceof Error ? error.message : String(error), {
      runAt: later(now, (seconds ?? 0) * SECOND_MS),
      lane,
      failedAt: seconds === undefined ? now : null,
    })
    return lane
  }

  /** A list that fails as a whole is applied row by row, so that one row's fault stays its own, and its lane's for a moment. */
  const applyEach = async (rows: DueUpdate[], workspaces: Map<string, Workspace>): Promise<void> => {
    const heldUp = new Set<string>()
    const letGo: DueUpdate[] = []
    for (const row of rows) {
      const workspace = workspaces.get(row.workspaceId)
      if (!workspace) continue
      if (row.lane !== null && heldUp.has(row.lane)) {
        letGo.push(row)
        continue
      }
      try {
        await apply([row], new Map([[workspace.id, workspace]]))
      } catch (error) {
        const lane = await setBack(row, error)
        if (lane !== null) heldUp.add(lane)
      }
    }
    if (letGo.length > 0) await letGoUpdates(database.query, letGo, clock.now())
  }

  return {
    name: UPDATES,
    pollMs: 250,
    async runDue({ workspaceId }) {
      const now = clock.now()
      const claimed = await claimDueUpdates(database.query, {
        now,
        leaseUntil: later(now, LEASE_MS),
        limit: CLAIM_MOST,
        workspaceId,
      })
      if (claimed.length === 0) return 0
      const posts = claimed.filter(isPost)
      for (const post of posts)
        await split(post).catch(async (error: unknown) => {
          await setBack(post, error)
        })
      const rows = claimed.filter((row): row is DueUpdate => !isPost(row))
      const workspaces = await options.workspaces(rows.map((row) => row.workspaceId))
      if (workspaces.size > 0) await apply(rows, workspaces).catch(() => applyEach(rows, workspaces))
      return claimed.length
    },
    nextDue: (query, workspaceId) => findNextUpdateDue(query, workspaceId, clock.now()),
    running: (query, workspaceId) => countUpdatesUnderWay(query, workspaceId, clock.now()),
    shift: async (tx, workspaceId, ms) => {
      await shiftUpdates(tx, workspaceId, ms)
    },
  }
}
