/** `POST /media` (spec 4.2, 8.2; docs/formats.md sections 5 and 17). */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { fileOf, uploadOf } from '../../../../test/support/files.ts'
import { everythingOf } from '../../../../test/support/records.ts'
import { until } from '../../../../test/support/until.ts'
import { MAX_MEDIA_BYTES, MEDIA_TYPES } from '../../../operator/media-types.ts'

const MIB = 1024 * 1024

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

type Row = Record<string, unknown>
const mediaOf = (of: TestWorkspace): Promise<Row[]> =>
  parley.system((tx) =>
    tx.sql<Row>('select * from media where workspace_id = $1 order by id', [of.workspaceId]),
  )
const placesOf = async (of: TestWorkspace): Promise<number> =>
  (await parley.system((tx) => tx.sql('select 1 from uploads where workspace_id = $1', [of.workspaceId])))
    .length

describe('POST /media', () => {
  test('returns 200 with a media id', async () => {
    const answer = await shop.post('/media', uploadOf('image/png', 100, { filename: 'menu.png' }))
    expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^\d+$/) } })
    const row = (await mediaOf(shop)).find((row) => row.operatorId === answer.body.id)
    expect(row).toMatchObject({
      kind: 'image',
      mimeType: 'image/png',
      filename: 'menu.png',
      sizeBytes: 100,
      state: 'stored',
    })
  })

  test('defaults to a document.pdf of type application/pdf', async () => {
    const fileBase64 = fileOf('application/pdf').toString('base64')
    const { body } = await shop.post('/media', { fileBase64 })
    expect((await mediaOf(shop)).find((row) => row.operatorId === body.id)).toMatchObject({
      mimeType: 'application/pdf',
      filename: 'document.pdf',
      kind: 'document',
    })
  })

  test.each(Object.entries(MEDIA_TYPES))('accepts %s as %s', async (mimeType, kind) => {
    const { status, body, text } = await shop.post('/media', uploadOf(mimeType))
    expect(status, text).toBe(200)
    expect((await mediaOf(shop)).find((row) => row.operatorId === body.id)).toMatchObject({ mimeType, kind })
  })

  test.each([
    ['audio/ogg; codecs=opus', 'audio/ogg'],
    ['image/jpg', 'image/jpeg'],
    ['Audio/MP3', 'audio/mpeg'],
  ])('accepts %s for %s', async (sentType, storedType) => {
    const { body, text } = await shop.post('/media', uploadOf(storedType, 64, { mimeType: sentType }))
    const stored = (await mediaOf(shop)).find((row) => row.operatorId === body.id)
    expect(stored, text).toMatchObject({ mimeType: storedType })
  })

  test('a file whose content differs from its declared type is rejected, naming both', async () => {
    const answer = await shop.post('/media', uploadOf('image/png', 64, { mimeType: 'image/jpeg' }))
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'invalid',
        issues: [{ path: 'mimeType', message: expect.stringMatching(/image\/jpeg.*image\/png/) }],
      },
    })
  })

  test('a PDF may have up to 1,024 bytes before %PDF-', async () => {
    const uploadWithOffset = (bytes: number) =>
      shop.post('/media', {
        fileBase64: Buffer.from(`${' '.repeat(bytes)}%PDF-1.7\n`).toString('base64'),
      })
    expect((await uploadWithOffset(1_024)).status).toBe(200)
    expect(await uploadWithOffset(1_025)).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'mimeType' }] },
    })
  })

  test.each([
    ['text/html', uploadOf('text/plain', 64, { mimeType: 'text/html' })],
    ['image/gif', { fileBase64: Buffer.from('GIF89a').toString('base64'), mimeType: 'image/gif' }],
    ['constructor', uploadOf('text/plain', 64, { mimeType: 'constructor' })],
  ])('a type that the network does not support is rejected: %s', async (_, body) => {
    expect(await shop.post('/media', body)).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'mimeType' }] },
    })
  })

  test.each([
    ['no file', { mimeType: 'image/png' }, 'fileBase64'],
    ['an empty file', { fileBase64: '' }, 'fileBase64'],
    ['a file of blanks', { fileBase64: ' ' }, 'fileBase64'],
    ['a file that is not a string', { fileBase64: 7 }, 'fileBase64'],
    ['a file that is null', { fileBase64: null }, 'fileBase64'],
    ['a data: address', { fileBase64: 'data:image/png;base64,iVBORw0KGgo=' }, 'fileBase64'],
    ['a file that is not base64', { fileBase64: '%PDF' }, 'fileBase64'],
    ['an empty filename', uploadOf('image/png', 64, { filename: '' }), 'filename'],
    ['a filename of 201 characters', uploadOf('image/png', 64, { filename: 'n'.repeat(201) }), 'filename'],
    ['a filename that names nothing', uploadOf('image/png', 64, { filename: '../' }), 'filename'],
    ['a number id that is not a UUID', uploadOf('image/png', 64, { phoneNumberId: '1' }), 'phoneNumberId'],
    ['an unknown field', uploadOf('image/png', 64, { name: 'x' }), 'name'],
  ])('%s is 400, naming the field, and stores nothing', async (_, body, path) => {
    const before = await everythingOf(parley, shop.workspaceId)
    const answer = await shop.post('/media', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('all bad fields are named in one answer', async () => {
    const { body } = await shop.post('/media', {
      fileBase64: '!',
      mimeType: 3,
      filename: 'n'.repeat(201),
      more: 1,
    })
    expect(body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'fileBase64',
      'filename',
      'mimeType',
      'more',
    ])
  })

  test.each([
    ['menu.pdf', 'menu.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\files\\a.pdf', 'a.pdf'],
    ['मेनू 🙏.pdf', 'मेनू 🙏.pdf'],
    ['a\u202egpj.exe\u0007', 'agpj.exe'],
    ['n'.repeat(200), 'n'.repeat(200)],
  ])('the filename %j is kept as %j', async (filename, storedName) => {
    const { body } = await shop.post('/media', uploadOf('application/pdf', 64, { filename }))
    expect((await mediaOf(shop)).find((row) => row.operatorId === body.id)?.filename).toBe(storedName)
  })

  test.each([
    ['image/png', MAX_MEDIA_BYTES.image],
    ['image/webp', 100 * 1024],
    ['video/mp4', MAX_MEDIA_BYTES.video],
    ['application/pdf', 16 * MIB],
  ])('%s accepts up to %i bytes', async (mimeType, max) => {
    const sandbox = await parley.workspace({ sandbox: true })
    expect((await sandbox.post('/media', uploadOf(mimeType, max))).status).toBe(200)
    const answer = await sandbox.post('/media', uploadOf(mimeType, max + 1))
    if (max === 16 * MIB) expect(answer).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
    else
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'invalid', issues: [{ path: 'fileBase64' }] },
      })
  })

  test('an animated sticker takes up to 500 KB', async () => {
    const animated = (bytes: number) => {
      const file = fileOf('image/webp', bytes)
      file.write('VP8X', 12, 'latin1')
      file[20] = 0x02
      return { fileBase64: file.toString('base64'), mimeType: 'image/webp' }
    }
    expect((await shop.post('/media', animated(500 * 1024))).status).toBe(200)
    expect((await shop.post('/media', animated(500 * 1024 + 1))).status).toBe(400)
  })

  test('a number of another workspace is a bad reference', async () => {
    const other = await parley.workspace({ sandbox: true })
    const answer = await shop.post(
      '/media',
      uploadOf('image/png', 64, { phoneNumberId: other.phoneNumberId }),
    )
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
  })

  test('a workspace without a number cannot upload', async () => {
    const withoutNumber = await parley.workspace()
    expect(await withoutNumber.post('/media', uploadOf('image/png'))).toMatchObject({
      status: 409,
      body: { error: 'sending_blocked' },
    })
  })

  test('a body of 17 MB of file is 413, and its connection stays open', async () => {
    const answer = await shop.post('/media', uploadOf('application/pdf', 17 * MIB))
    expect(answer).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
    expect((await shop.get('/me')).status).toBe(200)
    expect(await placesOf(shop)).toBe(0)
  })

  test('rights are checked before the body', async () => {
    const viewer = await shop.as('viewer')
    // The body never arrives.
    const { socket, answered } = open(viewer.key, 20 * MIB)
    expect(await answered).toMatch(/^HTTP\/1\.1 403/)
    socket.destroy()
  })
})

