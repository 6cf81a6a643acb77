import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The data received over one connection. */
export type Heard = {
  text: string
  /** Statuses of the answers, in order. */
  statuses: number[]
  /** True if the server closed the connection in time. */
  closed: boolean
}

export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))

/** Opens a connection to the server at `url` that sends only the given bytes. */
export async function rawConnection(url: string): Promise<{ socket: Socket; heard(): string }> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, heard: () => text }
}

/** Sends `bytes`, and reads until the server closes the connection or is silent for `patienceMs`. */
export async function speak(url: string, bytes: string | Buffer, patienceMs = 300): Promise<Heard> {
  const { socket, heard } = await rawConnection(url)
  return new Promise((resolve) => {
    const finish = (closed: boolean) => {
      socket.destroy()
      resolve({ text: heard(), statuses: statusesIn(heard()), closed })
    }
    socket.setTimeout(patienceMs, () => finish(false))
    for (const end of ['end', 'close'] as const) socket.once(end, () => finish(true))
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}
