/**
 * Says whether the process that uses a name still lives. It listens on a socket of that name in the folder of the journals: the
 * system closes it when the process ends, however it ends, and refuses callers from then on. This holds between containers that
 * share the folder, where numbers of processes mean nothing.
 */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export type LivingName = {
  name: string
  /** `unknown`: there is no socket, or it may not be asked. */
  isAlive(name: string): Promise<'alive' | 'dead' | 'unknown'>
  /** Stops listening; `forGood` takes the name away, too. */
  release(forGood: boolean): Promise<void>
}

export const socketOf = (name: string): string => `${name}.sock`
const draftOf = (name: string): string => `${name}.tmp`
/** Whose socket a file is, or was about to be. */
export const holderOfSocket = (file: string): string | undefined =>
  /^([0-9a-f-]{36})\.(?:sock|tmp)$/.exec(file)?.[1]

/** Takes a name that nobody has used. Rejects where the folder can hold no sockets. */
export async function takeName(folder: string, name: string): Promise<LivingName> {
  const folderFd = openSync(folder, 'r')
  // Addresses of sockets are limited to some 100 bytes, folders are not.
  const addressOf = (file: string): string => `/proc/self/fd/${folderFd}/${file}`
  const server = createServer((socket) => socket.destroy())
  server.unref()
  const draft = draftOf(name)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(addressOf(draft), resolve)
    })
    // It appears once it listens, so that a process that starts is never taken for a dead one.
    renameSync(join(folder, draft), join(folder, socketOf(name)))
  } catch (error) {
    server.close()
    closeSync(folderFd)
    throw error
  }
  // A caller that could not be accepted heard all the same that somebody listens.
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
