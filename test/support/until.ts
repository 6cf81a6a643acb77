import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/** Looks until `condition` holds; fails naming `what` when it does not within `seconds`. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  what: string,
  seconds = 15,
): Promise<void> {
  const giveUpAt = Date.now() + seconds * 1000
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`after ${seconds} s it is still not so that ${what}`)
    await pause(LOOK_EVERY_MS)
  }
}
