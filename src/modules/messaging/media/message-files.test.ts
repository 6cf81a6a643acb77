/** Customers' files, and `GET /messages/{id}/media` (spec 4.3, 8.2; docs/clarifications.md "media with our id"). */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPhone } from '../../../../test/contract/arrange.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { customerSends, fileOf, uploadOf } from '../../../../test/support/files.ts'
import { connectNumber } from '../../../../test/support/operator-webhooks.ts'
import { eventsOf } from '../../../../test/support/records.ts'
import { startS3 } from '../../../../test/support/s3-server.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

const png = fileOf('image/png', 5000)
const sha256 = createHash('sha256').update(png).digest()

/** Creates a file at the simulated operator, and returns its id as a customer's message would name it. */
const operatorFile = async (of: TestWorkspace, body: object = uploadOf('image/png', 5000)): Promise<string> =>
  (await of.post('/media', body)).body.id

const imageContent = async (of: TestWorkspace, overrides: object = {}) => ({
  id: await operatorFile(of),
  mime_type: 'image/png',
  sha256: sha256.toString('base64'),
  caption: 'The blue one',
  url: 'https://lookaside.example/whatever',
  ...overrides,
})

/** Receives a customer's image, and waits until it is fetched. */
async function receivedImage(of: TestWorkspace = shop, from = newPhone()): Promise<string> {
  const id = await customerSends(parley, of, from, { type: 'image', content: await imageContent(of) })
  await fetched(of, id)
  return id
}
const fetched = (of: TestWorkspace, messageId: string) =>
  until(async () => (await of.get(`/messages/${messageId}/media`)).status === 200, 'the file is fetched')

async function opened(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { pathname } = new URL(url)
  const answer = await request(parley.url + pathname, { method, headers })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers as Record<string, string>, bytes }
}

const stored = (of: TestWorkspace): string[] => {
  const folder = join(parley.config.dataDir, 'media', of.workspaceId)
  return existsSync(folder) ? readdirSync(folder) : []
}
type Row = Record<string, unknown>
const rowsOf = (of: TestWorkspace, table: string): Promise<Row[]> =>
  parley.system((tx) =>
    tx.sql<Row>(`select * from ${table} where workspace_id = $1 order by id`, [of.workspaceId]),
  )

