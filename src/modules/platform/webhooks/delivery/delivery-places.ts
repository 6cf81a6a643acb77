/**
 * The places of a process for running attempts and for claimed rows. A slow attempt frees both of its places
 * and is counted separately.
 */
import { openPlaces } from '../../../../dispatch/fair-places.ts'

const MAX_IN_FLIGHT = 256
const MAX_SLOW = 4_096

export type DeliveryPlaces = ReturnType<typeof deliveryPlaces>

/** At most `maxHeld` claimed rows. */
export function deliveryPlaces(maxHeld: number) {
  const attempts = openPlaces(MAX_IN_FLIGHT)
  const rows = openPlaces(maxHeld)
  let slow = 0
  const releasePlace = (workspaceId: string): void => {
    attempts.free(workspaceId)
    rows.free(workspaceId)
  }
  return {
    takeRow: rows.take,
    /** Frees the place of a row whose attempt never starts. */
    freeRow: rows.free,
    mayBegin: (workspaceId: string): boolean => attempts.left(workspaceId) > 0,
    begin: attempts.take,
    end: (workspaceId: string, wasSlow: boolean): void => {
      if (wasSlow) slow--
      else releasePlace(workspaceId)
    },
    turnSlow: (workspaceId: string): void => {
      slow++
      releasePlace(workspaceId)
    },
    /** Returns how many more rows may be claimed, in total and for a workspace. */
    room: (): number => maxHeld - rows.taken(),
    roomOf: rows.left,
    /** Returns whether a third of a workspace's places for rows is free. */
    isRoomy: (workspaceId: string): boolean => 2 * rows.left(workspaceId) >= rows.takenBy(workspaceId),
    /** Returns true if too many attempts hang for another one to start. */
    tooSlow: (): boolean => slow >= MAX_SLOW,
  }
}
