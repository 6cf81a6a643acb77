import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './redis-server.ts'
import { until } from './until.ts'

/** The path of PgBouncer on this machine, if it is installed. */
export function findPgbouncer(): string | undefined {
  try {
    const path = `${process.env.PATH}:/usr/sbin`
    return execFileSync('sh', ['-c', 'command -v pgbouncer'], {
      encoding: 'utf8',
      env: { PATH: path },
    }).trim()
  } catch {
    return undefined
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.unref().setTimeout(500, () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })

/**
 * Starts PgBouncer in transaction mode with `poolSize` connections to the server of `databaseUrl`. Each key
 * of `queries` names a PgBouncer database in front of the same database; its connections start with that
 * connect_query (none if empty).
 */
export async function startPgbouncer(
  binary: string,
  databaseUrl: string,
  poolSize: number,
  queries: Record<string, string>,
) {
  const { hostname, port: serverPort, pathname, username, password, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'))
  const behind = `host=${host} port=${searchParams.get('port') ?? (serverPort || 5432)} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}`
  const file = join(folder, 'pgbouncer.ini')
  const databases = Object.entries(queries).map(
    ([name, query]) => `${name} = ${behind}${query === '' ? '' : ` connect_query='${query}'`}`,
  )
  const settings = `listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
auth_type = any`
  writeFileSync(file, `[databases]\n${databases.join('\n')}\n[pgbouncer]\n${settings}\n`)
  // PgBouncer refuses to run as root, but the owner of the server's socket may connect there.
  const owner = process.getuid?.() === 0 && host.startsWith('/') ? statSync(host) : undefined
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chownSync(file, owner.uid, owner.gid)
  }
  chmodSync(file, 0o600)
  const child: ChildProcess = spawn(binary, [file], {
    ...(owner ? { uid: owner.uid, gid: owner.gid } : {}),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(output)
    return answers(port)
  }, 'PgBouncer listens')
  return {
    url: (name: string) => `postgres://${username}@127.0.0.1:${port}/${name}`,
    output: () => output,
    close: async () => {
      if (child.exitCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
