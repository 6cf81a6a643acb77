/**
 * Keeps connections for outbound calls alive for each origin. It takes the most recently used free
 * connection: that takes constant time, while undici's pool scans all busy ones, and unneeded connections
 * become idle and are closed.
 */
import { type Client, Dispatcher, errors } from 'undici'

export type Connections = {
  /** Sends calls over these connections. */
  dispatcher: Dispatcher
  /** Closes all connections; calls in flight and waiting calls fail. */
  destroy(): Promise<void>
}

export type ConnectionOptions = {
  /** Creates a connection to an origin. It opens with its first call and carries one call at a time. */
  connection(origin: string): Client
  /** The maximum number of connections to one origin; further calls wait in order. */
  perOrigin: number
  /** Milliseconds after which an open connection carries no further call. */
  lifetimeMs: number
}

type Call = { options: Dispatcher.DispatchOptions; handler: Dispatcher.DispatchHandler }

/** `openedAtMs` is null while the connection is not open. */
type Connection = { client: Client; free: boolean; openedAtMs: number | null }

type OriginConnections = { send(call: Call): void; destroy(): Promise<unknown> }

/** Calls `onUnused` when no connection is open and no call waits. */
function originConnections(
  make: () => Client,
  { perOrigin, lifetimeMs, onUnused }: Omit<ConnectionOptions, 'connection'> & { onUnused(): void },
): OriginConnections {
  const inUse = new Set<Connection>()
  /** Connections that close after their current calls. */
  const retiring = new Set<Client>()
  const free: Connection[] = []
  const line = new Set<Call>()

  const isUsable = ({ openedAtMs }: Connection): boolean =>
    openedAtMs !== null && performance.now() - openedAtMs <= lifetimeMs

  const retire = (connection: Connection): void => {
    if (!inUse.delete(connection)) return
    if (connection.free) free.splice(free.indexOf(connection), 1)
    connection.free = false
    retiring.add(connection.client)
    connection.client.close(() => {
      retiring.delete(connection.client)
      if (inUse.size + retiring.size + line.size === 0) onUnused()
    })
  }

  const release = (connection: Connection): void => {
    if (connection.free || !inUse.has(connection)) return
    if (!isUsable(connection)) retire(connection)
    else {
      connection.free = true
      free.push(connection)
    }
    serveLine()
  }

  const open = (): Connection => {
    const connection: Connection = { client: make(), free: false, openedAtMs: null }
    inUse.add(connection)
    connection.client
      .on('connect', () => {
        connection.openedAtMs = performance.now()
      })
      .on('disconnect', () => {
        connection.openedAtMs = null
        if (connection.free) retire(connection)
      })
      .on('connectionError', () => {
        retire(connection)
        serveLine()
      })
      .on('drain', () => release(connection))
    return connection
  }

  const take = (): Connection | undefined => {
    for (let connection = free.at(-1); connection; connection = free.at(-1)) {
      if (isUsable(connection)) {
        free.pop()
        connection.free = false
        return connection
      }
      retire(connection)
    }
    return inUse.size < perOrigin ? open() : undefined
  }

  const carry = (connection: Connection, { options, handler }: Call): void => {
    // A busy connection releases itself later. A call that could not be sent never does, so it is released
    // here.
    if (connection.client.dispatch(options, handler) || connection.client.stats.size === 0)
      release(connection)
  }

  const serveLine = (): void => {
    for (const call of line) {
      const connection = take()
      if (connection === undefined) return
      line.delete(call)
      carry(connection, call)
    }
  }

  return {
    send: (call) => {
      const connection = take()
      if (connection) carry(connection, call)
      else line.add(call)
    },
    destroy: () => {
      const fault = new errors.ClientDestroyedError()
      const waiting = [...line]
      line.clear()
      const clients = [...retiring, ...Array.from(inUse, ({ client }) => client)]
      inUse.clear()
      for (const { handler } of waiting) refuse(handler, fault)
      return Promise.all(clients.map((client) => client.destroy(fault)))
    },
  }
}

// The call never started, so there is no controller.
const refuse = (handler: Dispatcher.DispatchHandler, fault: Error): void =>
  handler.onResponseError?.(null as unknown as Dispatcher.DispatchController, fault)

/** Opens connections for calls to any origin. An origin without open connections uses no memory. */
export function openConnections({ connection, ...options }: ConnectionOptions): Connections {
  const origins = new Map<string, OriginConnections>()
  let destroyed = false

  const connectionsTo = (origin: string): OriginConnections => {
    const existing = origins.get(origin)
    if (existing) return existing
    const created = originConnections(() => connection(origin), {
      ...options,
      onUnused: () => {
        if (origins.get(origin) === created) origins.delete(origin)
      },
    })
    origins.set(origin, created)
    return created
  }

  return {
    dispatcher: Object.assign(new Dispatcher(), {
      dispatch: (call: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
        if (destroyed) refuse(handler, new errors.ClientDestroyedError())
        else connectionsTo(String(call.origin)).send({ options: call, handler })
        return true
      },
    }),
    destroy: async () => {
      destroyed = true
      await Promise.all(Array.from(origins.values(), (connections) => connections.destroy()))
    },
  }
}
