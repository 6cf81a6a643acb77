/** `POST /social/media` (spec 2.9, 4.6, 8.2; docs/clarifications.md "Social network and payments"). */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../../test/support/boot.ts'
import { LITERALS, NAMES, WHOLE_URLS, WITH_SPACES } from '../../../../../../test/support/hostile-addresses.ts'
import { exifSegment, jpegOf, makeFileHost, mp4Of } from '../../../../../../test/support/post-files.ts'

const MIB = 1024 * 1024
type Row = Record<string, unknown>

const filesOf = (parley: TestParley, shop: TestWorkspace): Promise<Row[]> =>
  parley.system((tx) =>
    tx.sql<Row>('select * from social_media where workspace_id = $1 order by id', [shop.workspaceId]),
  )

describe('a public https address', () => {
  let host: Awaited<ReturnType<typeof makeFileHost>>
  let parley: TestParley
  let shop: TestWorkspace
  beforeAll(async () => {
    host = await makeFileHost()
    parley = await boot({ env: host.env })
  })
  // Each test starts with a full bucket.
  beforeEach(async () => {
    shop = await parley.workspace()
    await shop.set({ socialAddon: true })
  })
  afterAll(async () => {
    await parley.close()
    await host.close()
  })

  const add = (url: string, more: object = {}) => shop.post('/social/media', { url, ...more })

  test("is downloaded: 201 with the media and the network's likely objections", async () => {
    const jpeg = jpegOf({ width: 1080, height: 1350, bytes: 300_000 })
    const { status, body } = await add(host.serve(jpeg), { for: 'image' })
    expect([status, body]).toEqual([
      201,
      {
        media: {
          mediaId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          size: 300_000,
          mime: 'image/jpeg',
          kind: 'image',
          width: 1080,
          height: 1350,
        },
        hints: [],
      },
    ])
    expect((await filesOf(parley, shop)).find((row) => row.id === body.media.mediaId)).toMatchObject({
      state: 'stored',
    })
  })

  test('needs no connected account', async () => {
    expect((await add(host.serve(jpegOf()))).status).toBe(201)
  })

  test('hints name the aspect ratio and the size', async () => {
    const { body } = await add(host.serve(jpegOf({ width: 300, height: 100 })), { for: 'carousel' })
    expect(body.hints).toEqual([
      expect.stringMatching(/aspect ratio is 3\.00:1/),
      expect.stringMatching(/size is 300 × 100 pixels/),
    ])
  })

  test('a rotated photo has the width with which it is shown', async () => {
    const { body } = await add(host.serve(jpegOf({ width: 1350, height: 1080, before: [exifSegment(6)] })))
    expect(body).toMatchObject({ media: { width: 1080, height: 1350 }, hints: [] })
  })

  test('is requested once, for a JPEG, with our user agent', async () => {
    const url = host.serve(jpegOf())
    await add(url)
    const fileRequests = host.asked.filter((request) => url.endsWith(request.url ?? ''))
    expect(fileRequests.map(({ headers }) => [headers.accept, headers['user-agent']])).toEqual([
      ['image/jpeg', 'parley'],
    ])
  })

  test('8 MB are accepted, a byte more is not, with any content length', async () => {
    const max = jpegOf({ bytes: 8 * MIB })
    expect((await add(host.serve(max))).body.media.size).toBe(8 * MIB)
    const more = Buffer.concat([max, Buffer.from([0])])
    const announced = host.serve(more)
    const unannounced = host.serve((response) => {
      response.writeHead(200)
      response.write(more)
      response.end()
    })
    for (const url of [announced, unannounced])
      expect(await add(url)).toMatchObject({
        status: 400,
        body: { error: 'invalid', issues: [{ path: 'url', message: 'Must be at most 8 MB.' }] },
      })
  })

  test('the download of an endless stream stops at 8 MB', async () => {
    let sent = 0
    const url = host.serve((response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' })
      const piece = Buffer.alloc(64 * 1024, 7)
      const more = () => {
        sent += piece.length
        if (response.write(sent === piece.length ? jpegOf({ bytes: piece.length }) : piece))
          setImmediate(more)
      }
      response.on('drain', more)
      more()
    })
    expect(await add(url)).toMatchObject({ status: 400, body: { issues: [{ path: 'url' }] } })
    // The systems between the two ends buffer a few megabytes.
    expect(sent).toBeLessThan(32 * MIB)
  })

  test('a photo with huge dimensions in its headers is rejected without decoding it', async () => {
    expect(await add(host.serve(jpegOf({ width: 65_535, height: 65_535 })))).toMatchObject({
      status: 400,
      body: { error: 'invalid', message: expect.stringContaining('65535 × 65535') },
    })
  })

  test.each([
    ['a PNG that calls itself a JPEG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a web page', Buffer.from('<html></html>')],
    ['a video', mp4Of()],
    ['an empty file', Buffer.alloc(0)],
    ['half a header', jpegOf().subarray(0, 24)],
  ])('%s is rejected because of its bytes', async (_, bytes) => {
    const before = (await filesOf(parley, shop)).length
    expect(await add(host.serve(bytes))).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'url', message: "Must be a JPEG. The file isn't one." }] },
    })
    expect((await filesOf(parley, shop)).length).toBe(before)
  })

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const target = host.serve(jpegOf())
    const url = host.serve((response) => response.writeHead(status, { location: target }).end())
    const before = host.asked.length
    expect(await add(url)).toMatchObject({
      status: 400,
      body: { error: 'invalid', message: expect.stringContaining('answered with a redirect') },
    })
    expect(host.asked.length).toBe(before + 1)
  })

  test.each([204, 404, 500])('an answer of %i is rejected, naming the status', async (status) => {
    const url = host.serve((response) => response.writeHead(status).end())
    expect(await add(url)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`answered with status ${status}`) },
    })
  })

  test('a connection that closes before the end of the file is an error', async () => {
    const url = host.serve((response) => {
      response.writeHead(200, { 'content-length': 1_000 })
      response.write(jpegOf(), () => response.destroy())
    })
    expect(await add(url)).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })

  test('a compressed body is not accepted as a JPEG', async () => {
    const url = host.serve((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b08000000', 'hex')),
    )
    expect(await add(url)).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })

  test.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: `https://a.test/${'x'.repeat(2_100)}` }, 'url'],
    [{ url: 'https://a.test/x.jpg', for: 'reel' }, 'for'],
    [{ url: 'https://a.test/x.jpg', size: 1 }, 'size'],
  ])('%j is 400 naming the field', async (body, field) => {
    const answer = await shop.post('/social/media', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues[0].path).toBe(field)
  })

  test('a retry of the same request returns the first answer and downloads nothing', async () => {
    const url = host.serve(jpegOf())
    const addMedia = () => shop.post('/social/media', { url }, { idempotencyKey: 'photo-1' })
    const first = await addMedia()
    const before = host.asked.length
    expect((await addMedia()).body).toEqual(first.body)
    expect(host.asked.length).toBe(before)
  })
})

