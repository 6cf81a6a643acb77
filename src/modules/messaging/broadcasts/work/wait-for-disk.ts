/**
 * Slows a campaign down to the speed of the disk. Its steps commit before they are on disk (DECISIONS.md
 * "Audiences"), so a slow disk falls behind. When the database's memory for its log is full, every transaction
 * waits for the disk, with its locks.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Query } from '../../../../core/context.ts'
import { isLogBehind } from '../queries/log-behind.ts'

const LOOK_AGAIN_MS = 10
/** A campaign continues after this time, because other work may be the cause. */
const MAX_LOOKS = 100

/** Waits between two steps while the disk is behind, for at most about a second. */
export async function waitForDisk(query: Query): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS && (await isLogBehind(query)); looks++) await wait(LOOK_AGAIN_MS)
}
