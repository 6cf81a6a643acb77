import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'

/** A file in a call. */
export type UploadedFile = {
  /** The parameter that contains it. */
  field: string
  filename: string | undefined
  /** The declared type of its part; clients that do not know it send `application/octet-stream`. */
  mimeType: string
  bytes: Buffer
}

/** The content of a multipart body, or why it cannot be read. */
export type Multipart =
  | { ok: true; fields: Record<string, unknown>; file: UploadedFile | undefined }
  | { ok: false; tooLarge: boolean }

const maxParts = 100

/**
 * Reads a multipart body of at most `maxBytes` (files included) to its end, even after a fault, so that the
 * answer can be sent. Rejects if the caller disconnects.
 */
export function readMultipart(req: IncomingMessage, maxBytes: number): Promise<Multipart> {
  const parser = parserFor(req, maxBytes)
  if (parser === undefined) return drain(req).then(() => ({ ok: false, tooLarge: false }))
  return new Promise((resolve, reject) => {
    const fields: Record<string, unknown> = {}
    let file: UploadedFile | undefined
    let size = 0
    let broken = false
    const giveUp = () => {
      broken = true
      req.unpipe(parser)
      req.resume()
      // A fault at the very end of a body is reported after this event.
      if (req.readableEnded) resolve({ ok: false, tooLarge: size > maxBytes })
    }
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.on('file', (field, stream, filename, _encoding, mimeType) => {
      const room = collector(Number(req.headers['content-length']), maxBytes)
      stream.on('data', (chunk: Buffer) => room.add(chunk))
      // A body that ends inside a file also emits an error here, and an unhandled error would end the
      // process.
      stream.on('error', giveUp)
      stream.on('end', () => {
        file = { field, filename, mimeType, bytes: room.taken() }
      })
    })
    parser.on('error', giveUp)
    parser.on('finish', () => resolve({ ok: true, fields, file }))
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      // The rest of a body that is too long is read and dropped.
      if (size > maxBytes && !broken) giveUp()
    })
    req.on('end', () => {
      if (broken) resolve({ ok: false, tooLarge: size > maxBytes })
    })
    onDisconnect(req, reject)
    req.pipe(parser)
  })
}

/** Calls `report` when a caller disconnects, or already has, before the body is complete. */
export function onDisconnect(req: IncomingMessage, report: (error: Error) => void): void {
  const reportLeft = () => {
    if (!req.complete) report(new Error('the caller left'))
  }
  req.on('error', reportLeft).on('close', reportLeft)
  if (req.destroyed) reportLeft()
}

function parserFor(req: IncomingMessage, maxBytes: number): BusboyInstance | undefined {
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      // Every upload to the operator's API has one file.
      limits: { files: 1, parts: maxParts, fieldSize: Math.min(maxBytes, 1024 * 1024), fieldNameSize: 200 },
    })
  } catch {
    // The header has no boundary.
    return undefined
  }
}

function drain(req: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    req.on('end', resolve).resume()
    onDisconnect(req, reject)
  })
}

/**
 * Collects the bytes of a file. If the length of the body is known, the bytes are copied into one buffer as
 * they arrive, so that a file is never in memory twice.
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
