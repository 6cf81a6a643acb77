/**
 * Receives the changes of a workspace. One tab has the stream, secured by a Web Lock, and forwards it to the
 * other tabs. Without locks (plain http from another machine), every visible tab has its own stream.
 */
import { addressOf } from './address.ts'
import { applyChanges, readSince, resetAll } from './cache.ts'
import { currentPresence, type PresenceFrame, receivePresence } from './presence.ts'

export type Connection = 'connecting' | 'open' | 'lost'
type Frame = PresenceFrame & { changed?: Record<string, string[] | 'many'>; build?: string; reset?: true }

/** A connection without data for this long is dead: the server pings every 20 s. */
const DEAD_MS = 45_000
/** After this much silence, a returning user's tab reconnects immediately. */
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

/** Calls `listener` with every frame, for modules that show more than its changes. */
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

/** A message between tabs of one workspace. */
type TabMessage = {
  frame?: Frame
  connected?: Connection
  /** The last received event: the next tab with the stream continues after it. */
  lastId?: string
  /** A new tab asks for the current state. */
  who?: true
  /** A visible tab asks to check the connection. */
  wake?: true
}
type Tab = {
  workspace: string
  signal: AbortSignal
  /** Forwards a message to the other tabs. */
  pass: (message: TabMessage) => void
  lastId: string
  /** Checks the connection, if this tab has the stream and it may be dead. */
  wake: () => void
}

/** Keeps the stream open until the tab's signal aborts it. */
function holdStream(tab: Tab): void {
  const { workspace, signal, pass } = tab
  let source: EventSource | undefined
  let failures = 0
  let lastEventAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const resetSilence = () => {
    lastEventAt = Date.now()
    clearTimeout(silence)
    silence = setTimeout(reconnectLater, DEAD_MS)
  }
  const report = (connected: Connection) => {
    setState(connected)
    pass({ connected })
  }
  function reconnectLater() {
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
    // A stream that this page opens again cannot send Last-Event-ID itself.
    source = new EventSource(addressOf('dashboard', '/stream', { workspace, after: tab.lastId || undefined }))
    resetSilence()
    source.onopen = () => {
      resetSilence()
      failures = 0
      report('open')
    }
    source.onerror = reconnectLater
    source.addEventListener('ping', resetSilence)
    const onEvent = (event: MessageEvent<string>, extra: Partial<Frame> = {}) => {
      resetSilence()
      if (event.lastEventId) tab.lastId = event.lastEventId
      const frame = { ...(event.data ? (JSON.parse(event.data) as Frame) : {}), ...extra }
      // Data that was read before the stream began may be outdated.
      if (isFirst && event.lastEventId) readSince()
      if (event.lastEventId) isFirst = false
      receive(frame)
      pass({ frame, lastId: tab.lastId })
    }
    source.onmessage = (event) => onEvent(event)
    source.addEventListener('reset', (event) => onEvent(event, { reset: true }))
    source.addEventListener('presence', (event) => onEvent(event))
  }

  tab.wake = () => {
    // Timers stop while a machine sleeps: only the clock shows how long the stream was silent.
    if (state === 'lost' || Date.now() - lastEventAt > SILENT_MS) connect()
  }
  addEventListener('online', connect, { signal })
  addEventListener('offline', reconnectLater, { signal })
  signal.addEventListener('abort', () => {
    source?.close()
    clearTimeout(timer)
    clearTimeout(silence)
  })
  connect()
}

const isSeen = (): boolean => document.visibilityState === 'visible'

/** Opens a stream only while the tab is visible, if every tab has its own stream. */
function streamWhileVisible(workspace: string, signal: AbortSignal): void {
  let controller: AbortController | undefined
  let tab: Tab | undefined
  let lastId = ''
  const checkVisibility = () => {
    if (isSeen() && !controller) {
      controller = new AbortController()
      tab = { workspace, signal: controller.signal, pass: () => {}, lastId, wake: () => {} }
      holdStream(tab)
    } else if (isSeen()) tab?.wake()
    else {
      lastId = tab?.lastId ?? lastId
      controller?.abort()
      controller = undefined
    }
  }
  document.addEventListener('visibilitychange', checkVisibility, { signal })
  signal.addEventListener('abort', () => controller?.abort())
  checkVisibility()
}

/** Listens to the workspace; returns a function that stops listening. */
export function listen(workspace: string): () => void {
  const controller = new AbortController()
  const { signal } = controller
  if (!navigator.locks) {
    streamWhileVisible(workspace, signal)
    return () => controller.abort()
  }
  const name = `parley-stream-${workspace}`
  const channel = new BroadcastChannel(name)
  const tab: Tab = {
    workspace,
    signal,
    pass: (message) => channel.postMessage(message),
    lastId: '',
    wake: () => tab.pass({ wake: true }),
  }
  let isHolding = false
  let nudge: ReturnType<typeof setTimeout> | undefined
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.wake && isHolding) tab.wake()
    if (data.who && isHolding) tab.pass({ connected: state, frame: currentPresence(), lastId: tab.lastId })
    if (isHolding) return
    if (data.lastId) tab.lastId = data.lastId
    if (data.frame) receive(data.frame)
    if (!data.connected) return
    setState(data.connected)
    // Timers of a hidden tab are slow, so a visible tab asks it to check.
    clearTimeout(nudge)
    if (data.connected === 'lost' && isSeen()) nudge = setTimeout(tab.wake, NUDGE_MS)
  }
  tab.pass({ who: true })
  navigator.locks
    .request(name, { signal }, () => {
      isHolding = true
      holdStream(tab)
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    })
    .catch(() => {})
  const wake = () => isSeen() && tab.wake()
  document.addEventListener('visibilitychange', wake, { signal })
  // A frozen tab resumes.
  document.addEventListener('resume', wake, { signal })
  addEventListener('pageshow', wake, { signal })
  signal.addEventListener('abort', () => {
    clearTimeout(nudge)
    channel.close()
  })
  return () => controller.abort()
}
