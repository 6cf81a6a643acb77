// Commands that report something end after it is applied, so that a script can continue with the result.
import { setTimeout as wait } from 'node:timers/promises'

/** Maximum wait: without a running server, the report is applied when a server starts. */
const MAX_WAIT_MS = 2_000
const LOOK_MS = 25

/** Waits until the running server has applied the report. */
export async function untilApplied(isWaiting: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  while ((await isWaiting()) && performance.now() < end) await wait(LOOK_MS)
}
