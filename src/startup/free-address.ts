import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Config, ConfigError } from '../config.ts'

type Place = Pick<Config, 'host' | 'port'>

const FAULTS: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT: Port ${port} on ${host} is already in use. Stop the process that uses it, or set PORT to a free port.`,
  EACCES: ({ port }) => `PORT: This user can't listen on port ${port}. Set PORT to a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST: ${host} isn't an address of this machine. Set HOST to one, or to 0.0.0.0.`,
}
const CONNECT_TIMEOUT_MS = 1_000

/**
 * Checks whether the service could listen, before anything is started or created. It does not listen itself:
 * a waiting proxy would connect and get no answer. Throws ConfigError with the name of the variable.
 */
export async function requireFreeAddress({ host, port }: Place): Promise<void> {
  try {
    const { address, family } = await lookup(host)
    await requireBindable(address, family, port)
    if (port !== 0 && (await isListening(address, port)))
      throw Object.assign(new Error(), { code: 'EADDRINUSE' })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new ConfigError([
      FAULTS[code]?.({ host, port }) ?? `HOST: Can't listen on this address: ${message}`,
    ])
  }
}

/** Tries UDP, which no client notices: the address is this machine's, and this user may use the port. */
async function requireBindable(address: string, family: number, port: number): Promise<void> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  try {
    socket.bind({ port, address })
    await once(socket, 'listening')
  } catch (error) {
    // Another program's UDP port does not matter.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
  } finally {
    socket.close()
  }
}

const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns whether a program accepts connections there. */
async function isListening(address: string, port: number): Promise<boolean> {
  const socket = connect({ host: LOOPBACK[address] ?? address, port, timeout: CONNECT_TIMEOUT_MS })
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')])
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
