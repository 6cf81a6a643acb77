import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { withCellSetting } from '../../test/support/cell.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { onServer } from '../../test/support/global-setup.ts'
import { tcpProxy } from '../../test/support/tcp-proxy.ts'
import { readConfig } from '../config.ts'
import { DEFAULT_CELL, withCell } from '../core/values/cell.ts'
import { withDatabase } from '../database/on-database.ts'
import { requireReachableDatabase } from './reachable-database.ts'

const check = (env: Record<string, string>) => requireReachableDatabase(readConfig(withCellSetting(env), '/'))

test('an unreachable database is reported with the name of its variable, without its password', async () => {
  const { url, drop } = await createTestDatabase()
  try {
    await check({})
    await check({ DATABASE_URL: url, PARLEY_LISTEN_DATABASE_URL: url })
    const unreachableUrl = 'postgres://parley:secret-word@127.0.0.1:1/parley'
    const fault = await check({
      DATABASE_URL: unreachableUrl,
      PARLEY_LISTEN_DATABASE_URL: unreachableUrl,
    }).catch((error) => error)
    expect(fault.faults).toEqual([
      "DATABASE_URL: The database can't be reached: connect ECONNREFUSED 127.0.0.1:1",
      "PARLEY_LISTEN_DATABASE_URL: The database can't be reached: connect ECONNREFUSED 127.0.0.1:1",
    ])
    const missingDatabaseUrl = new URL(url)
    missingDatabaseUrl.pathname = '/nowhere'
    await expect(check({ DATABASE_URL: missingDatabaseUrl.href })).rejects.toThrow(
      'DATABASE_URL: The database can\'t be reached: database "nowhere" does not exist',
    )
    await expect(check({ DATABASE_URL: `${url}&sslrootcert=/no/ca.pem` })).rejects.toThrow(
      "DATABASE_URL: The database can't be reached: ENOENT: no such file or directory, open '/no/ca.pem'",
    )
  } finally {
    await drop()
  }
})

test('of several hosts, the one that accepts writes is used, and each host that does not is named', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { username, password, pathname, hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const proxy = await tcpProxy({
    reach: () => (folder ? connect(join(folder, '.s.PGSQL.5432')) : connect(Number(port || 5432), hostname)),
  })
  onTestFinished(proxy.close)
  const withHosts = (hosts: string) => ({
    DATABASE_URL: `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
  })
  const reachable = `127.0.0.1:${proxy.port()}`
  await check(withHosts(`127.0.0.1:1,${reachable}`))
  await expect(check(withHosts('127.0.0.1:1,127.0.0.1:2'))).rejects.toThrow(
    "DATABASE_URL: The database can't be reached: None of the database's hosts accepts writes: 127.0.0.1:1 (ECONNREFUSED), 127.0.0.1:2 (ECONNREFUSED).",
  )
  await onServer(url, `alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
  await expect(check(withHosts(`127.0.0.1:1,${reachable}`))).rejects.toThrow(
    `127.0.0.1:1 (ECONNREFUSED), ${reachable} (read-only).`,
  )
})

test('a database in another encoding than UTF-8 is rejected', async () => {
  const { adminUrl } = inject('testServer')
  const name = `latin_${randomUUID().replaceAll('-', '')}`
  await onServer(
    adminUrl,
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  )
  onTestFinished(() => onServer(adminUrl, `drop database ${name}`))
  await expect(check({ DATABASE_URL: withDatabase(adminUrl, name) })).rejects.toThrow(
    "DATABASE_URL: The database uses the encoding LATIN1. Use a database created with encoding 'UTF8'.",
  )
})

test('a database whose tables would not be in the schema public is rejected', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const url = withCell(database.url, DEFAULT_CELL)
  const name = new URL(url).pathname.slice(1)
  await onServer(url, 'create schema ours')
  for (const [path, target] of [
    ['ours, public', 'the schema ours'],
    ['theirs', 'no schema'],
  ]) {
    await onServer(url, `alter database ${name} set search_path = ${path}`)
    await expect(check({ DATABASE_URL: url })).rejects.toThrow(
      `DATABASE_URL: New tables would go to ${target}. Let the search_path of the database user start with public.`,
    )
  }
})

test('a database without the cell is reported with the command that creates it', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  await expect(check({ DATABASE_URL: url, PARLEY_SCHEMA: 'c99' })).rejects.toThrow(
    'PARLEY_SCHEMA: This database has no cell c99. Create it with "parley cell create c99", or correct PARLEY_SCHEMA.',
  )
})
