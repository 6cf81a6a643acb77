/**
 * A primary and a standby, made with the PostgreSQL of the system (Debian's package `postgresql`). Both listen on
 * 127.0.0.1. The embedded PostgreSQL has no `pg_basebackup`.
 */
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findRunAs, spawnArguments } from '../../src/database/embedded-user.ts'
import { family, killAll } from './process-family.ts'
import { freePort } from './redis-server.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const VERSIONS = '/usr/lib/postgresql'

/** Returns the folder of the newest installed PostgreSQL's programs; undefined without one. */
export function systemPostgres(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const newest = readdirSync(VERSIONS)
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
    .find((version) => existsSync(join(VERSIONS, String(version), 'bin/pg_basebackup')))
  return newest === undefined ? undefined : join(VERSIONS, String(newest), 'bin')
}

export type Node = {
  port: number
  /** Starts it, and waits until it answers. */
  start(): Promise<void>
  /** Stops it in order: it hands everything to its standby first. */
  stop(): Promise<void>
  /** Kills all its processes. */
  kill(): void
  /** Makes a standby the primary. */
  promote(): Promise<void>
  /** Lets a standby receive what the primary writes, without applying it. */
  pauseReplay(): Promise<void>
  /** Lets a standby receive nothing more. */
  stopReceiving(): Promise<void>
  /** The bytes of the log that a standby has received and not applied. */
  countUnapplied(): Promise<number>
  /** Starts a stopped or killed former primary as a standby of the new one. */
  rejoin(primary: Node): Promise<void>
  query<Row>(text: string): Promise<Row[]>
}

export type StandbyPair = {
  nodes: [Node, Node]
  /** The address of the service's database with both hosts. */
  url: string
  remove(): Promise<void>
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
wal_level = replica
hot_standby = on
wal_keep_size = '256MB'
wal_log_hints = on
max_connections = 100
`

/** Creates the pair with an empty database `parley` of the role `parley`. The standby is synchronous unless the options say otherwise. */
export async function startStandbyPair(
  programs: string,
  { isSynchronous = true }: { isSynchronous?: boolean } = {},
): Promise<StandbyPair> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-standby-'))
  const runAs = findRunAs(join(programs, 'postgres'), folder)
  if (!runAs) throw new Error('PostgreSQL cannot run as another user on this machine.')
  if (runAs.uid !== undefined) chownSync(folder, runAs.uid, runAs.gid!)
  const call = async (program: string, ...args: string[]): Promise<void> => {
    const [file, parameters, options] = spawnArguments(runAs, join(programs, program), args)
    await run(file, parameters, { ...options, env: { ...process.env, LC_ALL: 'C.UTF-8' } } as object)
  }
  const ports: [number, number] = [await freePort(), await freePort()]
  const places = [join(folder, 'first'), join(folder, 'second')] as const
  const queryOn = async <Row>(port: number, text: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
    await client.connect()
    try {
      return (await client.query(text)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  const followAs = (place: string, port: number): void => {
    writeFileSync(join(place, 'standby.signal'), '')
    const lines = [
      `primary_conninfo = '${sourceAt(port)} application_name=standby'`,
      // Inherited from the primary, it would make the promoted standby wait for a standby that is gone.
      "synchronous_standby_names = ''",
    ]
    appendFileSync(join(place, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  }
  const nodeAt = (index: 0 | 1): Node => {
    const [place, port] = [places[index], ports[index]]
    const control = (...args: string[]) => call('pg_ctl', '-D', place, '-w', ...args)
    const start = () =>
      control('-l', `${place}.log`, '-o', `-p ${port}`, 'start').catch((error: Error) => {
        throw new Error(`${error.message}\n${readFileSync(`${place}.log`, 'utf8').slice(-2_000)}`)
      })
    return {
      port,
      start,
      stop: () => control('-m', 'fast', 'stop'),
      kill: () => {
        const [pid = ''] = readFileSync(join(place, 'postmaster.pid'), 'utf8').split('\n')
        killAll(family(Number(pid)))
        rmSync(join(place, 'postmaster.pid'), { force: true })
      },
      promote: () => control('promote'),
      pauseReplay: async () => {
        await queryOn(port, 'select pg_wal_replay_pause()')
      },
      stopReceiving: async () => {
        await queryOn(port, "alter system set primary_conninfo = ''")
        await queryOn(port, 'select pg_reload_conf()')
        await until(
          async () => (await queryOn(port, 'select from pg_stat_wal_receiver')).length === 0,
          'the standby receives nothing',
        )
      },
      countUnapplied: async () => {
        const [row] = await queryOn<{ bytes: string }>(
          port,
          'select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) as bytes',
        )
        return Number(row!.bytes)
      },
      rejoin: async (primary) => {
        // Until its first checkpoint, the new primary names its old timeline, which pg_rewind would follow.
        await primary.query('checkpoint')
        // A killed primary may have written what no standby received; this takes it back.
        await call('pg_rewind', '-D', place, `--source-server=${sourceAt(primary.port)} dbname=postgres`)
        followAs(place, primary.port)
        await start()
        await waitForStandby(primary, isSynchronous)
      },
      query: (text) => queryOn(port, text),
    }
  }
  const nodes: [Node, Node] = [nodeAt(0), nodeAt(1)]
  await call('initdb', '-D', places[0], '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync')
  appendFileSync(join(places[0], 'postgresql.conf'), SETTINGS)
  await nodes[0].start()
  await nodes[0].query('create role parley login createrole')
  await nodes[0].query('create database parley owner parley')
  await call('pg_basebackup', '-D', places[1], '-d', sourceAt(ports[0]), '-c', 'fast')
  followAs(places[1], ports[0])
  await nodes[1].start()
  await waitForStandby(nodes[0], isSynchronous)
  return {
    nodes,
    url: `postgres://parley@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/parley?target_session_attrs=read-write`,
    remove: async () => {
      for (const node of nodes) await node.stop().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const sourceAt = (port: number): string => `host=127.0.0.1 port=${port} user=postgres`

/** Waits until the primary has its standby. A synchronous one has each commit on its disk before the primary confirms it. */
async function waitForStandby(primary: Node, isSynchronous: boolean): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '${isSynchronous ? 'standby' : ''}'`)
  await primary.query('select pg_reload_conf()')
  const state = isSynchronous ? 'sync' : 'async'
  await until(async () => {
    const rows = await primary.query<{ state: string }>(
      "select sync_state as state from pg_stat_replication where state = 'streaming'",
    )
    return rows.some((row) => row.state === state)
  }, `the standby is ${state}`)
}
