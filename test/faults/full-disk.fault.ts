/**
 * A machine without free descriptors or disk space (docs/reliability.md row 29). Needs root and Linux;
 * elsewhere the tests are skipped with a notice.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { withDatabase } from '../../src/database/on-database.ts'
import type { Client } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures } from '../support/fault-run.ts'
import { uploadOf } from '../support/files.ts'
import { onServer } from '../support/global-setup.ts'
import { type Admin, openAdmin, openShops } from '../support/load.ts'
import { rawConnection } from '../support/raw-http.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const possible = process.getuid?.() === 0 && existsSync('/usr/bin/prlimit')
if (!possible)
  recordFigures({ rows: '29', fault: 'no room', rounds: 0, note: 'NOT RUN: needs root and prlimit' })

const MIB = 1024 * 1024
const phone = (n: number): string => `+9198${20_000_000 + n}`

const expectNoRoom = ({ status, body, headers }: Awaited<ReturnType<Client['get']>>): void => {
  expect([status, body.error]).toEqual([503, 'service_unavailable'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
}

describe.skipIf(!possible)('descriptors', () => {
  const LIMIT = 256
  let database: TestDatabase
  let admin: Admin
  let installation: Installation
  let server: ServerProcess
  let shop: Client
  beforeAll(async () => {
    database = await createTestDatabase()
    admin = openAdmin(database.url)
    installation = await newInstallation({ DATABASE_URL: database.url }, ['prlimit', `--nofile=${LIMIT}`])
    server = await installation.start()
    shop = (await openShops(admin, server.url, 1))[0]!
  })
  afterAll(async () => {
    await installation?.remove()
    await admin?.close()
    await database?.drop()
  })

  const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length
  const limitTo = (count: number) =>
    execFileSync('prlimit', ['--pid', String(server.pid), `--nofile=${count}:${LIMIT}`])

  test('more connections than descriptors: some fail, the database keeps its own, and everything works afterwards', async () => {
    const crowd = await Promise.all(
      Array.from({ length: LIMIT + 100 }, () => rawConnection(server.url).catch(() => undefined)),
    )
    await until(() => openFiles() <= LIMIT - 60, 'descriptors are left for the service itself')
    for (const connection of crowd) connection?.socket.destroy()
    await until(
      async () => (await shop.post('/contacts', { phone: phone(1) })).status < 300,
      'writes continue',
    )
    expect((await shop.post('/media', uploadOf('image/png', 5_000))).status).toBe(200)
  })

  test('no descriptors left: requests that need one get 503, others work, and the service recovers by itself', async () => {
    // An existing connection to the database, and one to the service.
    expect((await shop.post('/contacts', { phone: phone(2) })).status).toBe(201)
    limitTo(openFiles())
    const upload = await shop.post('/media', uploadOf('image/png', 5_000))
    expectNoRoom(upload)
    expect((await shop.get('/contacts')).status).toBe(200)
    limitTo(LIMIT)
    const startedMs = performance.now()
    await until(
      async () => (await shop.post('/media', uploadOf('image/png', 5_000))).status === 200,
      'uploads continue',
    )
    recordFigures({
      rows: '29',
      fault: 'descriptors out',
      rounds: 2,
      recoveriesMs: [Math.round(performance.now() - startedMs)],
    })
    expect((await server.end('SIGTERM')).code).toBe(0)
  })
})

/** Creates a separate disk of `size` bytes that belongs to `uid`. */
function mountSmallDisk(size: number, uid: number) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},uid=${uid},mode=0700`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Fills it to the last byte. */
    fill: () => {
      try {
        writeFileSync(ballast, Buffer.alloc(size))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describe.skipIf(!possible)('disk', () => {
  test("the database's disk is full: writes get 503, reads work, and the service recovers by itself", async () => {
    const { adminUrl, ownerUrl, template } = inject('testServer')
    const sealed = await createTestDatabase()
    const server = openAdmin(withDatabase(adminUrl, 'postgres'))
    const [place] = await server.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    )
    await server.close()
    const disk = mountSmallDisk(96 * MIB, statSync(place!.folder).uid)
    const name = `full_${process.pid}`
    await onServer(adminUrl, `create tablespace ${name} location '${disk.folder}'`)
    await onServer(
      adminUrl,
      `create database ${name} template ${template} owner ${new URL(ownerUrl).username} tablespace ${name}`,
    )
    const url = withDatabase(ownerUrl, name)
    const admin = openAdmin(url)
    const installation = await newInstallation({ DATABASE_URL: url })
    try {
      const server = await installation.start()
      const shop = (await openShops(admin, server.url, 1))[0]!
      await shop.post('/contacts', { phone: phone(0) })
      disk.fill()
      const filling = { filler: 'x'.repeat(15_000), more: Math.random().toString().repeat(500) }
      let n = 1
      const acknowledged: number[] = []
      const refused = await until(
        async () => {
          const answer = await shop.post('/contacts', { phone: phone(n), attributes: filling })
          if (answer.status === 201) acknowledged.push(n++)
          return answer.status === 201 || answer.status === 429 ? false : answer
        },
        'the disk is full',
        30_000,
      )
      expectNoRoom(refused)
      expect((await shop.get('/contacts?limit=1')).status).toBe(200)
      disk.free()
      const startedMs = performance.now()
      await until(
        async () => (await shop.post('/contacts', { phone: phone(n) })).status < 300,
        'writes continue',
      )
      const [{ count } = { count: 0 }] = await admin.query<{ count: number }>(
        "select count(*)::int as count from contacts where phone like '+91982%'",
      )
      expect(count, 'what was acknowledged is there').toBe(acknowledged.length + 2)
      recordFigures({
        rows: '29',
        fault: 'disk of the database full',
        rounds: 1,
        accepted: acknowledged.length,
        lost: acknowledged.length + 2 - count,
        recoveriesMs: [Math.round(performance.now() - startedMs)],
      })
      expect((await server.end('SIGTERM')).code).toBe(0)
    } finally {
      await installation.remove()
      await admin.close()
      await onServer(adminUrl, `drop database if exists ${name} with (force)`)
      await onServer(adminUrl, `drop tablespace if exists ${name}`)
      disk.remove()
      await sealed.drop()
    }
  })

  test("the data directory's disk is full: uploads get 503 and leave no files, messages still work", async () => {
    const disk = mountSmallDisk(4 * MIB, 0)
    const database = await createTestDatabase()
    const admin = openAdmin(database.url)
    const installation = await newInstallation({ DATABASE_URL: database.url, PARLEY_DATA_DIR: disk.folder })
    try {
      const server = await installation.start()
      const shop = (await openShops(admin, server.url, 1))[0]!
      expect((await shop.post('/media', uploadOf('image/png', 50_000))).status).toBe(200)
      disk.fill()
      expectNoRoom(await shop.post('/media', uploadOf('image/png', 500_000)))
      expect((await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Hi' })).status).toBe(200)
      expect(readdirSync(join(disk.folder, 'spool'))).toEqual([])
      disk.free()
      await until(
        async () => (await shop.post('/media', uploadOf('image/png', 500_000))).status === 200,
        'uploads continue',
      )
      recordFigures({ rows: '29', fault: 'disk of files full', rounds: 1 })
      expect((await server.end('SIGTERM')).code).toBe(0)
    } finally {
      await installation.remove()
      await admin.close()
      await database.drop()
      disk.remove()
    }
  })
})
