/**
 * Prevents claimed deliveries from sending personal data that was stripped from their events after the read.
 * Such a delivery is read again before its attempt, in one statement with all other waiting ones of its
 * workspace.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { DueDelivery } from './attempt.ts'
import { readEvents } from './delivery-claims.ts'
import type { Held } from './delivery-lanes.ts'
import type { StripWatch } from './strip-watch.ts'

const RETRY_MS = 500

export type FreshData = {
  /** Returns whether the delivery must be read again before its attempt. */
  isStale(one: Held): boolean
  /** Reads it again; returns false if the process stopped before the database could be reached. */
  read(one: Held): Promise<boolean>
}

type Deps = {
  database: Pick<Database, 'query'>
  clock: Clock
  strips: Pick<StripWatch, 'mayBeStale'>
  onError(error: unknown): void
}

export function freshData(deps: Deps, held: Iterable<Held>, stopping: () => boolean): FreshData {
  const { database, clock, strips, onError } = deps
  const isOld = ({ delivery, readAtMs }: Held): boolean => strips.mayBeStale(delivery.workspaceId, readAtMs)

  const readInto = async (workspaceId: string, deliveries: DueDelivery[]): Promise<boolean> => {
    for (;;) {
      try {
        const events = await readEvents(database, workspaceId, [
          ...new Set(deliveries.map((one) => one.eventId)),
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
      (one) => one.startedAtMs === null && one.delivery.workspaceId === workspaceId && isOld(one),
    )
    const readAtMs = clock.monotonicMs()
    const reading = readInto(
      workspaceId,
      stale.map((one) => one.delivery),
    )
    for (const one of stale) Object.assign(one, { readAtMs, reading })
  }

  const read = async (one: Held): Promise<boolean> => {
    while (one.reading !== null || isOld(one)) {
      if (isOld(one)) readAll(one.delivery.workspaceId)
      const { reading } = one
      if (!(await reading)) return false
      if (one.reading === reading) one.reading = null
    }
    return true
  }

  return { isStale: (one) => one.reading !== null || isOld(one), read }
}