describe("a customer's file", () => {
  test('is fetched from the operator and kept', async () => {
    const id = await receivedImage()
    const { body } = await shop.get(`/messages/${id}/media`)
    expect(body).toMatchObject({ mimeType: 'image/png', filename: 'image.png', sizeBytes: 5000 })
    const file = await opened(body.url)
    expect(file.status).toBe(200)
    expect(file.bytes.equals(png)).toBe(true)
  })

  test('appears in message.received and GET /messages with our id, without the short-lived address', async () => {
    const id = await receivedImage()
    const [row] = (await rowsOf(shop, 'media')).filter((row) => row.messageId === id)
    const content = {
      id: row?.id,
      mime_type: 'image/png',
      sha256: sha256.toString('base64'),
      caption: 'The blue one',
    }
    expect((await shop.get(`/messages/${id}`)).body.message.content).toEqual(content)
    const [event] = (await eventsOf(parley, shop.workspaceId)).filter(
      ({ name, data }) => name === 'message.received' && data.messageId === id,
    )
    expect(event?.data.content).toEqual(content)
  })

  test('reported twice is fetched once', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const from = newPhone()
    const message = { type: 'image', content: await imageContent(sandbox), chanmid: 'wamid.twice' }
    const first = await customerSends(parley, sandbox, from, message)
    await customerSends(parley, sandbox, from, message)
    await fetched(sandbox, first)
    await sandbox.advance(1)
    expect((await rowsOf(sandbox, 'media')).filter((row) => row.origin === 'customer')).toHaveLength(1)
  })

  test('whose id is a number is fetched too', async () => {
    const content = await imageContent(shop)
    const numbered = { ...content, id: Number(content.id) }
    const id = await customerSends(parley, shop, newPhone(), { type: 'image', content: numbered })
    await fetched(shop, id)
    expect((await shop.get(`/messages/${id}`)).body.message.content.id).toMatch(/-/)
  })

  test('keeps its original name', async () => {
    const content = {
      id: await operatorFile(shop, uploadOf('application/pdf')),
      mime_type: 'application/pdf',
      filename: '../मेनू.pdf',
    }
    const id = await customerSends(parley, shop, newPhone(), { type: 'document', content })
    await fetched(shop, id)
    const { body } = await shop.get(`/messages/${id}/media`)
    expect(body.filename).toBe('मेनू.pdf')
    const { headers } = await opened(body.url)
    expect(headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent('मेनू.pdf')}`)
  })

  test('that the operator no longer has is reported, with the reason', async () => {
    const content = { id: '999999999999999', mime_type: 'image/png' }
    const id = await customerSends(parley, shop, newPhone(), { type: 'image', content })
    const answer = await until(async () => {
      const response = await shop.get(`/messages/${id}/media`)
      return response.status === 404 && response.body.message.includes("couldn't be downloaded") && response
    }, 'the fetch has failed')
    expect(answer.body).toMatchObject({
      error: 'not_found',
      message: expect.stringContaining('does not exist'),
    })
  })

  test("that doesn't match the operator's description is not stored", async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const content = await imageContent(sandbox)
    await parley.system((tx) =>
      tx.sql(`update simulator_objects set value = value || '{"sha256":"${'0'.repeat(64)}"}' where id = $1`, [
        content.id,
      ]),
    )
    const id = await customerSends(parley, sandbox, newPhone(), { type: 'image', content })
    const [job] = await until(async () => {
      const jobs = (await rowsOf(sandbox, 'jobs')).filter((job) => job.lastError !== null)
      return jobs.length > 0 && jobs
    }, 'the fetch was tried')
    expect(job).toMatchObject({ name: 'fetchMedia', failedAt: null })
    expect((await sandbox.get(`/messages/${id}/media`)).body).toMatchObject({ error: 'conflict' })
    expect(stored(sandbox)).toHaveLength(1)
    await parley.system((tx) =>
      tx.sql(
        `update simulator_objects set value = value || '{"sha256":"${sha256.toString('hex')}"}' where id = $1`,
        [content.id],
      ),
    )
    await sandbox.advance(60)
    expect((await sandbox.get(`/messages/${id}/media`)).status).toBe(200)
  })

  test('is still fetched after a short failure of the operator or of its file host', async () => {
    const troubles = [502, 200, 503, 200, 503]
    const operator = createServer((req, answer) => {
      const status = troubles.shift() ?? 200
      if (status !== 200) return void answer.writeHead(status).end('<html>')
      if (req.url === '/file') return void answer.end(png)
      answer.end(JSON.stringify({ id: '1', url: `${address()}/file`, mime_type: 'image/png' }))
    })
    const address = () => `http://127.0.0.1:${(operator.address() as AddressInfo).port}`
    await new Promise<void>((resolve) => operator.listen(0, '127.0.0.1', resolve))
    const outside = await boot({ env: { PARLEY_OPERATOR_URL: address() } })
    try {
      const workspace = await outside.workspace()
      const number = await connectNumber(outside, workspace)
      const message = { from: '919812345678', id: 'wamid.file', timestamp: '1767168500', type: 'image' }
      await number.report('messages', { messages: [{ ...message, image: { id: '1' } }] })
      // Skips the wait before the next attempt.
      await until(async () => {
        await outside.system((tx) =>
          tx.sql(`update jobs set run_at = now() where name = 'fetchMedia' and last_error is not null`),
        )
        return (await workspace.get('/messages/wamid.file/media')).status === 200
      }, 'the file is fetched')
      expect(troubles).toEqual([])
    } finally {
      await outside.close()
      operator.closeAllConnections()
      operator.close()
    }
  })

  test('is 409 while it is being fetched', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const id = await receivedImage(sandbox)
    await parley.system((tx) =>
      tx.sql(`update media set state = 'pending' where workspace_id = $1 and message_id = $2`, [
        sandbox.workspaceId,
        id,
      ]),
    )
    expect(await sandbox.get(`/messages/${id}/media`)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
  })
})

