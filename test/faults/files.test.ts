/** Files when the process is killed or stopped, or the operator hangs. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { type Client, clientOf, SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { customerSends, fileOf, uploadOf } from '../support/files.ts'
import { type Admin, openAdmin } from '../support/load.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const CHILD = 'test/faults/parley-child.ts'
const picture = fileOf('image/png', 300_000)

/** An operator whose uploads or downloads hang while the test wants it. */
async function hangingOperator() {
  const hanging: { kind: string; response: ServerResponse }[] = []
  const hangs = new Set<'upload' | 'download'>()
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const path = request.url ?? ''
    const kind = path.endsWith('/media') ? 'upload' : path.startsWith('/file') ? 'download' : 'look-up'
    requests.push(kind)
    if (kind !== 'look-up' && hangs.has(kind)) {
      hanging.push({ kind, response })
      // The bytes start, and then stop.
      if (kind === 'download')
        response.writeHead(200, { 'content-length': picture.length }).write(picture.subarray(0, 5000))
      return
    }
    if (kind === 'download') return void response.writeHead(200).end(picture)
    const body =
      kind === 'upload'
        ? { id: '1037543291543636' }
        : {
            url: `${url()}/file`,
            mime_type: 'image/png',
            sha256: createHash('sha256').update(picture).digest('hex'),
            file_size: picture.length,
          }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: url(),
    hangs,
    hanging,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

let operator: Awaited<ReturnType<typeof hangingOperator>>
let database: TestDatabase
let admin: Admin
let installation: Installation
let server: ServerProcess
let shop: Client & { workspaceId: string; phoneNumberId: string }
beforeAll(async () => {
  operator = await hangingOperator()
  database = await createTestDatabase()
  admin = openAdmin(database.url)
  installation = await newInstallation({ DATABASE_URL: database.url, PARLEY_OPERATOR_URL: operator.url })
  server = await installation.start(CHILD)
  const sealer = createSealer(SECRET_KEY)
  shop = await admin.system(async (tx) => {
    const { workspaceId } = await createWorkspace(tx, { name: 'Shop' }, new Date(), sealer)
    const number = { workspaceId, number: '+15550001111', operator: 'cloud' as const, operatorId: '1060001' }
    const { phoneNumberId } = await addPhoneNumber(tx, number, new Date(), sealer)
    const { apiKey } = await createApiKey(tx, { workspaceId, role: 'admin' }, new Date())
    return { ...clientOf(server.url, apiKey), workspaceId, phoneNumberId }
  })
})
afterAll(async () => {
  await installation?.remove()
  operator?.close()
  await admin?.close()
  await database?.drop()
})

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(join(installation.dataDir, folder))
  } catch {
    return []
  }
}
const waitForMedia = (state: string, count = 1) =>
  until(
    async () =>
      (
        await admin.query('select 1 from media where workspace_id = $1 and state = $2', [
          shop.workspaceId,
          state,
        ])
      ).length === count,
    `${count} files are ${state}`,
  )

test("kill -9 while a customer's file is fetched: the next process fetches it, whole and once", async () => {
  operator.hangs.add('download')
  const id = await customerSends(admin, shop, '+919812345678', {
    type: 'image',
    content: { id: '900', mime_type: 'image/png' },
  })
  await until(() => operator.hanging.length === 1, 'the download hangs')
  await until(() => filesIn('spool').length === 0, 'the downloaded file has no name on the disk')
  await server.end('SIGKILL')
  operator.hangs.clear()
  server = await installation.start(CHILD)
  expect((await shop.get(`/messages/${id}/media`)).status).toBe(409)
  // Half a minute later.
  await admin.query(`update jobs set leased_until = $1 where name = 'fetchMedia'`, [new Date(Date.now() - 1)])
  await waitForMedia('stored')
  expect(operator.requests).toEqual(['look-up', 'download', 'look-up', 'download'])
  expect(filesIn(join('media', shop.workspaceId))).toHaveLength(1)
  const { url } = (await shop.get(`/messages/${id}/media`)).body
  const answer = await fetch(server.url + new URL(url).pathname)
  expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
  expect(await admin.query(`select 1 from jobs where name = 'fetchMedia'`)).toEqual([])
})

test('kill -9 during an upload: a later sweep finds its file and its row and deletes them in time', async () => {
  operator.hangs.add('upload')
  const broken = shop.post('/media', uploadOf('image/png', 5000)).catch(() => undefined)
  await until(() => operator.hanging.length === 2, 'the upload hangs')
  await server.end('SIGKILL')
  await broken
  operator.hangs.clear()
  await waitForMedia('pending')
  const places = () => admin.query<{ leasedUntil: Date }>('select leased_until from uploads')
  expect((await places())[0]!.leasedUntil.getTime()).toBeLessThan(Date.now() + 180_000)
  server = await installation.start(CHILD)
  // Three minutes later, and an hour.
  await admin.query('update uploads set leased_until = $1', [new Date(Date.now() - 1)])
  await admin.query(`update jobs set run_at = $1 where name = 'sweepUpload'`, [new Date(Date.now() - 1)])
  await waitForMedia('pending', 0)
  await until(() => filesIn(join('media', shop.workspaceId)).length === 1, 'the copy is removed')
  expect((await shop.post('/media', uploadOf('image/png'))).status).toBe(200)
  expect(await places()).toEqual([])
})

test('SIGTERM ends the process within 10 s although a body stops arriving and the operator hangs in both directions', async () => {
  operator.hangs.add('upload').add('download')
  const before = operator.hanging.length
  const { hostname, port } = new URL(server.url)
  const socket = createConnection(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/media HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.key}\r\ncontent-type: application/json\r\n` +
      'content-length: 1000000\r\n\r\n{"fileBase64":"',
  )
  const upload = shop.post('/media', uploadOf('image/png')).catch(() => undefined)
  const content = { id: '901', mime_type: 'image/png' }
  await customerSends(admin, shop, '+919812345678', { type: 'image', content })
  await until(() => operator.hanging.length === before + 2, 'both uploads hang')
  const startedMs = performance.now()
  expect(await server.end('SIGTERM'), server.output()).toEqual({ code: 0, signal: null })
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  const answer = await upload
  expect(answer === undefined || answer.status === 429, answer?.text).toBe(true)
  socket.destroy()
  // The interrupted work is tried again.
  const jobs = await admin.query<{ failedAt: Date | null }>(
    `select failed_at from jobs where name = 'fetchMedia'`,
  )
  expect(jobs).toEqual([{ failedAt: null }])
  expect(await admin.query('select 1 from uploads')).toEqual([])
})
