/**
 * Counts how often this process sends to the database and waits: everything written before the first answer
 * is one round trip.
 */
import type { Duplex } from 'node:stream'
import pg from 'pg'

type Connecting = { stream: Duplex; connect(port: number, host: string): void }

function watchStream(stream: Duplex, onTrip: () => void): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  let answered = true
  stream.on('data', () => {
    answered = true
  })
  stream.write = (...args: unknown[]) => {
    if (answered) onTrip()
    answered = false
    return write(...args)
  }
}

/** Starts counting, on connections opened from now on. */
export function countRoundTrips(): () => number {
  let trips = 0
  const connections = pg.Connection.prototype as unknown as Connecting
  const { connect } = connections
  connections.connect = function (this: Connecting, port, host) {
    connect.call(this, port, host)
    // Not earlier, because a connecting socket replaces its own `write`.
    watchStream(this.stream, () => trips++)
  }
  return () => trips
}
