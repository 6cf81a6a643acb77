/**
 * Follows the event log of a server, missing none: `resumeAfter` of each answer is the place up to
 * which nothing can appear any more.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../core/clock.ts'
import { idAt } from '../../core/ids.ts'
import { type Api, NoAnswer } from './api.ts'

export type LoggedEvent = { id: string; event: string; createdAt: string; data: Record<string, unknown> }

const POLL_MS = SECOND_MS
const LONGEST_PAUSE_MS = 30 * SECOND_MS

/** The place before everything that the log holds. */
export const BEGINNING = idAt(new Date(0))

/** The place behind what there is now. */
export const newestPlace = async (api: Api): Promise<string> =>
  (await api.get('/events?limit=1')).body.resumeAfter ?? BEGINNING

export type Following = {
  api: Api
  /** The event behind which it begins. */
  place: string
  /** Takes an event; it counts as done when this resolves. */
  handle(event: LoggedEvent): Promise<void>
  /** Keeps the place; called after each event, so that a kill repeats none that was done, and when it moves without one. */
  save(place: string): void
  say(line: string): void
  stopped: AbortSignal
}

/** Follows until `stopped`. Rejects when the server refuses the key; waits while it gives no answer. */
export async function followEvents(following: Following): Promise<void> {
  const { api, handle, save, say, stopped } = following
  let { place } = following
  let pauseMs = SECOND_MS

  const moveTo = (next: string): void => {
    if (next !== place) save(next)
    place = next
  }

  const readOn = async (): Promise<void> => {
    let more = true
    while (more) {
      const { body } = await api.get(`/events?limit=100&after=${place}`, stopped)
      for (const event of body.events as LoggedEvent[]) {
        await handle(event)
        moveTo(event.id)
      }
      moveTo(body.resumeAfter)
      more = body.nextCursor !== null
    }
  }

  try {
    while (!stopped.aborted) {
      try {
        await readOn()
        pauseMs = SECOND_MS
        await wait(POLL_MS, undefined, { signal: stopped })
      } catch (fault) {
        if (!(fault instanceof NoAnswer) || stopped.aborted) throw fault
        say(`${fault.message} Trying again.`)
        await wait(fault.retryAfterMs ?? pauseMs, undefined, { signal: stopped })
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
      }
    }
  } catch (fault) {
    if (!stopped.aborted) throw fault
  }
}
