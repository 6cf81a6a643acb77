/**
 * Hears what changes in a workspace. One tab holds the stream, by a Web Lock, and passes on what it hears; the others listen to it.
 * Without locks (a plain http address that is not this machine) every tab that is seen has a stream of its own.
 */
import { addressOf } from './address.ts'
import { applyChanges, resetAll } from './cache.ts'
import { knownPresence, type PresenceFrame, receivePresence } from './presence.ts'

export type Connection = 'connecting' | 'open' | 'lost'
type Frame = PresenceFrame & { changed?: Record<string, string[] | 'many'>; build?: string; reset?: true }

/** Silence after which a connection counts as dead: the server pings every 20 s. */
const DEAD_MS = 45_000
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [250, 10_000]

let state: Connection = 'connecting'
const listeners = new Set<() => void>()
const frameListeners = new Set<(frame: Frame) => void>()

function setState(next: Connection): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

export const connection = {
  get: (): Connection => state,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Hears every frame: what it holds besides changes is for whoever shows it. */
export function onFrame(listener: (frame: Frame) => void): () => void {
  frameListeners.add(listener)
  return () => frameListeners.delete(listener)
}

function receive(frame: Frame): void {
  if (frame.reset) resetAll()
  if (frame.changed) applyChanges(frame.changed)
  receivePresence(frame)
  for (const listener of frameListeners) listener(frame)
}

/** Holds the stream of `workspace` until `signal` ends it. */
function hold(workspace: string, pass: (message: object) => void, signal: AbortSignal): void {
  let source: EventSource | undefined
  let failures = 0
  let lastId = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(lost, DEAD_MS)
  }
  const report = (connected: Connection) => {
    setState(connected)
    pass({ connected })
  }
  function lost() {
    source?.close()
    clearTimeout(silence)
    clearTimeout(timer)
    if (signal.aborted) return
    report('lost')
    const max = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)
    timer = setTimeout(connect, max * (0.5 + Math.random() / 2))
  }
  function connect() {
    clearTimeout(timer)
    source?.close()
    // A stream that is opened anew by us cannot send Last-Event-ID itself.
    source = new EventSource(addressOf('dashboard', '/stream', { workspace, after: lastId || undefined }))
    heard()
    source.onopen = () => {
      heard()
      // What happened while nobody listened and is older than what the server can resume is read again.
      if (failures > 0 && !lastId) resetAll()
      failures = 0
      report('open')
    }
    source.onerror = lost
    source.addEventListener('ping', heard)
    const take = (event: MessageEvent<string>, more: Partial<Frame> = {}) => {
      heard()
      if (event.lastEventId) lastId = event.lastEventId
      const frame = { ...(event.data ? (JSON.parse(event.data) as Frame) : {}), ...more }
      receive(frame)
      pass({ frame })
    }
    source.onmessage = (event) => take(event)
    source.addEventListener('reset', (event) => take(event, { reset: true }))
    source.addEventListener('presence', (event) => take(event))
  }

  const wake = () => {
    if (document.visibilityState === 'visible' && state !== 'open') connect()
  }
  addEventListener('online', connect, { signal })
  addEventListener('offline', lost, { signal })
  document.addEventListener('visibilitychange', wake, { signal })
  signal.addEventListener('abort', () => {
    source?.close()
    clearTimeout(timer)
    clearTimeout(silence)
  })
  connect()
}

/** Listens to the workspace until the answer is called. */
export function listen(workspace: string): () => void {
  const ending = new AbortController()
  const { signal } = ending
  if (!navigator.locks) {
    hold(workspace, () => {}, signal)
    return () => ending.abort()
  }
  const name = `parley-stream-${workspace}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<{ frame?: Frame; connected?: Connection; who?: true }>) => {
    if (data.who && leading) channel.postMessage({ connected: state, frame: knownPresence() })
    if (data.connected) setState(data.connected)
    if (data.frame) receive(data.frame)
  }
  let leading = false
  channel.postMessage({ who: true })
  navigator.locks
    .request(name, { signal }, () => {
      leading = true
      hold(workspace, (message) => channel.postMessage(message), signal)
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    })
    .catch(() => {})
  signal.addEventListener('abort', () => channel.close())
  return () => ending.abort()
}
