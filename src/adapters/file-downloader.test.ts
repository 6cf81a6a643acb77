/**
 * Tests that downloads from customers' addresses are limited in time, even if the far side is slow or silent.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFileHost } from '../../test/support/post-files.ts'
import { createEgress, type Egress } from '../egress/egress.ts'
import { createSpool } from '../media-store/spool.ts'
import { fileDownloader } from './file-downloader.ts'

let host: Awaited<ReturnType<typeof makeFileHost>>
let egress: Egress
let folder: string
beforeAll(async () => {
  host = await makeFileHost()
  folder = await mkdtemp(join(tmpdir(), 'parley-download-'))
  egress = createEgress({ allow: ['127.0.0.0/8'], ca: await readFile(host.env.PARLEY_EGRESS_CA, 'utf8') })
})
afterAll(async () => {
  await egress.close()
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

const download = (url: string, times: { timeoutMs?: number; idleMs?: number }) =>
  fileDownloader({ egress, spool: createSpool(folder), ...times })(url, {
    field: 'url',
    accept: 'image/jpeg',
    maxBytes: 1_000_000,
  })
const refusal = { code: 'invalid', details: { issues: [{ path: 'url' }] } }

test('a slow host is given up when the whole download takes too long, even if it is never silent', async () => {
  let hungUp = false
  const url = host.serve((response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => {
      hungUp = true
      clearInterval(drip)
    })
  })
  await expect(download(url, { timeoutMs: 300, idleMs: 5_000 })).rejects.toMatchObject(refusal)
  await expect.poll(() => hungUp).toBe(true)
})

test('a silent host is given up, before its answer and within it', async () => {
  const silent = host.serve(() => {})
  const stuck = host.serve((response) => response.writeHead(200, { 'content-length': 10 }).write('abc'))
  for (const url of [silent, stuck])
    await expect(download(url, { timeoutMs: 60_000, idleMs: 100 })).rejects.toMatchObject(refusal)
})

test('a complete download is stored, with its SHA-256', async () => {
  const file = await download(host.serve(Buffer.from('abc')), {})
  expect(file).toMatchObject({
    sizeBytes: 3,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
  await file.close()
})
