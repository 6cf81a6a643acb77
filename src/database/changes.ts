import pg from 'pg'

/** Hears what other processes announce (trigger `announce` in the migrations). */
export type ChangeListener = { close(): Promise<void> }

export type ChangeOptions = {
  url: string
  /** A workspace whose settings, keys, numbers or endpoints changed. */
  onChange(workspaceId: string): void
  /** The line came up (everything remembered may be stale) or went down. */
  onLine(up: boolean): void
}

const RECONNECT_MS = 500

/** Keeps one listening connection open, reconnecting until closed. */
export function listenForChanges(options: ChangeOptions): ChangeListener {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const retry = () => {
    if (closed || timer) return
    options.onLine(false)
    timer = setTimeout(
      () => {
        timer = undefined
        void connect()
      },
      RECONNECT_MS * (0.5 + Math.random()),
    )
  }

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: 'parley changes',
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
    })
    client = next
    next.on('error', retry)
    next.on('end', retry)
    next.on('notification', (notice) => {
      if (notice.payload) options.onChange(notice.payload)
    })
    try {
      await next.connect()
      await next.query('listen parley_changes')
      options.onLine(true)
    } catch {
      retry()
    }
  }

  void connect()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      client?.removeAllListeners('end')
      await client?.end().catch(() => {})
    },
  }
}
