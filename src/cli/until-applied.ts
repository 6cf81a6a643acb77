// Commands that have something reported end when it has happened, so that whoever called one may go on from it.
import { setTimeout as wait } from 'node:timers/promises'

/** Longest wait: where no server runs, it happens once one does. */
const MAX_WAIT_MS = 2_000
const LOOK_MS = 25

/** Waits for the running server to apply what was reported. */
export async function untilApplied(isWaiting: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  while ((await isWaiting()) && performance.now() < end) await wait(LOOK_MS)
}
