/**
 * Two database machines under Patroni, with etcd and HAProxy, from the files of deploy/patroni. Only addresses, folders, and
 * TLS differ from those files. All programs are Debian's.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { request } from 'undici'
import { findRunAs, spawnArguments } from '../../src/database/embedded-user.ts'
import { family, killAll } from './process-family.ts'
import { freePort } from './redis-server.ts'
import { systemPostgres } from './standby-pair.ts'
import { until } from './until.ts'

const RECIPE = join(import.meta.dirname, '../../deploy/patroni')
const PROGRAMS = { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy' }
const PASSWORD = 'CHANGE-ME-1'

/** Returns the names of programs that this machine lacks. */
export const missingForPatroni = (): string[] => [
  ...Object.entries(PROGRAMS)
    .filter(([, path]) => !existsSync(path))
    .map(([name]) => name),
  ...(systemPostgres() ? [] : ['postgresql']),
]

export type Machine = {
  name: string
  /** Kills Patroni and PostgreSQL. */
  kill(): void
  /** Starts Patroni again. */
  start(): void
  /** Whether Patroni says that this machine has the role. */
  is(role: 'primary' | 'sync'): Promise<boolean>
}

export type PatroniCluster = {
  machines: [Machine, Machine]
  /** The address of the service's database at HAProxy. */
  url: string
  primary(): Promise<Machine | undefined>
  /** Asks Patroni for a planned switch-over. */
  switchOver(): Promise<void>
  remove(): Promise<void>
}

type Ports = { postgres: number; api: number }

/** Starts everything, and creates the empty database `parley` of the role `parley`. */
export async function startPatroni(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-patroni-'))
  const runAs = findRunAs(PROGRAMS.patroni, folder)
  if (!runAs) throw new Error('PostgreSQL cannot run as another user on this machine.')
  const own = (path: string) => runAs.uid !== undefined && chownSync(path, runAs.uid, runAs.gid!)
  own(folder)
  const children: ChildProcess[] = []
  let output = ''
  const run = (program: string, ...args: string[]): ChildProcess => {
    const [file, parameters, options] = spawnArguments(runAs, program, args)
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' }
    const child = spawn(file, parameters, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-8_000)
      })
    children.push(child)
    return child
  }
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const places: [Ports, Ports] = [
    { postgres: await freePort(), api: await freePort() },
    { postgres: await freePort(), api: await freePort() },
  ]
  const etcd = `http://127.0.0.1:${etcdPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  run(
    ...([PROGRAMS.etcd, '--data-dir', join(folder, 'etcd'), '--listen-client-urls', etcd] as const),
    '--advertise-client-urls',
    etcd,
    '--listen-peer-urls',
    peer,
    '--initial-advertise-peer-urls',
    peer,
    '--initial-cluster',
    `default=${peer}`,
  )
  await untilStatus(`${etcd}/health`, 'etcd answers')

  const machineOf = (index: 0 | 1): Machine => {
    const [name, ports] = [`db${index + 1}`, places[index]]
    const home = join(folder, name)
    mkdirSync(home)
    own(home)
    const file = join(home, 'patroni.yml')
    writeFileSync(file, settingsOf(name, ports, { home, etcdPort }))
    let child: ChildProcess | undefined
    const start = () => {
      child = run(PROGRAMS.patroni, file)
    }
    start()
    return {
      name,
      start,
      // PostgreSQL's main process leaves the family of the process that started it.
      kill: () => {
        const pidFile = join(home, 'data/postmaster.pid')
        const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
        killAll([...family(child!.pid!), ...family(postmaster)])
      },
      is: (role) => hasStatus(`http://127.0.0.1:${ports.api}/${role}`),
    }
  }
  const machines: [Machine, Machine] = [machineOf(0), machineOf(1)]
  const primary = async () => {
    for (const machine of machines) if (await machine.is('primary')) return machine
    return undefined
  }
  const proxyFile = join(folder, 'haproxy.cfg')
  writeFileSync(proxyFile, proxySettingsOf(proxyPort, places))
  run(PROGRAMS.haproxy, '-f', proxyFile)
  const atProxy = (user: string, database: string) => `postgres://${user}@127.0.0.1:${proxyPort}/${database}`
  const remove = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exited = once(child, 'exit')
      killAll(family(child.pid!))
      await exited
    }
    for (const machine of machines)
      try {
        machine.kill()
      } catch {
        // It does not run.
      }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await untilPaired(machines)
    await until(async () => {
      const client = new pg.Client(atProxy(`postgres:${PASSWORD}`, 'postgres'))
      await client.connect()
      await client.query("create role parley login createrole password 'parley'")
      await client.query('create database parley owner parley')
      await client.end()
      return true
    }, 'HAProxy leads to the primary')
  } catch (error) {
    const lastOutput = output
    await remove()
    throw new Error(`${(error as Error).message}\n${lastOutput}`, { cause: (error as Error).cause })
  }
  return {
    machines,
    url: atProxy('parley:parley', 'parley'),
    primary,
    switchOver: async () => {
      const leader = await primary()
      const api = places[machines.indexOf(leader!)]!.api
      const answer = await request(`http://127.0.0.1:${api}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader!.name }),
      })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`Patroni refused the switch-over: ${text}`)
    },
    remove,
  }
}

/** Waits until one machine is the primary, and the other its synchronous standby. */
export const untilPaired = (machines: Machine[]): Promise<unknown> =>
  until(
    async () => {
      const roles = await Promise.all(
        machines.map(async (machine) => [await machine.is('primary'), await machine.is('sync')]),
      )
      return roles.some(([isPrimary]) => isPrimary) && roles.some(([, isStandby]) => isStandby)
    },
    'one machine is the primary, and the other its standby',
    90_000,
  )

const hasStatus = async (url: string): Promise<boolean> => {
  try {
    const answer = await request(url)
    await answer.body.dump()
    return answer.statusCode === 200
  } catch {
    return false
  }
}
const untilStatus = (url: string, label: string) => until(() => hasStatus(url), label)

function settingsOf(
  name: string,
  ports: Ports,
  { home, etcdPort }: { home: string; etcdPort: number },
): string {
  return readFileSync(join(RECIPE, 'patroni.yml'), 'utf8')
    .replace('name: db1', `name: ${name}`)
    .replaceAll('10.0.0.11:8008', `127.0.0.1:${ports.api}`)
    .replaceAll('10.0.0.11:5432', `127.0.0.1:${ports.postgres}`)
    .replace(/hosts: .*/, `hosts: 127.0.0.1:${etcdPort}`)
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replaceAll('hostssl', 'host')
    .replace(/\n {4}ssl.*/g, '')
    .replace(/data_dir: .*/, `data_dir: ${join(home, 'data')}`)
    .replace(/bin_dir: .*/, `bin_dir: ${systemPostgres()}`)
    .replace(/pgpass: .*/, `pgpass: ${join(home, 'pgpass')}`)
    .replace(/unix_socket_directories: .*/, `unix_socket_directories: ${home}`)
}

function proxySettingsOf(port: number, places: [Ports, Ports]): string {
  let text = readFileSync(join(RECIPE, 'haproxy.cfg'), 'utf8').replaceAll(
    '127.0.0.1:5000',
    `127.0.0.1:${port}`,
  )
  for (const [i, { postgres, api }] of places.entries())
    text = text.replace(`10.0.0.1${i + 1}:5432 check port 8008`, `127.0.0.1:${postgres} check port ${api}`)
  return text
}
