/** Tests the requirements of every media store, for each of them. */
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3 } from '../../test/support/s3-server.ts'
import { until } from '../../test/support/until.ts'
import { HOUR_MS, systemClock } from '../core/clock.ts'
import { openMediaStore } from './open-store.ts'
import type { MediaStore } from './port.ts'
import { parseS3Address, type S3Address } from './s3-address.ts'
import { presignedLink } from './s3-link.ts'
import { createSpool } from './spool.ts'

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
const bytesFrom = (open: () => AsyncIterable<Buffer>) => ({
  stream: () => Readable.from(open(), { objectMode: false }),
  pieces: open,
})
const stored = (content: Buffer = bytes) => ({
  ...bytesFrom(async function* () {
    yield content.subarray(0, 7)
    yield content.subarray(7)
  }),
  sizeBytes: content.length,
  mimeType: 'image/png',
})
const addressOf = (text: string): S3Address => {
  const parsed = parseS3Address(text)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return { ...parsed.value, keyId: 'key-id', secret: 'key-secret' }
}

type Opened = { store: MediaStore; close(): Promise<void> }
const stores: [string, () => Promise<Opened>][] = [
  [
    'disk',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'parley-store-'))
      const store = await openMediaStore({ dataDir }, systemClock)
      return { store, close: () => rm(dataDir, { recursive: true }) }
    },
  ],
  [
    's3',
    async () => {
      const s3 = await startS3()
      const store = await openMediaStore(
        { dataDir: '/nowhere', mediaS3: addressOf(s3.env.PARLEY_MEDIA_URL) },
        systemClock,
      )
      return {
        store,
        close: async () => {
          await store.close()
          await s3.close()
        },
      }
    },
  ],
]

describe.each(stores)('the media store on %s', (_, open) => {
  let opened: Opened
  let store: MediaStore
  beforeAll(async () => {
    opened = await open()
    store = opened.store
    await store.check()
  })
  afterAll(() => opened.close())
  const read = async (key: string, range?: { start: number; end: number }) => {
    const stream = await store.open(key, range)
    return stream && (await buffer(stream))
  }

  test('returns the stored bytes', async () => {
    await store.put('shop/one', stored())
    expect((await read('shop/one'))?.equals(bytes)).toBe(true)
  })

  test('returns a part', async () => {
    await store.put('shop/part', stored())
    expect(
      (await read('shop/part', { start: 100_000, end: 200_000 }))?.equals(bytes.subarray(100_000, 200_001)),
    ).toBe(true)
    expect((await read('shop/part', { start: 0, end: 0 }))?.length).toBe(1)
  })

  test('replaces the bytes of a key', async () => {
    await store.put('shop/two', stored())
    await store.put('shop/two', stored(Buffer.from('shorter')))
    expect((await read('shop/two'))?.toString()).toBe('shorter')
  })

  test('returns undefined for an unknown key', async () => {
    expect(await store.open('shop/missing')).toBeUndefined()
    await store.delete('shop/missing')
    await store.delete('nobody/missing')
  })

  test('deletes a file', async () => {
    await store.put('shop/three', stored())
    await store.delete('shop/three')
    expect(await store.open('shop/three')).toBeUndefined()
  })

  test.each(['../secret.key', '/etc/passwd', 'a//b', 'a/../b', '', 'a\\b', 'a b', 'a/'])(
    'rejects the key %j, which would leave its folder',
    async (key) => {
      await expect(store.put(key, stored())).rejects.toThrow('not a key')
      await expect(store.open(key)).rejects.toThrow('not a key')
      await expect(async () => store.delete(key)).rejects.toThrow('not a key')
    },
  )

  test('stores nothing if the bytes are interrupted', async () => {
    const broken = {
      ...stored(),
      ...bytesFrom(async function* () {
        yield bytes.subarray(0, 100_000)
        throw new Error('broken off')
      }),
    }
    await expect(store.put('shop/broken', broken)).rejects.toThrow()
    expect(await store.open('shop/broken')).toBeUndefined()
  })

  test('stores many files concurrently', async () => {
    const keys = Array.from({ length: 20 }, (__, i) => `crowd/${i}`)
    await Promise.all(keys.map((key) => store.put(key, stored(Buffer.from(key)))))
    expect((await Promise.all(keys.map((key) => read(key)))).map(String)).toEqual(keys)
  })
})

