/**
 * Hears what changes in a workspace. One tab holds the stream, by a Web Lock, and passes on what it hears; the others listen to it.
 * Without locks (a plain http address that is not this machine) every tab that is seen has a stream of its own.
 */
import { addressOf } from './address.ts'
import { applyChanges, readSince, resetAll } from './cache.ts'
import { knownPresence, type PresenceFrame, receivePresence } from './presence.ts'

export type Connection = 'connecting' | 'open' | 'lost'
type Frame = PresenceFrame & { changed?: Record<string, string[] | 'many'>; build?: string; reset?: true }

/** Silence after which a connection counts as dead: the server pings every 20 s. */
const DEAD_MS = 45_000
/** Silence after which somebody who comes back does not wait for that. */
const SILENT_MS = 25_000
const NUDGE_MS = 2_000
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

/** What tabs of one workspace say to each other. */
type Said = {
  frame?: Frame
  connected?: Connection
  /** The last event that was heard of: whoever holds the stream next goes on behind it. */
  lastId?: string
  /** A tab has come, and asks how things are. */
  who?: true
  /** A tab that is seen asks for the connection to be tried. */
  wake?: true
}
type Tab = {
  workspace: string
  signal: AbortSignal
  /** Passes on to the other tabs. */
  pass: (said: Said) => void
  lastId: string
  /** Tries the connection, where this tab holds the stream and it may be dead. */
  wake: () => void
}

/** Holds the stream until the tab's signal ends it. */
function hold(tab: Tab): void {
  const { workspace, signal, pass } = tab
  let source: EventSource | undefined
  let failures = 0
  let heardAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const heard = () => {
    heardAt = Date.now()
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
    let isFirst = tab.lastId === ''
    // A stream that is opened anew by us cannot send Last-Event-ID itself.
    source = new EventSource(addressOf('dashboard', '/stream', { workspace, after: tab.lastId || undefined }))
    heard()
    source.onopen = () => {
      heard()
      failures = 0
      report('open')
    }
    source.onerror = lost
    source.addEventListener('ping', heard)
    const take = (event: MessageEvent<string>, more: Partial<Frame> = {}) => {
      heard()
      if (event.lastEventId) tab.lastId = event.lastEventId
      const frame = { ...(event.data ? (JSON.parse(event.data) as Frame) : {}), ...more }
      // What was read before the stream began may be older than its beginning.
      if (isFirst && event.lastEventId) readSince()
      if (event.lastEventId) isFirst = false
      receive(frame)
      pass({ frame, lastId: tab.lastId })
    }
    source.onmessage = (event) => take(event)
    source.addEventListener('reset', (event) => take(event, { reset: true }))
    source.addEventListener('presence', (event) => take(event))
  }

  tab.wake = () => {
    // Timers stand still while a machine sleeps: the clock says how long nothing was heard.
    if (state === 'lost' || Date.now() - heardAt > SILENT_MS) connect()
  }
  addEventListener('online', connect, { signal })
  addEventListener('offline', lost, { signal })
  signal.addEventListener('abort', () => {
    source?.close()
    clearTimeout(timer)
    clearTimeout(silence)
  })
  connect()
}

const isSeen = (): boolean => document.visibilityState === 'visible'

/** Where every tab has a stream of its own, one that nobody sees has none. */
function holdWhileSeen(workspace: string, signal: AbortSignal): void {
  let holding: AbortController | undefined
  let tab: Tab | undefined
  let lastId = ''
  const look = () => {
    if (isSeen() && !holding) {
      holding = new AbortController()
      tab = { workspace, signal: holding.signal, pass: () => {}, lastId, wake: () => {} }
      hold(tab)
    } else if (isSeen()) tab?.wake()
    else {
      lastId = tab?.lastId ?? lastId
      holding?.abort()
      holding = undefined
    }
  }
  document.addEventListener('visibilitychange', look, { signal })
  signal.addEventListener('abort', () => holding?.abort())
  look()
}

/** Listens to the workspace until the answer is called. */
export function listen(workspace: string): () => void {
  const ending = new AbortController()
  const { signal } = ending
  if (!navigator.locks) {
    holdWhileSeen(workspace, signal)
    return () => ending.abort()
  }
  const name = `parley-stream-${workspace}`
  const channel = new BroadcastChannel(name)
  const tab: Tab = {
    workspace,
    signal,
    pass: (said) => channel.postMessage(said),
    lastId: '',
    wake: () => tab.pass({ wake: true }),
  }
  let isHolding = false
  let nudge: ReturnType<typeof setTimeout> | undefined
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.wake && isHolding) tab.wake()
    if (data.who && isHolding) tab.pass({ connected: state, frame: knownPresence(), lastId: tab.lastId })
    if (isHolding) return
    if (data.lastId) tab.lastId = data.lastId
    if (data.frame) receive(data.frame)
    if (!data.connected) return
    setState(data.connected)
    // Timers of a tab that nobody sees are slow: whoever is seen asks it to try.
    clearTimeout(nudge)
    if (data.connected === 'lost' && isSeen()) nudge = setTimeout(tab.wake, NUDGE_MS)
  }
  tab.pass({ who: true })
  navigator.locks
    .request(name, { signal }, () => {
      isHolding = true
      hold(tab)
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    })
    .catch(() => {})
  const wake = () => isSeen() && tab.wake()
  document.addEventListener('visibilitychange', wake, { signal })
  // A tab that was frozen goes on.
  document.addEventListener('resume', wake, { signal })
  addEventListener('pageshow', wake, { signal })
  signal.addEventListener('abort', () => {
    clearTimeout(nudge)
    channel.close()
  })
  return () => ending.abort()
}
