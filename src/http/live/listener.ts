/** One open stream: what it is sent goes out as fast as its reader takes it, and waits merged until then. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { type Frame, frameText, mergeFrames, PING } from './frame.ts'

export type Listener = {
  send(frame: Frame): void
  /** What was sent until now waits for `first`, which goes out before it. */
  begin(first: Frame): void
  ping(): void
  /** Whether it has taken nothing for longer than it may. */
  isStuck(): boolean
  /** Ends the stream; `reset` has the reader read everything again when it comes back. */
  end(how?: { reset: boolean }): void
}

/** How long a reader may take nothing. */
const MAX_BLOCKED_MS = 15_000

export function openListener(
  response: ServerResponse,
  clock: Pick<Clock, 'monotonicMs'>,
  build: () => string | null,
): Listener {
  let waiting: Frame | undefined
  let begun = false
  let blockedSinceMs: number | undefined

  const write = (text: string): void => {
    if (text === '' || response.destroyed || response.writableEnded) return
    if (!response.write(text)) blockedSinceMs ??= clock.monotonicMs()
  }
  const flush = (): void => {
    if (!begun || blockedSinceMs !== undefined || !waiting) return
    const frame = waiting
    waiting = undefined
    write(frameText(frame, build()))
  }
  response.on('drain', () => {
    blockedSinceMs = undefined
    flush()
  })
  // Whoever hangs up has nothing more to hear.
  response.on('error', () => response.destroy())
  return {
    send: (frame) => {
      waiting = mergeFrames(waiting, frame)
      flush()
    },
    begin: (first) => {
      waiting = waiting ? mergeFrames(first, waiting) : first
      begun = true
      flush()
    },
    ping: () => {
      if (blockedSinceMs === undefined) write(PING)
    },
    isStuck: () => blockedSinceMs !== undefined && clock.monotonicMs() - blockedSinceMs > MAX_BLOCKED_MS,
    end: (how) => {
      if (how?.reset) write(frameText({ changed: {}, reset: true }, build()))
      if (blockedSinceMs !== undefined) response.destroy()
      else response.end()
    },
  }
}
