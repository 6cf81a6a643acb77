import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** The path of a Redis or Valkey server on this machine, if it has one. */
export function findRedisBinary(): string | undefined {
  for (const name of ['redis-server', 'valkey-server'])
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    } catch {
      // Not this one.
    }
  return undefined
}

/** A port of the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A private Redis server without persistence, which can be killed and started again on the same port. `settings` are more of its options. */
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