/** Opens a request whose body arrives slowly or never; the headers are sent immediately. */
function open(key: string, contentLength: number | undefined) {
  const { hostname, port } = new URL(parley.url)
  const socket = createConnection(Number(port), hostname)
  let output = ''
  const answered = new Promise<string>((resolve) => {
    socket.on('data', (bytes: Buffer) => {
      output += bytes.toString('latin1')
      if (output.includes('\r\n\r\n')) resolve(output)
    })
    socket.on('close', () => resolve(output))
    socket.on('error', () => {})
  })
  const length =
    contentLength === undefined ? 'transfer-encoding: chunked' : `content-length: ${contentLength}`
  socket.write(
    `POST /api/v1/media HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\n${length}\r\n\r\n`,
  )
  return { socket, answered }
}

describe('parallel uploads', () => {
  const openUploads = async (of: TestWorkspace, count: number, bytes: number | undefined) => {
    const before = await placesOf(of)
    const sockets = Array.from({ length: count }, () => open(of.key, bytes).socket)
    await until(async () => (await placesOf(of)) === before + count, 'the uploads run')
    return sockets
  }
  const end = async (of: TestWorkspace, sockets: { destroy(): void }[]) => {
    for (const socket of sockets) socket.destroy()
    await until(async () => (await placesOf(of)) === 0, 'the places are free')
  }
  const inProgress = {
    status: 429,
    body: { error: 'uploads_in_progress' },
    headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
  }

  test('are at most 4, above that 429 with Retry-After; an interrupted upload frees its place', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const sockets = await openUploads(sandbox, 4, 5 * MIB)
    expect(await sandbox.post('/media', uploadOf('image/png'))).toMatchObject(inProgress)
    await end(sandbox, sockets)
    expect((await sandbox.post('/media', uploadOf('image/png'))).status).toBe(200)
    expect(await placesOf(sandbox)).toBe(0)
  })

  test('are at most 2 over 10 MB', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const sockets = await openUploads(sandbox, 2, 15 * MIB)
    expect(await sandbox.post('/media', uploadOf('application/pdf', 10 * MIB + 2048))).toMatchObject(
      inProgress,
    )
    expect((await sandbox.post('/media', uploadOf('application/pdf', 10 * MIB))).status).toBe(200)
    await end(sandbox, sockets)
  })

  test('of unknown length count as over 10 MB', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const sockets = await openUploads(sandbox, 2, undefined)
    expect(await sandbox.post('/media', uploadOf('application/pdf', 11 * MIB))).toMatchObject(inProgress)
    await end(sandbox, sockets)
  })

  test('are counted over all processes, and for each workspace separately', async () => {
    const duplicate = await boot({ databaseUrl: parley.databaseUrl })
    try {
      const [sandbox, other] = [
        await parley.workspace({ sandbox: true }),
        await parley.workspace({ sandbox: true }),
      ]
      const sockets = await openUploads(sandbox, 4, 5 * MIB)
      const second = await fetch(`${duplicate.url}/api/v1/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(uploadOf('image/png')),
      })
      expect(second.status).toBe(429)
      expect((await other.post('/media', uploadOf('image/png'))).status).toBe(200)
      await end(sandbox, sockets)
    } finally {
      await duplicate.close()
    }
  })

  test('never exceed the limit, with any number of parallel starts', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => sandbox.post('/media', uploadOf('image/png', 3 * MIB))),
    )
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(4)
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 429]))
    expect(await placesOf(sandbox)).toBe(0)
  })

  test('the place of a crashed process is free again when its lease has expired', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    await parley.system((tx) =>
      tx.sql(
        `insert into uploads (workspace_id, id, large, leased_until) select $1, gen_random_uuid(), false, $2 from generate_series(1, 4)`,
        [sandbox.workspaceId, new Date(Date.now() - 1)],
      ),
    )
    expect((await sandbox.post('/media', uploadOf('image/png'))).status).toBe(200)
    expect(await placesOf(sandbox)).toBe(0)
  })
})

describe('a retry of an upload', () => {
  test('returns the first id without uploading again', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const body = uploadOf('image/png')
    const first = await sandbox.post('/media', body, { idempotencyKey: 'menu' })
    const repeated = await sandbox.post('/media', body, { idempotencyKey: 'menu' })
    expect([repeated.status, repeated.text, repeated.headers['idempotent-replayed']]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(await mediaOf(sandbox)).toHaveLength(1)
    const other = await sandbox.post('/media', uploadOf('image/png', 65), { idempotencyKey: 'menu' })
    expect(other).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } })
  })
})

describe('an interrupted body', () => {
  test('leaves no place, no row and no file', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const { socket } = open(sandbox.key, 1_000_000)
    socket.write(
      `{"mimeType":"application/pdf","fileBase64":"${fileOf('application/pdf', 30_000).toString('base64')}`,
    )
    await until(async () => (await placesOf(sandbox)) === 1, 'the upload runs')
    socket.destroy()
    await once(socket, 'close')
    await until(async () => (await placesOf(sandbox)) === 0, 'its place is free')
    expect(await mediaOf(sandbox)).toEqual([])
  })
})

describe('an upload that is never sent', () => {
  test('is deleted with its bytes when its id expires', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    await sandbox.post('/media', uploadOf('image/png'))
    await sandbox.advance(29 * 86_400)
    expect(await mediaOf(sandbox)).toHaveLength(1)
    await sandbox.advance(2 * 86_400)
    expect(await mediaOf(sandbox)).toEqual([])
    const jobs = await parley.system((tx) =>
      tx.sql('select * from jobs where workspace_id = $1', [sandbox.workspaceId]),
    )
    expect(jobs).toEqual([])
  })
})
