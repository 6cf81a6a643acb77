import type { Socket } from 'node:net'
import type pg from 'pg'
import { connectionName } from '../core/values/cell.ts'
import { DatabaseClient } from './client.ts'
import { listeningLine } from './listening-connection.ts'
import { isReadOnly } from './writable-host.ts'

/** Receives announcements, also from other processes (triggers `announce` in the migrations). */
export type ChangeListener = {
  /** Resolves when every commit before the call has been received; waits while the connection is down. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export type ChangeOptions = {
  url: string
  /** The settings, keys, numbers, or endpoints of a workspace changed. */
  onChange(workspaceId: string): void
  /** An account or one of its sessions changed. */
  onAccountChange?: (accountId: string) => void
  /** A member's presence report for other viewers, as JSON. */
  onPresence?: (report: string) => void
  /** A workspace's events were stripped of personal data. */
  onStrip(workspaceId: string): void
  /** The connection came up (all caches may be stale) or went down. */
  onLine(up: boolean): void
}

/** Presence is in no table, and no writing transaction announces it. */
export const PRESENCE_CHANNEL = 'parley_presence'

/** The part in the connection's name. In version 1.0.0, which knows nothing about moves of workspaces, the name was EARLIER_LISTENER. */
const LISTENER = 'listener'
export const EARLIER_LISTENER = 'parley changes'

const RECONNECT_MS = 500
/** The interval of checks on an idle connection, and the maximum time for an answer. */
const HEARTBEAT_MS = 10_000
const ANSWER_MS = 5_000

const newClient = (url: string): pg.Client =>
  new DatabaseClient({
    connectionString: url,
    application_name: connectionName(url, LISTENER),
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    // Several callers may wait for `caughtUp` at the same time.
    pipeline: true,
  })

/**
 * Closes the connection when the server does not answer or accepts no writes: after a network failure or a
 * failover it would stay silent for hours.
 */
function heartbeat(client: pg.Client): NodeJS.Timeout {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  return setInterval(() => {
    const deadline = setTimeout(() => stream.destroy(), ANSWER_MS)
    isReadOnly(client)
      .then((readOnly) => {
        if (readOnly) stream.destroy()
      })
      .catch(() => {})
      .finally(() => clearTimeout(deadline))
  }, HEARTBEAT_MS)
}

/** Keeps one listening connection open and reconnects until closed. */
export function listenForChanges(options: ChangeOptions): ChangeListener {
  const handlers: Record<string, (id: string) => void> = {
    parley_changes: options.onChange,
    parley_strips: options.onStrip,
    parley_accounts: options.onAccountChange ?? (() => {}),
    [PRESENCE_CHANNEL]: options.onPresence ?? (() => {}),
  }
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const line = listeningLine()

  const retry = () => {
    if (closed || timer) return
    options.onLine(false)
    line.down()
    timer = setTimeout(
      () => {
        timer = undefined
        void connect()
      },
      RECONNECT_MS * (0.5 + Math.random()),
    )
  }

  const connect = async (): Promise<void> => {
    const newConnection = newClient(options.url)
    client = newConnection
    let heartbeatTimer: NodeJS.Timeout | undefined
    newConnection.on('end', () => clearInterval(heartbeatTimer))
    newConnection.on('error', retry)
    newConnection.on('end', retry)
    newConnection.on('notification', (notification) => {
      if (notification.payload) handlers[notification.channel]?.(notification.payload)
    })
    try {
      await newConnection.connect()
      await Promise.all(Object.keys(handlers).map((channel) => newConnection.query(`listen ${channel}`)))
      options.onLine(true)
      heartbeatTimer = heartbeat(newConnection)
      line.up(newConnection)
    } catch {
      retry()
    }
  }

  void connect()
  return {
    caughtUp: line.caughtUp,
    close: async () => {
      closed = true
      line.end()
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
