// Commands that simulate a report wait until it is applied, so that a script can continue with the result.
import { setTimeout as wait } from 'node:timers/promises'

/** Longest wait. If no server runs, the report is applied when one starts. */
const MAX_WAIT_MS = 2_000
const POLL_MS = 25

/** Waits until the running server has applied the report. */
export async function waitUntilApplied(isWaiting: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  while ((await isWaiting()) && performance.now() < end) await wait(POLL_MS)
}
