/**
 * The reader of the log stops reading, or the disk of the log is full: the service continues, and stops on
 * request.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { type Log, openLog } from '../../src/logging/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * A pipe that is not read until the test reads it. Open at both ends, so that neither side waits for the
 * other.
 */
function openPipe(name: string) {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  const fd = openSync(path, 'r+')
  return { path, fd, close: () => closeSync(fd) }
}

const waitingBytes = (log: Log): number => {
  const { [pino.symbols.streamSym]: destination } = log as unknown as Record<symbol, { _len: number }>
  return destination!._len
}

test('unread lines are bounded in memory; the number of dropped lines is reported when the reader continues', async () => {
  const pipe = openPipe('unread')
  const log = openLog('info', pipe.fd)
  const text = 'x'.repeat(1_000)
  for (let i = 0; i < 10_000; i++) log.info({ i, text }, 'one of many')
  expect(waitingBytes(log)).toBeLessThan(5 * 1024 * 1024)

  const lines: Record<string, number>[] = []
  const reading = createReadStream(pipe.path)
  createInterface(reading).on('line', (line) => lines.push(JSON.parse(line)))
  const reported = await until(() => lines.find((line) => line.lines !== undefined), 'the loss is reported')
  const numbered = lines.filter(({ i }) => i !== undefined)
  expect(numbered.map(({ i }) => i)).toEqual(numbered.map((_, i) => i))
  expect(numbered.length + reported.lines!).toBe(10_000)
  log.info({ i: 'after' }, 'and on it goes')
  await until(() => lines.some(({ i }) => String(i) === 'after'), 'the next line arrives')
  reading.destroy()
  pipe.close()
})

describe('the service answers, and ends on request', () => {
  const pipe = openPipe('of-the-service')
  const installations: Installation[] = []
  afterAll(async () => {
    for (const installation of installations) await installation.remove()
    pipe.close()
  })

  test.each([
    ['while no process reads its log', pipe.path],
    ['while the disk of its log is full', '/dev/full'],
  ])('%s', async (_, log) => {
    const wrapper = ['sh', '-c', `exec "$0" "$@" 2>${log}`]
    const installation = await newInstallation({ LOG_LEVEL: 'info' }, wrapper)
    installations.push(installation)
    const server = await installation.start()
    // More lines than fit into a pipe.
    for (let i = 0; i < 10; i++)
      await Promise.all(
        Array.from({ length: 80 }, async () => {
          const answer = await fetch(`${server.url}/api/v1/me`)
          expect(answer.status).toBe(401)
          await answer.arrayBuffer()
        }),
      )
    const startedMs = performance.now()
    // Its last lines can't be written: the signal ends it after a moment.
    expect(await server.end('SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' })
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    expect(installation.postmaster(), 'the database was stopped before that').toBeUndefined()
  })
  test('a start that fails ends, although the disk of its log is full', async () => {
    const database = await createTestDatabase()
    // A database of an earlier version that already contains the table of its next migration.
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query("delete from schema_migrations where name = '0012_tasks.sql'")
    await client.end()
    const wrapper = ['sh', '-c', 'exec "$0" "$@" 2>/dev/full']
    const installation = await newInstallation({ LOG_LEVEL: 'info', DATABASE_URL: database.url }, wrapper)
    installations.push(installation)
    await expect(installation.start()).rejects.toThrow('the server ended')
    await database.drop()
  })
})
