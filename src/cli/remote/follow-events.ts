/**
 * Follows the event log of a server without missing an event: `resumeAfter` of each answer is a place before which no new event
 * can appear.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../core/clock.ts'
import { idAt } from '../../core/ids.ts'
import { type Api, NoAnswer } from './api.ts'

export type LoggedEvent = { id: string; event: string; createdAt: string; data: Record<string, unknown> }

const POLL_MS = SECOND_MS
const MAX_PAUSE_MS = 30 * SECOND_MS

/** The place before the first event of the log. */
export const BEGINNING = idAt(new Date(0))

/** Returns the place after the newest event. */
export const readNewestPlace = async (api: Api): Promise<string> =>
  (await api.get('/events?limit=1')).body.resumeAfter ?? BEGINNING

export type Following = {
  api: Api
  /** The event after which following starts. */
  place: string
  /** Handles an event; the event is done when the promise resolves. */
  handle(event: LoggedEvent): Promise<void>
  /**
   * Stores the place; called after each event, so that no handled event repeats after a kill, and when the place moves without
   * events.
   */
  save(place: string): void
  say(line: string): void
  stopped: AbortSignal
}

/** Follows until `stopped`. Rejects if the server refuses the key; keeps waiting while the server does not answer. */
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
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)
      }
    }
  } catch (fault) {
    if (!stopped.aborted) throw fault
  }
}
