/**
 * The connections that calls go out by, kept alive by origin. The free one that was used last is taken first: it is found at
 * once, where undici's own pool walks past all that are busy, and those that are not needed grow idle and are closed.
 */
import { type Client, Dispatcher, errors } from 'undici'

export type Connections = {
  /** Sends calls by these connections. */
  dispatcher: Dispatcher
  /** Ends all connections; calls under way and those that wait fail. */
  destroy(): Promise<void>
}

export type ConnectionOptions = {
  /** Makes a connection to an origin that opens with its first call and carries one call at a time. */
  connection(origin: string): Client
  /** At most so many to one origin; further calls wait in turn. */
  perOrigin: number
  /** An open connection that is older carries no further call. */
  lifetimeMs: number
}

type Call = { options: Dispatcher.DispatchOptions; handler: Dispatcher.DispatchHandler }

/** `openedAtMs` is null while it is not open. */
type Connection = { client: Client; free: boolean; openedAtMs: number | null }

type OriginConnections = { send(call: Call): void; destroy(): Promise<unknown> }

/** `onUnused` is called whenever nothing is open and nothing waits. */
function originConnections(
  make: () => Client,
  { perOrigin, lifetimeMs, onUnused }: Omit<ConnectionOptions, 'connection'> & { onUnused(): void },
): OriginConnections {
  const inUse = new Set<Connection>()
  /** Those that end with the calls that they carry. */
  const retiring = new Set<Client>()
  const free: Connection[] = []
  const line = new Set<Call>()

  const isUsable = ({ openedAtMs }: Connection): boolean =>
    openedAtMs !== null && performance.now() - openedAtMs <= lifetimeMs

  const retire = (one: Connection): void => {
    if (!inUse.delete(one)) return
    if (one.free) free.splice(free.indexOf(one), 1)
    one.free = false
    retiring.add(one.client)
    one.client.close(() => {
      retiring.delete(one.client)
      if (inUse.size + retiring.size + line.size === 0) onUnused()
    })
  }

  const release = (one: Connection): void => {
    if (one.free || !inUse.has(one)) return
    if (!isUsable(one)) retire(one)
    else {
      one.free = true
      free.push(one)
    }
    serveLine()
  }

  const open = (): Connection => {
    const one: Connection = { client: make(), free: false, openedAtMs: null }
    inUse.add(one)
    one.client
      .on('connect', () => {
        one.openedAtMs = performance.now()
      })
      .on('disconnect', () => {
        one.openedAtMs = null
        if (one.free) retire(one)
      })
      .on('connectionError', () => {
        retire(one)
        serveLine()
      })
      .on('drain', () => release(one))
    return one
  }

  const take = (): Connection | undefined => {
    for (let one = free.at(-1); one; one = free.at(-1)) {
      if (isUsable(one)) {
        free.pop()
        one.free = false
        return one
      }
      retire(one)
    }
    return inUse.size < perOrigin ? open() : undefined
  }

  const carry = (one: Connection, { options, handler }: Call): void => {
    // One that is busy says so when it is free again; one that was not given the call, because it cannot be sent, does not.
    if (one.client.dispatch(options, handler) || one.client.stats.size === 0) release(one)
  }

  const serveLine = (): void => {
    for (const call of line) {
      const one = take()
      if (one === undefined) return
      line.delete(call)
      carry(one, call)
    }
  }

  return {
    send: (call) => {
      const one = take()
      if (one) carry(one, call)
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

// It was never begun, so there is nothing to control.
const refuse = (handler: Dispatcher.DispatchHandler, fault: Error): void =>
  handler.onResponseError?.(null as unknown as Dispatcher.DispatchController, fault)

/** Opens the way out for calls to any origin; nothing is kept of one to which nothing is open. */
export function openConnections({ connection, ...options }: ConnectionOptions): Connections {
  const origins = new Map<string, OriginConnections>()
  let destroyed = false

  const connectionsTo = (origin: string): OriginConnections => {
    const known = origins.get(origin)
    if (known) return known
    const made = originConnections(() => connection(origin), {
      ...options,
      onUnused: () => {
        if (origins.get(origin) === made) origins.delete(origin)
      },
    })
    origins.set(origin, made)
    return made
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
      await Promise.all(Array.from(origins.values(), (one) => one.destroy()))
    },
  }
}
