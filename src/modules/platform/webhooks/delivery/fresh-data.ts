/**
 * Prevents claimed deliveries from sending personal data that was stripped from their events after the read.
 * Such a delivery is read again before its attempt, in one statement with all other waiting ones of its
 * workspace.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { DueDelivery } from './attempt.ts'
import type { HeldDelivery } from './delivery-lanes.ts'
import { readEvents } from './queries/delivery-claims.ts'
import type { StripWatch } from './stripped-events.ts'

const RETRY_MS = 500

export type FreshData = {
  /** Returns whether the delivery must be read again before its attempt. */
  isStale(row: HeldDelivery): boolean
  /** Reads it again; returns false if the process stopped before the database could be reached. */
  read(row: HeldDelivery): Promise<boolean>
}

type Deps = {
  database: Pick<Database, 'query'>
  clock: Clock
  strips: Pick<StripWatch, 'mayBeStale'>
  onError(error: unknown): void
}

export function freshData(deps: Deps, held: Iterable<HeldDelivery>, stopping: () => boolean): FreshData {
  const { database, clock, strips, onError } = deps
  const isOld = ({ delivery, readAtMs }: HeldDelivery): boolean =>
    strips.mayBeStale(delivery.workspaceId, readAtMs)

  const readInto = async (workspaceId: string, deliveries: DueDelivery[]): Promise<boolean> => {
    for (;;) {
      try {
        const events = await readEvents(database, workspaceId, [
          ...new Set(deliveries.map((delivery) => delivery.eventId)),
        ])
        for (const delivery of deliveries)
          Object.assign(delivery, events.get(delivery.eventId) ?? { data: null, createdAt: null })
        return true
      } catch (error) {
        onError(error)
      }
      if (stopping()) return false
      await wait(RETRY_MS)
    }
  }

  const readAll = (workspaceId: string): void => {
    const stale = [...held].filter(
      (row) => row.startedAtMs === null && row.delivery.workspaceId === workspaceId && isOld(row),
    )
    const readAtMs = clock.monotonicMs()
    const refresh = readInto(
      workspaceId,
      stale.map((row) => row.delivery),
    )
    for (const row of stale) Object.assign(row, { readAtMs, reading: refresh })
  }

  const read = async (row: HeldDelivery): Promise<boolean> => {
    while (row.reading !== null || isOld(row)) {
      if (isOld(row)) readAll(row.delivery.workspaceId)
      const { reading } = row
      if (!(await reading)) return false
      if (row.reading === reading) row.reading = null
    }
    return true
  }

  return { isStale: (row) => row.reading !== null || isOld(row), read }
}
