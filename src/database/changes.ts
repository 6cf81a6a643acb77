import type { Socket } from 'node:net'
import pg from 'pg'
import { listeningLine } from './listening-line.ts'

/** Hears what is announced, by other processes too (triggers `announce` in the migrations). */
export type ChangeListener = {
  /** Resolves once everything that was committed before the call has been heard; waits while the line is down. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export type ChangeOptions = {
  url: string
  /** A workspace whose settings, keys, numbers or endpoints changed. */
  onChange(workspaceId: string): void
  /** Somebody's account or session changed. */
  onAccountChange?: (accountId: string) => void
  /** What somebody says of themselves to those who look on, as JSON. */
  onPresence?: (report: string) => void
  /** A workspace whose events were stripped of personal data. */
  onStrip(workspaceId: string): void
  /** The line came up (everything remembered may be stale) or went down. */
  onLine(up: boolean): void
}

/** What is announced there is in no table, and no transaction that writes announces it. */
export const PRESENCE_CHANNEL = 'parley_presence'

const RECONNECT_MS = 500
/** How often a line on which nothing is said is tried, and how long its answer may take. */
const HEARTBEAT_MS = 10_000
const ANSWER_MS = 5_000

const newClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: 'parley changes',
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    // Several may ask at once whether they are caught up.
    pipeline: true,
  })

/**
 * Hangs up when the other end does not answer, or takes no writes: a line whose way is gone, or whose server was replaced by
 * another, would stay silent for hours.
 */
function heartbeat(client: pg.Client): NodeJS.Timeout {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  return setInterval(() => {
    const late = setTimeout(() => stream.destroy(), ANSWER_MS)
    client
      .query<{ isReadOnly: boolean }>(`select current_setting('transaction_read_only')::bool as "isReadOnly"`)
      .then(({ rows }) => {
        if (rows[0]?.isReadOnly) stream.destroy()
      })
      .catch(() => {})
      .finally(() => clearTimeout(late))
  }, HEARTBEAT_MS)
}

/** Keeps one listening connection open, reconnecting until closed. */
export function listenForChanges(options: ChangeOptions): ChangeListener {
  const hear: Record<string, (id: string) => void> = {
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
    const next = newClient(options.url)
    client = next
    let beat: NodeJS.Timeout | undefined
    next.on('end', () => clearInterval(beat))
    next.on('error', retry)
    next.on('end', retry)
    next.on('notification', (notice) => {
      if (notice.payload) hear[notice.channel]?.(notice.payload)
    })
    try {
      await next.connect()
      await Promise.all(Object.keys(hear).map((channel) => next.query(`listen ${channel}`)))
      options.onLine(true)
      beat = heartbeat(next)
      line.up(next)
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
