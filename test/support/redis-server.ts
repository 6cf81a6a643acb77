import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** The path of a Redis or Valkey server on this machine, if it is installed. */
export function findRedisBinary(): string | undefined {
  for (const name of ['redis-server', 'valkey-server'])
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    } catch {
      // Not installed under this name.
    }
  return undefined
}

/** Below the range for outgoing connections, so that no outgoing connection takes the port meanwhile. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]

/** Returns a port of the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/**
 * Starts a private Redis server without persistence, which can be killed and started again on the same port.
 * `settings` are additional options of Redis.
 */
export async function startRedis(binary: string, settings: string[] = []) {
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start() {
    const started = spawn(
      binary,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...settings],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    child = started
    for await (const line of createInterface({ input: started.stdout }))
      if (line.includes('eady to accept connections')) {
        started.stdout.resume()
        return
      }
    throw new Error('the Redis server did not start')
  }

  async function kill() {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
  }
}
