/** Applies shops' reports, each once. A failed report delays no other. */
import { type Clock, later, SECOND_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { type DueMoment, dueAt, type MovingClock, runOffsetOf } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { applyDueDeliveries, type ReadOrder } from '../operations/apply-deliveries.ts'
import { SHOP_DELIVERIES } from '../operations/intake.ts'
import {
  alignShopDeliveries,
  type DueDelivery,
  findNextDelivery,
  listDeliveryWorkspaces,
  setBackDelivery,
} from '../queries/deliveries.ts'

export type ShopDeliveriesOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  readShopOrder: ReadOrder
  onError(error: unknown): void
}

const MAX_AT_ONCE = 50
const MAX_WORKSPACES = 50
const RETRY_SECONDS = [1, 5, 30, 120, 600, 3_600]

export function shopDeliveriesSource(options: ShopDeliveriesOptions): WorkSource {
  const { database, clock, readShopOrder: readOrder } = options

  /**
   * Applies due deliveries, at most `limit`, in one transaction. Returns them, and the error if it failed.
   */
  const apply = async (workspace: Workspace, due: DueMoment, limit: number) => {
    let deliveries: DueDelivery[] = []
    const recordTaken = (due: DueDelivery[]): void => {
      deliveries = due
    }
    try {
      await database.tenant(workspace, (unit) =>
        applyDueDeliveries(platformContext(unit, workspace, clock), {
          due,
          limit,
          readOrder,
          taken: recordTaken,
        }),
      )
      return { deliveries, failure: undefined }
    } catch (error) {
      return { deliveries, failure: { error } }
    }
  }

  const setBack = async (workspace: Workspace, delivery: DueDelivery, error: unknown): Promise<void> => {
    options.onError(error)
    const now = clock.now()
    const seconds = RETRY_SECONDS[delivery.attempts]
    await setBackDelivery(database.query, delivery, {
      error: String(error),
      runAt: later(now, (seconds ?? 0) * SECOND_MS),
      runOffsetMs: runOffsetOf(workspace),
      failedAt: seconds === undefined ? now : null,
    })
  }

  /** Applies all due deliveries together; if that fails, each separately. */
  const applyAll = async (workspace: Workspace, movingClock: MovingClock | undefined): Promise<number> => {
    const { deliveries, failure } = await apply(workspace, dueAt(clock.now(), movingClock), MAX_AT_ONCE)
    if (!failure) return deliveries.length
    if (deliveries.length === 0) throw failure.error
    for (let left = deliveries.length; left > 0; left--) {
      const result = await apply(workspace, dueAt(clock.now(), movingClock), 1)
      const [delivery] = result.deliveries
      if (result.failure && delivery) await setBack(workspace, delivery, result.failure.error)
      else if (result.failure) throw result.failure.error
    }
    return deliveries.length
  }

  return {
    name: SHOP_DELIVERIES,
    pollMs: 500,
    async runDue({ workspaceId, moving }) {
      const ids =
        workspaceId === undefined
          ? await listDeliveryWorkspaces(database.query, clock.now(), MAX_WORKSPACES)
          : [workspaceId]
      const workspaces = await options.workspaces(ids)
      const counts = await Promise.all(
        [...workspaces.values()].map((workspace) => applyAll(workspace, moving)),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
    nextDue: findNextDelivery,
    align: alignShopDeliveries,
  }
}
