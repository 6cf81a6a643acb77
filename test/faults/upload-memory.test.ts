/**
 * A 16 MB upload costs under 64 MB of extra memory (issue "Media"): measured in a separate process, at its
 * peak.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { type Client, clientOf, SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { uploadOf } from '../support/files.ts'
import { type Admin, openAdmin } from '../support/load.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'

const MIB = 1024 * 1024
const LIMIT = 64 * MIB

/** An operator that accepts uploads and discards them. */
async function sink() {
  let receivedBytes = 0
  const server = createServer(async (request, response) => {
    for await (const chunk of request) receivedBytes += (chunk as Buffer).length
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1037543291543636"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => receivedBytes,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

// The peak since its last reset, as the system counts it.
const status = (pid: number, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

describe.skipIf(!existsSync('/proc/self/clear_refs'))('a 16 MB upload', () => {
  let database: TestDatabase
  let admin: Admin
  let operator: Awaited<ReturnType<typeof sink>>
  let installation: Installation
  let server: ServerProcess
  let client: Client
  let sandbox: Client

  beforeAll(async () => {
    database = await createTestDatabase()
    admin = openAdmin(database.url)
    operator = await sink()
    installation = await newInstallation({ DATABASE_URL: database.url, PARLEY_OPERATOR_URL: operator.url })
    server = await installation.start('test/faults/parley-child.ts')
    const sealer = createSealer(SECRET_KEY)
    const clientFor = async (isSandbox: boolean): Promise<Client> => {
      const { workspaceId } = await admin.system((tx) =>
        createWorkspace(tx, { name: 'Shop', sandbox: isSandbox }, new Date(), sealer),
      )
      if (!isSandbox)
        await admin.system((tx) =>
          addPhoneNumber(
            tx,
            { workspaceId, number: '+15550001111', operator: 'cloud', operatorId: '1060001' },
            new Date(),
            sealer,
          ),
        )
      const { apiKey } = await admin.system((tx) =>
        createApiKey(tx, { workspaceId, role: 'admin' }, new Date()),
      )
      return clientOf(server.url, apiKey)
    }
    client = await clientFor(false)
    sandbox = await clientFor(true)
  })
  afterAll(async () => {
    await server.end('SIGTERM')
    await installation.remove()
    operator.close()
    await admin.close()
    await database.drop()
  })

  /** Returns the peak growth of the process while `work` ran. */
  async function growth(work: () => Promise<unknown>): Promise<number> {
    resetPeak(server.pid)
    const before = status(server.pid, 'VmRSS')
    await work()
    return status(server.pid, 'VmHWM') - before
  }

  test.each([
    ['to the operator', () => client],
    ['in a sandbox, whose simulated operator lives in the same process', () => sandbox],
  ])('%s costs under 64 MB', async (_, shop) => {
    const small = uploadOf('application/pdf', 1000)
    for (let i = 0; i < 3; i++) expect((await shop().post('/media', small)).status).toBe(200)
    const body = Buffer.from(JSON.stringify(uploadOf('application/pdf', 16 * MIB)))
    const grownBytes = await growth(async () => {
      const answer = await shop().post('/media', body)
      expect(answer.status, answer.text).toBe(200)
    })
    expect(grownBytes, `it grew by ${(grownBytes / MIB).toFixed(1)} MB`).toBeLessThan(LIMIT)
  })

  test('two uploads at the same time cost at most twice that', async () => {
    const body = Buffer.from(JSON.stringify(uploadOf('application/pdf', 16 * MIB)))
    const grownBytes = await growth(() =>
      Promise.all([client.post('/media', body), client.post('/media', body)]),
    )
    expect(grownBytes, `it grew by ${(grownBytes / MIB).toFixed(1)} MB`).toBeLessThan(2 * LIMIT)
    expect(operator.taken()).toBeGreaterThan(3 * 16 * MIB)
  })
})
