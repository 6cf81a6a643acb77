/** The history of numbers that stay in the phone app: its request and its progress. */
import { isoOf } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { addHistoryArrivals, type HistoryArrival, type NumberHistory } from '../queries/history.ts'

export type { HistoryArrival } from '../queries/history.ts'

/** Adds what arrived to the numbers, in any order. */
export async function addHistory(unit: Unit, arrivals: (HistoryArrival & { ctx: Context })[]): Promise<void> {
  if (arrivals.length === 0) return
  const rows = arrivals.toSorted((a, b) => (a.phoneNumberId < b.phoneNumberId ? -1 : 1))
  await addHistoryArrivals(unit.tx, rows)
  for (const { ctx, phoneNumberId } of rows) touch(ctx, { number: phoneNumberId })
}

type ShownHistory = Omit<NumberHistory, 'id' | 'operator' | 'state' | 'historyState'> & {
  historyState: string | null
}

/** Returns the history of a number as the API shows it; null if it was neither requested nor received. */
export const shownHistory = (row: ShownHistory) =>
  row.historyState === null
    ? null
    : {
        state: row.historyState as NonNullable<NumberHistory['historyState']>,
        progress: row.historyProgress,
        phase: row.historyPhase,
        stored: row.historyStored,
        leftOut: row.historyLeftOut,
        reason: row.historyReason,
        requestedAt: row.historyRequestedAt === null ? null : isoOf(row.historyRequestedAt),
        updatedAt: row.historyAt === null ? null : isoOf(row.historyAt),
      }
