/**
 * The places of a process: for attempts that run, and for rows in hand. An attempt that turns slow gives up both of its places
 * and is counted apart.
 */
import { openPlaces } from '../../../dispatch/fair-places.ts'

const MAX_IN_FLIGHT = 256
const MAX_SLOW = 4_096

export type DeliveryPlaces = ReturnType<typeof deliveryPlaces>

/** `maxHeld` rows in hand at most. */
export function deliveryPlaces(maxHeld: number) {
  const attempts = openPlaces(MAX_IN_FLIGHT)
  const rows = openPlaces(maxHeld)
  let slow = 0
  const free = (workspaceId: string): void => {
    attempts.free(workspaceId)
    rows.free(workspaceId)
  }
  return {
    takeRow: rows.take,
    /** Of a row whose attempt never begins. */
    freeRow: rows.free,
    mayBegin: (workspaceId: string): boolean => attempts.left(workspaceId) > 0,
    begin: attempts.take,
    end: (workspaceId: string, wasSlow: boolean): void => {
      if (wasSlow) slow--
      else free(workspaceId)
    },
    turnSlow: (workspaceId: string): void => {
      slow++
      free(workspaceId)
    },
    /** How many rows more may be claimed now, and how many of them a workspace may have. */
    room: (): number => maxHeld - rows.taken(),
    roomOf: rows.left,
    /** Whether a third of the rows that a workspace may have in hand is free. */
    isRoomy: (workspaceId: string): boolean => 2 * rows.left(workspaceId) >= rows.takenBy(workspaceId),
    /** Whether so many attempts hang that no more may be begun. */
    tooSlow: (): boolean => slow >= MAX_SLOW,
  }
}