test('a sandbox customer sends a file that was uploaded (POST /sandbox/inbound with mediaId)', async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  const from = newPhone()
  const mediaId = await operatorFile(sandbox, uploadOf('application/pdf', 900, { filename: 'Order.pdf' }))
  const answer = await sandbox.post('/sandbox/inbound', { from, mediaId, caption: 'As agreed' })
  expect(answer.status, answer.text).toBe(202)
  await sandbox.advance(1)
  const { message } = (await sandbox.get(`/messages/${answer.body.messageId}`)).body
  expect(message).toMatchObject({
    type: 'document',
    content: { mime_type: 'application/pdf', filename: 'Order.pdf', caption: 'As agreed' },
  })
  const { body } = await sandbox.get(`/messages/${answer.body.messageId}/media`)
  expect((await opened(body.url)).bytes.equals(fileOf('application/pdf', 900))).toBe(true)
  expect(await sandbox.post('/sandbox/inbound', { from, mediaId: '1' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_reference' },
  })
})

describe('GET /messages/{id}/media', () => {
  test('takes our id and the channel message id', async () => {
    const id = await receivedImage()
    const { chanmid } = (await shop.get(`/messages/${id}`)).body.message
    const { filename, mimeType, sizeBytes } = (await shop.get(`/messages/${id}/media`)).body
    expect(await shop.get(`/messages/${encodeURIComponent(chanmid)}/media`)).toMatchObject({
      status: 200,
      body: { filename, mimeType, sizeBytes },
    })
  })

  test('serves a file that we uploaded and sent', async () => {
    const to = newPhone()
    await shop.inbound(to, 'Menu?')
    const id = await operatorFile(shop, uploadOf('application/pdf', 700))
    const send = async (document: object) =>
      (await shop.post('/send', { to, type: 'document', payload: { type: 'document', document } })).body
        .messageId
    const { body } = await shop.get(`/messages/${await send({ id, filename: 'Menu July.pdf' })}/media`)
    expect(body).toMatchObject({ mimeType: 'application/pdf', filename: 'Menu July.pdf', sizeBytes: 700 })
    const file = await opened(body.url)
    expect(file.bytes.equals(fileOf('application/pdf', 700))).toBe(true)
    expect(file.headers['content-disposition']).toContain('filename="Menu July.pdf"')
  })

  test('is 404 with a clear message for a message without a stored file', async () => {
    const to = newPhone()
    await shop.inbound(to, 'Menu?')
    const send = async (type: string, content: object) =>
      (await shop.post('/send', { to, type, payload: { type, [type]: content } })).body.messageId
    const text = (await shop.post('/send', { to, type: 'text', text: 'Soon' })).body.messageId
    const lostId = await operatorFile(shop)
    const sentOnce = await send('image', { id: lostId })
    await parley.system((tx) => tx.sql('delete from media where operator_id = $1', [lostId]))
    const cases: [string, RegExp][] = [
      [text, /has no file/],
      [await send('image', { link: 'https://example.com/a.png' }), /as a link/],
      [sentOnce, /isn't stored in Parley/],
    ]
    for (const [id, message] of cases)
      expect(await shop.get(`/messages/${id}/media`)).toMatchObject({
        status: 404,
        body: { error: 'not_found', message: expect.stringMatching(message) },
      })
  })

  test("returns the expiry of the link: five minutes in the workspace's time", async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const id = await receivedImage(sandbox)
    const { now } = (await sandbox.get('/sandbox/clock')).body
    const { url, expiresAt } = (await sandbox.get(`/messages/${id}/media`)).body
    const seconds = (Date.parse(expiresAt) - Date.parse(now)) / 1000
    expect(seconds).toBeGreaterThanOrEqual(300)
    expect(seconds).toBeLessThan(310)
    await sandbox.advance(280)
    expect((await opened(url)).status).toBe(200)
    await sandbox.advance(30)
    const ended = await opened(url)
    expect(ended.status).toBe(403)
    expect(JSON.parse(ended.bytes.toString())).toMatchObject({
      error: 'forbidden',
      message: expect.stringContaining('expired'),
    })
  })
})

