/** Schedules claims: one at a time, and another when a lane or the process has run low meanwhile. */
import type { ClaimScan } from './claim-scan.ts'
import { isRunningLow, type Lane } from './delivery-lanes.ts'

export type ClaimTurns = {
  /** Claims; a call during a claim requests another, because the running claim may have read too early. */
  claimOnce(): Promise<void>
  /** Claims unless a claim is already running. */
  claimSoon(): void
  /** Claims when the lane or this process has run low; checks again after a running claim. */
  claimFor(lane: Lane): void
  /** Stops claiming, and waits for the running claim. */
  stop(): Promise<void>
}

/**
 * Builds the scheduler. `hasRoom`: whether the process has enough room to claim the remaining rows;
 * `isRoomy`: whether a workspace has (delivery-lanes.ts).
 */
export function claimTurns(
  scan: ClaimScan,
  {
    hasRoom,
    isRoomy,
    onError,
  }: { hasRoom(): boolean; isRoomy(workspaceId: string): boolean; onError(error: unknown): void },
): ClaimTurns {
  /** Lanes that ran low during a claim. */
  const waitingLanes = new Set<Lane>()
  let currentScan: Promise<void> | undefined
  let claimNext: Promise<void> | undefined
  let stopping = false

  const claimOnce = (): Promise<void> => {
    if (currentScan) {
      claimNext ??= currentScan.then(claimOnce, claimOnce)
      return claimNext
    }
    claimNext = undefined
    currentScan = scan
      .claim(() => stopping)
      .then(async (hasMore) => {
        if (hasMore) await scan.claim(() => stopping)
      })
      .finally(() => {
        currentScan = undefined
        for (const lane of Array.from(waitingLanes)) claimFor(lane)
      })
    return currentScan
  }

  const claimSoon = (): void => {
    if (!currentScan && !stopping) claimOnce().catch(onError)
  }

  const claimFor = (lane: Lane): void => {
    waitingLanes.delete(lane)
    if (!isRunningLow(lane, isRoomy) && !(scan.hasBacklog() && hasRoom())) return
    if (currentScan) waitingLanes.add(lane)
    else claimSoon()
  }

  return {
    claimOnce,
    claimSoon,
    claimFor,
    stop: async () => {
      stopping = true
      await currentScan?.catch(() => {})
    },
  }
}
