import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that changes only with a release, plain and gzipped. */
export type Packed = { plain: Buffer; packed: Buffer }

const pack = promisify(gzip)

export const packedOf = async (plain: Buffer): Promise<Packed> => ({ plain, packed: await pack(plain) })

/** Sends the text, gzipped if the client accepts it. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, text: Packed): FastifyReply {
  reply.header('vary', 'accept-encoding')
  return /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    ? reply.header('content-encoding', 'gzip').send(text.packed)
    : reply.send(text.plain)
}
