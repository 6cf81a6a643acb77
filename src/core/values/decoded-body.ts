import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

const DECODERS: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/**
 * Decodes a body by its `content-encoding`. Returns it unchanged if the encoding is unknown, the body is not in it, or more
 * than `maxBytes` come out.
 */
export function decodedBody(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const decode = DECODERS[encoding?.trim().toLowerCase() ?? '']
  if (!decode) return body
  try {
    return decode(body, { maxOutputLength: maxBytes })
  } catch {
    return body
  }
}
