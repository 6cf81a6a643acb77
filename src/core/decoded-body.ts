import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

const DECODERS: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The bytes of a body by its `content-encoding`; as it came where that is not known, the body is none, or `maxBytes` do not hold it. */
export function decodedBody(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const decode = DECODERS[encoding?.trim().toLowerCase() ?? '']
  if (!decode) return body
  try {
    return decode(body, { maxOutputLength: maxBytes })
  } catch {
    return body
  }
}