describe('a link', () => {
  const linkOf = async (of: TestWorkspace = shop): Promise<string> =>
    (await of.get(`/messages/${await receivedImage(of)}/media`)).body.url

  test('is served with its type, without cookies, and without content sniffing', async () => {
    const { headers } = await opened(await linkOf())
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      etag: `"${sha256.toString('hex')}"`,
    })
    expect(headers['content-disposition']).toMatch(/^inline/)
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('answers HEAD with the same headers, without the bytes', async () => {
    const { status, headers, bytes } = await opened(await linkOf(), {}, 'HEAD')
    expect([status, headers['content-length'], bytes.length]).toEqual([200, '5000', 0])
  })

  test.each([
    ['bytes=0-99', 206, 0, 99],
    ['bytes=4900-', 206, 4900, 4999],
    ['bytes=-100', 206, 4900, 4999],
    ['bytes=4000-9999', 206, 4000, 4999],
    ['bytes=-9999', 206, 0, 4999],
    ['bytes=9-3', 200, 0, 4999],
    ['bytes=0-1,4-5', 200, 0, 4999],
    ['pages=1-2', 200, 0, 4999],
  ])('answers the range %s with %i', async (range, status, start, end) => {
    const answer = await opened(await linkOf(), { range })
    expect(answer.status).toBe(status)
    expect(answer.bytes.equals(png.subarray(start, end + 1))).toBe(true)
    expect(answer.headers['content-range']).toBe(status === 206 ? `bytes ${start}-${end}/5000` : undefined)
  })

  test.each(['bytes=5000-', 'bytes=-0'])('answers the range %s with 416', async (range) => {
    const answer = await opened(await linkOf(), { range })
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */5000'])
  })

  test('respects If-Range and If-None-Match', async () => {
    const url = await linkOf()
    const tag = `"${sha256.toString('hex')}"`
    expect((await opened(url, { range: 'bytes=0-9', 'if-range': tag })).status).toBe(206)
    expect((await opened(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    for (const etag of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      expect([etag, (await opened(url, { 'if-none-match': etag })).status]).toEqual([etag, 304])
    expect((await opened(url, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('ignores ranges for HEAD', async () => {
    const { status, headers } = await opened(await linkOf(), { range: 'bytes=0-9' }, 'HEAD')
    expect([status, headers['content-length'], headers['content-range']]).toEqual([200, '5000', undefined])
  })

  test('that was changed in any part is 403', async () => {
    const url = new URL(await linkOf())
    const [, , token = '', name = ''] = url.pathname.split('/')
    const flipAt = (index: number) =>
      token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
    const forged = [0, 10, 40, 50, 60, 90].map((index) => `/media/${flipAt(index)}/${name}`)
    for (const path of [
      ...forged,
      `/media/${token}/virus.exe`,
      '/media/x/y',
      `/media/${'A'.repeat(400)}/y`,
    ]) {
      const answer = await opened(`http://x${path}`)
      expect([path, answer.status]).toEqual([path, 403])
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ error: 'forbidden' })
    }
  })

  test('to a file that a browser could run is downloaded, not shown', async () => {
    const content = { id: await operatorFile(shop), mime_type: 'text/html', filename: 'a.html' }
    const id = await customerSends(parley, shop, newPhone(), { type: 'document', content })
    await fetched(shop, id)
    const { headers } = await opened((await shop.get(`/messages/${id}/media`)).body.url)
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(headers['content-disposition']).toMatch(/^attachment/)
    expect(headers['content-security-policy']).toContain('sandbox')
  })
})

describe('erasing a contact', () => {
  const erase = async (of: TestWorkspace, phone: string) => {
    expect((await of.delete(`/contacts/${encodeURIComponent(phone)}`)).status).toBe(200)
    await of.advance(5)
  }

  test('deletes the files that the contact sent', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const [erased, kept] = [newPhone(), newPhone()]
    const id = await receivedImage(sandbox, erased)
    await receivedImage(sandbox, kept)
    const { url } = (await sandbox.get(`/messages/${id}/media`)).body
    expect(stored(sandbox)).toHaveLength(4)
    await erase(sandbox, erased)
    // Their copy, and the upload that was only in their message.
    expect(stored(sandbox)).toHaveLength(2)
    expect((await rowsOf(sandbox, 'media')).filter((row) => row.origin === 'customer')).toHaveLength(1)
    expect((await opened(url)).status).toBe(404)
  })

  test('deletes an upload with the last message that contained it', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const people = [newPhone(), newPhone()]
    const id = await operatorFile(sandbox, uploadOf('application/pdf'))
    for (const to of people) {
      await sandbox.inbound(to, 'Menu?')
      const payload = { type: 'document', document: { id } }
      expect((await sandbox.post('/send', { to, type: 'document', payload })).status).toBe(200)
    }
    await erase(sandbox, people[0]!)
    expect(stored(sandbox)).toHaveLength(1)
    await erase(sandbox, people[1]!)
    expect(stored(sandbox)).toEqual([])
    expect(await rowsOf(sandbox, 'media')).toEqual([])
  })

  test('while a file is being fetched leaves no part of it', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const from = newPhone()
    const id = await receivedImage(sandbox, from)
    const [media] = (await rowsOf(sandbox, 'media')).filter((row) => row.messageId === id)
    await parley.system((tx) =>
      tx.sql(
        `insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
         values ($1, gen_random_uuid(), 'fetchMedia', $2, $3, $3, true)`,
        [sandbox.workspaceId, JSON.stringify({ mediaId: media?.id }), new Date(Date.now() + 3_600_000)],
      ),
    )
    await erase(sandbox, from)
    await sandbox.advance(3_700)
    expect(stored(sandbox)).toHaveLength(0)
    expect(await rowsOf(sandbox, 'jobs')).toEqual([])
  })
})

test('in an S3-compatible store files are also stored, linked to and erased', async () => {
  const s3 = await startS3()
  const second = await boot({ env: s3.env })
  try {
    const sandbox = await second.workspace({ sandbox: true })
    const sent = await operatorFile(sandbox)
    const from = newPhone()
    const content = { id: sent, mime_type: 'image/png', sha256: sha256.toString('base64') }
    const id = await customerSends(second, sandbox, from, { type: 'image', content })
    await fetched(sandbox, id)
    expect([...s3.objects.keys()].every((key) => key.startsWith(`parley/${sandbox.workspaceId}/`))).toBe(true)
    const { url } = (await sandbox.get(`/messages/${id}/media`)).body
    expect(url.startsWith(s3.url)).toBe(true)
    const answer = await request(url)
    expect(answer.headers['content-disposition']).toBe('inline; filename="image.png"')
    expect(Buffer.from(await answer.body.arrayBuffer()).equals(png)).toBe(true)
    expect(s3.objects.size).toBe(2)
    await sandbox.delete(`/contacts/${encodeURIComponent(from)}`)
    await sandbox.advance(5)
    expect(s3.objects.size).toBe(0)
    // If the store is unavailable, the upload fails and nothing of it is kept.
    s3.failNext(100)
    expect((await sandbox.post('/media', uploadOf('image/png'))).status).toBe(500)
    s3.failNext(0)
    await sandbox.advance(2 * 3600)
    expect((await sandbox.get('/me')).status).toBe(200)
    expect(s3.objects.size).toBe(0)
  } finally {
    await second.close()
    await s3.close()
  }
})

test('an upload that was sent is kept after its id expires', async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  const to = newPhone()
  await sandbox.inbound(to, 'Menu?')
  const id = await operatorFile(sandbox, uploadOf('application/pdf'))
  const payload = { type: 'document', document: { id } }
  const { messageId } = (await sandbox.post('/send', { to, type: 'document', payload })).body
  await sandbox.advance(40 * 86_400)
  expect((await sandbox.get(`/messages/${messageId}/media`)).status).toBe(200)
})
