import { Transform } from 'node:stream'
import type { Outside } from '../core/context.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import { plainMediaType } from '../operator/media-types.ts'

/** The maximum time of a whole file, and of a silence within it. */
const STREAM_MS = 60_000
const IDLE_MS = 10_000

/** The types that browsers show without running anything in them. */
const SHOWN = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/wav',
])

/** Fails a stream that is longer than `maxBytes`. */
function atMost(maxBytes: number): Transform {
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length
      done(length > maxBytes ? new Error('The file is too long.') : null, chunk)
    },
  })
}

const oneValue = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Passes files of the photo network on; the egress checks where their addresses lead. */
export const fileStreamer =
  (egress: Egress): Outside['streamFile'] =>
  async (url, { maxBytes, range }) => {
    try {
      const { status, headers, body } = await egress.open({
        target: egress.prepareTarget(url),
        headers: {
          accept: 'image/*, video/*, audio/*',
          'accept-encoding': 'identity',
          'user-agent': 'parley',
          ...(range === undefined ? {} : { range }),
        },
        timeoutMs: STREAM_MS,
        idleMs: IDLE_MS,
      })
      const contentType = plainMediaType(String(headers['content-type'] ?? ''))
      const isPart = status === 206 && range !== undefined
      if (
        !(status === 200 || isPart) ||
        !SHOWN.has(contentType) ||
        Number(headers['content-length']) > maxBytes
      ) {
        body.destroy()
        return undefined
      }
      const limited = atMost(maxBytes)
      body.on('error', (error) => limited.destroy(error))
      limited.on('close', () => body.destroy())
      return {
        contentType,
        contentLength: oneValue(headers['content-length']),
        contentRange: isPart ? oneValue(headers['content-range']) : undefined,
        body: body.pipe(limited),
      }
    } catch (error) {
      if (error instanceof EgressFault) return undefined
      throw error
    }
  }
