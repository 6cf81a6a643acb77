/**
 * Applies the operator's stored reports, each change once (docs/formats.md section 1). One process at a time
 * applies a workspace's reports, in order of arrival (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import { SECOND_MS } from '../../../../core/clock.ts'
import type { Database, Workspace } from '../../../../core/context.ts'
import { type DueMoment, dueAt } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { applyOneByOne, holderOf, holdersBySender, isTooMuch, unblock } from '../intake/apply-one-by-one.ts'
import { UPDATES } from '../intake/operations/intake.ts'
import {
  alignUpdates,
  claimDueUpdates,
  claimTurns,
  findNextUpdateDue,
  isUpdateDue,
  isWholeList,
  listDueWorkspaces,
  listErasing,
  listHolders,
} from '../intake/queries/due-updates.ts'
import { insertUpdates, type UnreadUpdate } from '../intake/queries/updates.ts'
import { applyParts, type Part, parseUpdate, type Reading } from '../intake/read-updates.ts'

export type UpdatesOptions = Reading & {
  database: Database
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Called for reports on which Parley does not act, with only their field. */
  onUnrecognized(workspaceId: string, field: string): void
  /** Returns whether this process answers slowly now: simulated reports give way to requests. */
  areAnswersSlow(): boolean
  /** Returns whether many simulated messages wait for their hand-over, which goes before receipts. */
  handoversAreWaiting(): boolean
  onError(error: unknown): void
}

/** The maximum of updates in a list, and of workspaces. */
const MAX_LIST = 200
/** Simulated reports that give way get a tenth of the time; waiting ones stay in the database. */
const SIMULATED_REST = 9
const MAX_SIMULATED_REST_MS = SECOND_MS

const byTime = (a: Part, other: Part): number => a.runAt.getTime() - other.runAt.getTime()

export function updatesSource(options: UpdatesOptions): WorkSource {
  const { database, clock } = options
  /** Until when simulated reports wait: requests go first, then hand-overs. */
  let simulatedRestUntilMs = 0

  const report = (unread: UnreadUpdate[]): void => {
    for (const { workspaceId, fields } of unread)
      for (const field of fields) options.onUnrecognized(workspaceId, field)
  }

  /**
   * Applies due updates of workspaces that no other process works on, in one transaction, which rolls back
   * after a fault. Returns how many there were, and whether more may be due.
   */
  const applyList = async (of: string[], due: DueMoment): Promise<{ count: number; hasMore: boolean }> => {
    const workspaces = await options.workspaces(of)
    const { count, hasMore, unread } = await database.tenantIds(of, async (unit) => {
      // In this order, because the removed updates may include one that holds back others, after a later one.
      const [, held, erasing, rows] = await Promise.all([
        claimTurns(unit.tx, of),
        listHolders(unit.tx),
        listErasing(unit.tx),
        claimDueUpdates(unit.tx, { due, limit: MAX_LIST }),
      ])
      if (rows.length === 0) return { count: 0, hasMore: false, unread: [] }
      const parsed = await Promise.all(rows.map((row) => parseUpdate(row, due, options)))
      const holders = holdersBySender(held)
      for (const update of parsed) {
        if (isTooMuch(update) || holderOf(update, holders))
          throw new Error("some of this list can't be applied with the rest")
        unblock(holders, update)
      }
      const parts = parsed.flatMap((update) => update.parts).sort(byTime)
      const rest = parsed.flatMap((update) => update.rest ?? [])
      const [unread] = await Promise.all([
        applyParts(unit, parts, { workspaces, erasing }, options),
        rest.length > 0 && insertUpdates(unit.tx.sql, rest),
      ])
      const hasMore = of.length === MAX_LIST || !isWholeList(rows, { workspaces: of.length, limit: MAX_LIST })
      return { count: rows.length, hasMore, unread }
    })
    report(unread)
    return { count, hasMore }
  }

  return {
    name: UPDATES,
    pollMs: 250,
    async runDue({ workspaceId, moving }) {
      const due = dueAt(clock.now(), moving)
      const simulated = clock.monotonicMs() >= simulatedRestUntilMs
      const of =
        workspaceId === undefined
          ? await listDueWorkspaces(database.query, { now: due.now, limit: MAX_LIST, simulated })
          : (await isUpdateDue(database.query, workspaceId, due))
            ? [workspaceId]
            : []
      if (of.length === 0) return 0
      const begunAtMs = clock.monotonicMs()
      const { count, hasMore } = await applyList(of, due).catch(async () => {
        const { count, unread } = await applyOneByOne({ of, due, limit: MAX_LIST }, options)
        report(unread)
        return { count, hasMore: true }
      })
      if (
        workspaceId === undefined &&
        simulated &&
        (options.areAnswersSlow() || options.handoversAreWaiting())
      ) {
        const endedAtMs = clock.monotonicMs()
        const restMs = Math.min(MAX_SIMULATED_REST_MS, (endedAtMs - begunAtMs) * SIMULATED_REST)
        simulatedRestUntilMs = endedAtMs + restMs
      }
      // The loop looks again when more updates arrive, without a look-up in between that finds none.
      return workspaceId === undefined && !hasMore ? 0 : count
    },
    nextDue: findNextUpdateDue,
    align: alignUpdates,
  }
}
