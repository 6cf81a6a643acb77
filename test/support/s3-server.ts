/**
 * The part of an S3-compatible store that the service uses: objects in one bucket, in memory. It doesn't
 * check signatures, but it rejects requests without a signature and with an expired link.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Stored = { bytes: Buffer; type: string }

export async function startS3(bucket = 'files') {
  const objects = new Map<string, Stored>()
  let failing = 0
  let now = () => new Date()

  const refuse = (response: ServerResponse, status: number, code: string): void => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3')
    const [, inBucket, ...parts] = url.pathname.split('/').map(decodeURIComponent)
    const key = parts.join('/')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (failing > 0) {
      failing--
      return refuse(response, 503, 'SlowDown')
    }
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256') && !isSigned(url))
      return refuse(response, 403, 'AccessDenied')
    if (inBucket !== bucket) return refuse(response, 404, 'NoSuchBucket')
    if (key === '') return void response.writeHead(200).end()
    if (request.method === 'PUT') {
      objects.set(key, { bytes: Buffer.concat(chunks), type: request.headers['content-type'] ?? '' })
      return void response.writeHead(200, { etag: '"x"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) return refuse(response, 404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const bytes = range ? found.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : found.bytes
    response.writeHead(range ? 206 : 200, {
      'content-type': url.searchParams.get('response-content-type') ?? found.type,
      'content-length': bytes.length,
      ...(url.searchParams.has('response-content-disposition')
        ? { 'content-disposition': url.searchParams.get('response-content-disposition') as string }
        : {}),
    })
    response.end(bytes)
  }

  /** Returns whether a link has a signature that hasn't expired. */
  function isSigned({ searchParams }: URL): boolean {
    const stamp = searchParams
      .get('X-Amz-Date')
      ?.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3:$4:$5Z')
    const end = Date.parse(stamp ?? '') + Number(searchParams.get('X-Amz-Expires')) * 1000
    return /^[0-9a-f]{64}$/.test(searchParams.get('X-Amz-Signature') ?? '') && now().getTime() < end
  }

  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** For PARLEY_MEDIA_URL; the keys are separate settings. */
    env: {
      PARLEY_MEDIA_URL: `s3://${bucket}/parley?endpoint=${encodeURIComponent(url)}`,
      PARLEY_MEDIA_KEY_ID: 'key-id',
      PARLEY_MEDIA_SECRET: 'key-secret',
    },
    objects,
    /** Answers the next `count` requests with 503. */
    failNext: (count: number) => {
      failing = count
    },
    setTime: (readTime: () => Date) => {
      now = readTime
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