describe('the disk', () => {
  test('has no incomplete files, and only its own user can read it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-store-'))
    const store = await openMediaStore({ dataDir }, systemClock)
    await store.put('shop/one', stored())
    expect(await readdir(join(dataDir, 'media/shop'))).toEqual(['one'])
    expect((await stat(join(dataDir, 'media/shop/one'))).mode & 0o777).toBe(0o600)
    await rm(dataDir, { recursive: true })
  })

  test('at the next start drafts of a dead process are removed, and drafts of a live process are kept', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-store-'))
    const files = async () =>
      (await readdir(dataDir, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    const store = await openMediaStore({ dataDir }, systemClock)
    const endings: (() => void)[] = []
    /** Resolves when the first half is on disk; the rest never arrives. */
    const writeHalf = async (key: string): Promise<string> => {
      const before = await files()
      const hanging = bytesFrom(async function* () {
        yield bytes
        await new Promise<void>((resolve) => endings.push(resolve))
        throw new Error('gone')
      })
      store.put(key, { ...stored(), ...hanging }).catch(() => {})
      return until(
        async () => (await files()).find((file) => !before.includes(file)),
        'half of the file is written',
      )
    }
    const left = await writeHalf('shop/left')
    const written = await writeHalf('shop/written')
    const longAgo = new Date(Date.now() - HOUR_MS)
    await utimes(left, longAgo, longAgo)
    const next = await openMediaStore({ dataDir }, systemClock)
    await until(async () => !(await files()).includes(left), 'the leftover file is gone')
    expect(await files()).toEqual([written])
    for (const end of endings) end()
    await next.close()
    await store.close()
    await rm(dataDir, { recursive: true })
  })

  test('a spooled file has no name, and can be read repeatedly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-spool-'))
    const writer = await createSpool(folder).open()
    await writer.write(Buffer.from('forgotten'))
    writer.restart()
    await writer.write(bytes.subarray(0, 5000))
    await writer.write(bytes.subarray(5000))
    const file = writer.finish()
    expect(await readdir(folder)).toEqual([])
    expect([file.sizeBytes, file.head.equals(bytes.subarray(0, 4096))]).toEqual([bytes.length, true])
    for (let i = 0; i < 2; i++) expect((await buffer(file.stream())).equals(bytes)).toBe(true)
    await file.close()
    await rm(folder, { recursive: true })
  })
})

describe('a link into S3', () => {
  test('is signed as in the documentation of the signature', () => {
    const link = presignedLink({
      address: {
        bucket: 'examplebucket',
        prefix: '',
        region: 'us-east-1',
        pathStyle: false,
        endpoint: 'https://s3.amazonaws.com',
      },
      credentials: {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
      key: 'test.txt',
      seconds: 86_400,
      response: {},
      now: new Date('2013-05-24T00:00:00.000Z'),
    })
    expect(link).toMatch(/^https:\/\/examplebucket\.s3\.amazonaws\.com\/test\.txt\?/)
    expect(link).toContain('X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404')
  })

  test('opens the file without keys, states its type, and expires', async () => {
    const s3 = await startS3()
    const store = await openMediaStore(
      { dataDir: '/nowhere', mediaS3: addressOf(s3.env.PARLEY_MEDIA_URL) },
      systemClock,
    )
    await store.put('shop/one', stored())
    const url = await store.link!({
      key: 'shop/one',
      contentType: 'image/png',
      disposition: 'inline; filename="a b.png"',
      seconds: 300,
    })
    const answer = await request(url)
    expect(Buffer.from(await answer.body.arrayBuffer()).equals(bytes)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="a b.png"',
    })
    s3.setTime(() => new Date(Date.now() + 301_000))
    expect((await request(url)).statusCode).toBe(403)
    await store.close()
    await s3.close()
  })
})

test('a temporarily busy S3 is retried, also with a stream', async () => {
  const s3 = await startS3()
  const store = await openMediaStore(
    { dataDir: '/nowhere', mediaS3: addressOf(s3.env.PARLEY_MEDIA_URL) },
    systemClock,
  )
  s3.failNext(1)
  await store.put('shop/one', stored())
  s3.failNext(1)
  expect((await buffer((await store.open('shop/one'))!)).equals(bytes)).toBe(true)
  expect([...s3.objects.keys()]).toEqual(['parley/shop/one'])
  await store.close()
  await s3.close()
})

describe('the address of a bucket', () => {
  test.each([
    ['s3://files', { bucket: 'files', prefix: '', region: 'us-east-1', pathStyle: false }],
    [
      's3://files/a/b/?region=ap-south-1',
      { bucket: 'files', prefix: 'a/b/', region: 'ap-south-1', pathStyle: false },
    ],
    [
      's3://files?endpoint=http://minio:9000',
      { bucket: 'files', endpoint: 'http://minio:9000', pathStyle: true },
    ],
    [
      's3://files?endpoint=https://r2.example&pathStyle=false',
      { endpoint: 'https://r2.example', pathStyle: false },
    ],
  ])('%s is parsed', (text, value) => {
    expect(parseS3Address(text)).toMatchObject({ value })
  })

  test.each([
    'files',
    'https://files',
    's3://',
    's3://A',
    's3://id:key@files',
    's3://files?zone=a',
    's3://files/a b',
    's3://files?endpoint=minio',
  ])('%s is rejected', (text) => {
    expect(parseS3Address(text)).toHaveProperty('problem')
  })
})
