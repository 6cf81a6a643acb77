import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, ConfigError } from './config.ts'

const FAULTS: Record<string, (at: Pick<Config, 'host' | 'port'>) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT: ${port} at ${host} is in use already: stop what listens there, or set PORT to a free one`,
  EACCES: ({ port }) => `PORT: this user may not listen on ${port}: set PORT to one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is no address of this machine`,
}

/** Tries whether the service could listen, before anything is started or made. Throws ConfigError, naming the variable. */
export async function requireFreeAddress({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new ConfigError([FAULTS[code]?.({ host, port }) ?? `HOST: cannot be listened on: ${message}`])
  }
  server.close()
  await once(server, 'close')
}
