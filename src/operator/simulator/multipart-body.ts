import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'

/** A file that came with a call. */
export type UploadedFile = {
  /** The parameter that it was sent as. */
  field: string
  filename: string | undefined
  /** The type that its part claims; clients that do not know it say `application/octet-stream`. */
  mimeType: string
  bytes: Buffer
}

/** What a multipart body holds, or why it cannot be read. */
export type Multipart =
  | { ok: true; fields: Record<string, unknown>; file: UploadedFile | undefined }
  | { ok: false; tooLarge: boolean }

const maxParts = 100

/**
 * Reads a multipart body of at most `maxBytes` (files included) to its end, whatever it holds, so that the answer can
 * be sent. Rejects when the caller leaves midway.
 */
export function readMultipart(req: IncomingMessage, maxBytes: number): Promise<Multipart> {
  const parser = parserFor(req, maxBytes)
  if (parser === undefined) return drained(req).then(() => ({ ok: false, tooLarge: false }))
  return new Promise((resolve, reject) => {
    const fields: Record<string, unknown> = {}
    let file: UploadedFile | undefined
    let size = 0
    let broken = false
    const giveUp = () => {
      broken = true
      req.unpipe(parser)
      req.resume()
      // What is amiss at the very end of a body is reported after that.
      if (req.readableEnded) resolve({ ok: false, tooLarge: size > maxBytes })
    }
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.on('file', (field, stream, filename, _encoding, mimeType) => {
      const room = collector(Number(req.headers['content-length']), maxBytes)
      stream.on('data', (chunk: Buffer) => room.add(chunk))
      // A body that ends inside a file says so here too: what nobody hears ends the process.
      stream.on('error', giveUp)
      stream.on('end', () => {
        file = { field, filename, mimeType, bytes: room.taken() }
      })
    })
    parser.on('error', giveUp)
    parser.on('finish', () => resolve({ ok: true, fields, file }))
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      // What is too long is read on and dropped.
      if (size > maxBytes && !broken) giveUp()
    })
    req.on('end', () => {
      if (broken) resolve({ ok: false, tooLarge: size > maxBytes })
    })
    whenGone(req, reject)
    req.pipe(parser)
  })
}

/** Reports a caller who leaves, or had left, before the body was whole. */
export function whenGone(req: IncomingMessage, report: (error: Error) => void): void {
  const gone = () => {
    if (!req.complete) report(new Error('the caller left'))
  }
  req.on('error', gone).on('close', gone)
  if (req.destroyed) gone()
}

function parserFor(req: IncomingMessage, maxBytes: number): BusboyInstance | undefined {
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      // Every upload of the operator's is one file.
      limits: { files: 1, parts: maxParts, fieldSize: Math.min(maxBytes, 1024 * 1024), fieldNameSize: 200 },
    })
  } catch {
    // No boundary.
    return undefined
  }
}

function drained(req: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    req.on('end', resolve).resume()
    whenGone(req, reject)
  })
}

/**
 * Gathers the bytes of a file. With the length of the whole body known they are copied into one piece at once, so
 * that a file never lies in memory twice.
 */
function collector(bodyLength: number, maxBytes: number): { add(chunk: Buffer): void; taken(): Buffer } {
  if (!(bodyLength > 0 && bodyLength <= maxBytes)) {
    const chunks: Buffer[] = []
    return { add: (chunk) => chunks.push(chunk), taken: () => Buffer.concat(chunks) }
  }
  const room = Buffer.allocUnsafe(bodyLength)
  let size = 0
  return {
    add(chunk) {
      size += chunk.copy(room, size)
    },
    taken: () => room.subarray(0, size),
  }
}
