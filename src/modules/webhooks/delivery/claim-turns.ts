/** When claims are made: one at a time, and again when a lane or the process has run low meanwhile. */
import type { ClaimScan } from './claim-scan.ts'
import { type Lane, runsLow } from './delivery-lanes.ts'

export type ClaimTurns = {
  /** Claims; a call during a claim asks for another: the one at work may have looked too early. */
  claimOnce(): Promise<void>
  /** Claims unless a claim is at work. */
  claimSoon(): void
  /** Claims when the lane, or this process, has run low; looks again after a claim that is at work now. */
  claimFor(lane: Lane): void
  /** Claims no more, and waits for the claim at work. */
  stop(): Promise<void>
}

/**
 * `hasRoom`: whether the process has run so low that what is left behind is worth a claim; `isRoomy`: whether a workspace has
 * (delivery-lanes.ts).
 */
export function claimTurns(
  scan: ClaimScan,
  {
    hasRoom,
    isRoomy,
    onError,
  }: { hasRoom(): boolean; isRoomy(workspaceId: string): boolean; onError(error: unknown): void },
): ClaimTurns {
  /** Lanes that ran low while a claim was at work. */
  const wanting = new Set<Lane>()
  let claiming: Promise<void> | undefined
  let claimNext: Promise<void> | undefined
  let stopping = false

  const claimOnce = (): Promise<void> => {
    if (claiming) {
      claimNext ??= claiming.then(claimOnce, claimOnce)
      return claimNext
    }
    claimNext = undefined
    claiming = scan
      .claim(() => stopping)
      .then(async (again) => {
        if (again) await scan.claim(() => stopping)
      })
      .finally(() => {
        claiming = undefined
        for (const lane of Array.from(wanting)) claimFor(lane)
      })
    return claiming
  }

  const claimSoon = (): void => {
    if (!claiming && !stopping) claimOnce().catch(onError)
  }

  const claimFor = (lane: Lane): void => {
    wanting.delete(lane)
    if (!runsLow(lane, isRoomy) && !(scan.hasBacklog() && hasRoom())) return
    if (claiming) wanting.add(lane)
    else claimSoon()
  }

  return {
    claimOnce,
    claimSoon,
    claimFor,
    stop: async () => {
      stopping = true
      await claiming?.catch(() => {})
    },
  }
}
