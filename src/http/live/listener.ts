/** An open stream: writes frames as fast as the client reads them, and merges waiting frames. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { type Frame, frameText, mergeFrames, PING } from './frame.ts'

export type Listener = {
  send(frame: Frame): void
  /** Sends `first` before the frames that are already waiting. */
  begin(first: Frame): void
  ping(): void
  /** Returns whether the client hasn't read for longer than allowed. */
  isStuck(): boolean
  /** Ends the stream; with `reset`, the client reads everything again after it reconnects. */
  end(options?: { reset: boolean }): void
}

/** The maximum time for which a client may not read. */
const MAX_BLOCKED_MS = 15_000

export function openListener(
  response: ServerResponse,
  clock: Pick<Clock, 'monotonicMs'>,
  build: () => string | null,
): Listener {
  let waiting: Frame | undefined
  let isStarted = false
  let blockedSinceMs: number | undefined

  const write = (text: string): void => {
    if (text === '' || response.destroyed || response.writableEnded) return
    if (!response.write(text)) blockedSinceMs ??= clock.monotonicMs()
  }
  const flush = (): void => {
    if (!isStarted || blockedSinceMs !== undefined || !waiting) return
    const frame = waiting
    waiting = undefined
    write(frameText(frame, build()))
  }
  response.on('drain', () => {
    blockedSinceMs = undefined
    flush()
  })
  // A disconnected client needs no more data.
  response.on('error', () => response.destroy())
  return {
    send: (frame) => {
      waiting = mergeFrames(waiting, frame)
      flush()
    },
    begin: (first) => {
      waiting = waiting ? mergeFrames(first, waiting) : first
      isStarted = true
      flush()
    },
    ping: () => {
      if (blockedSinceMs === undefined) write(PING)
    },
    isStuck: () => blockedSinceMs !== undefined && clock.monotonicMs() - blockedSinceMs > MAX_BLOCKED_MS,
    end: (options) => {
      if (options?.reset) write(frameText({ changed: {}, reset: true }, build()))
      if (blockedSinceMs !== undefined) response.destroy()
      else response.end()
    },
  }
}
