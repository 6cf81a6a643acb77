/**
 * Finds out whether the process with a given name is alive. Each process listens on a socket of that name in
 * the journal folder; the system closes it when the process ends. This works between containers that share
 * the folder, where process IDs mean nothing.
 */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export type LivingName = {
  name: string
  /** `unknown`: there is no socket, or this process may not connect to it. */
  isAlive(name: string): Promise<'alive' | 'dead' | 'unknown'>
  /** Stops listening; `forGood` also removes the name. */
  release(forGood: boolean): Promise<void>
}

export const socketOf = (name: string): string => `${name}.sock`
const draftOf = (name: string): string => `${name}.tmp`
/** Returns the name of the process to which a socket file, or its draft, belongs. */
export const holderOfSocket = (file: string): string | undefined =>
  /^([0-9a-f-]{36})\.(?:sock|tmp)$/.exec(file)?.[1]

/** Takes a name that no process has used. Rejects if the folder cannot contain sockets. */
export async function claimName(folder: string, name: string): Promise<LivingName> {
  const folderFd = openSync(folder, 'r')
  // Socket addresses are limited to about 100 bytes; folder paths are not.
  const addressOf = (file: string): string => `/proc/self/fd/${folderFd}/${file}`
  const server = createServer((socket) => socket.destroy())
  server.unref()
  const draft = draftOf(name)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(addressOf(draft), resolve)
    })
    // The socket appears only after it listens, so a starting process is never taken for a dead one.
    renameSync(join(folder, draft), join(folder, socketOf(name)))
  } catch (error) {
    server.close()
    closeSync(folderFd)
    throw error
  }
  // A caller that could not be accepted has still learned that this process is listening.
  server.on('error', () => {})

  return {
    name,
    isAlive: (other) =>
      new Promise((resolve) => {
        const socket = connect(addressOf(socketOf(other)))
        socket.once('connect', () => {
          socket.destroy()
          resolve('alive')
        })
        socket.once('error', (error: NodeJS.ErrnoException) =>
          resolve(error.code === 'ECONNREFUSED' ? 'dead' : 'unknown'),
        )
      }),
    release: async (forGood) => {
      if (forGood) rmSync(join(folder, socketOf(name)), { force: true })
      await new Promise((resolve) => server.close(resolve))
      closeSync(folderFd)
    },
  }
}