describe('an upload', () => {
  let parley: TestParley
  let shop: TestWorkspace
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace()
    await shop.set({ socialAddon: true })
  })
  afterAll(() => parley.close())

  const upload = (bytes: Buffer) =>
    shop.post('/social/media/upload', { fileBase64: bytes.toString('base64') })

  test('of a video is for reels', async () => {
    const { status, body } = await upload(mp4Of({ filmBytes: 2 * MIB }))
    expect([status, body]).toMatchObject([
      201,
      { media: { kind: 'video', mime: 'video/mp4', width: 1080, height: 1920 }, hints: [] },
    ])
    expect(body.media.size).toBeGreaterThan(2 * MIB)
  })

  test('of a MOV, and of a JPEG', async () => {
    expect((await upload(mp4Of({ brand: 'qt  ' }))).body.media.mime).toBe('video/quicktime')
    expect((await upload(jpegOf())).body.media).toMatchObject({ kind: 'image', mime: 'image/jpeg' })
  })

  test('of a photo over 8 MB is 413', async () => {
    expect(await upload(jpegOf({ bytes: 8 * MIB + 1 }))).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large' },
    })
  })

  test.each([
    ['sound', mp4Of({ handler: 'soun' })],
    ['a document', Buffer.from('%PDF-1.7')],
  ])('of %s is rejected because of its bytes', async (_, bytes) => {
    expect(await upload(bytes)).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'fileBase64' }] },
    })
  })
})

describe('internal addresses are rejected, without any connection', () => {
  let connections = 0
  const tripwire = createServer((socket) => {
    connections++
    socket.destroy()
  })
  let port: number
  let parley: TestParley
  /** Each sends a few dozen requests: the bucket has 30. */
  const shops: TestWorkspace[] = []
  beforeAll(async () => {
    tripwire.listen(0)
    await once(tripwire, 'listening')
    port = (tripwire.address() as AddressInfo).port
    parley = await boot()
  })
  afterAll(async () => {
    await parley.close()
    tripwire.close()
  })

  let requestCount = 0
  async function requestFile(url: string) {
    const place = Math.floor(requestCount++ / 25)
    if (!shops[place]) {
      const shop = await parley.workspace()
      await shop.set({ socialAddon: true })
      shops.push(shop)
    }
    return shops[place]!.post('/social/media', { url, for: 'image' })
  }
  const expectRefusal = async (url: string) => {
    const { status, body, text } = await requestFile(url)
    expect([status, body.error, body.issues?.[0]?.path], text).toEqual([400, 'invalid', 'url'])
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|10\.0\.0/)
  }

  test.each(LITERALS)('%s', (address) => expectRefusal(`https://${address}:${port}/x.jpg`))
  // Names that are not refused directly are looked up, and these do not resolve here.
  test.each(NAMES)('%s', (name) => expectRefusal(`https://${name}:${port}/x.jpg`))
  test.each([...WHOLE_URLS, ...WITH_SPACES])('%j', (url) => expectRefusal(url.replace('PORT', String(port))))

  test('the connection monitor saw no connection, and nothing was stored', async () => {
    expect(connections).toBe(0)
    for (const shop of shops) expect(await filesOf(parley, shop)).toEqual([])
  })
})
