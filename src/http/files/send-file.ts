import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file in each encoding that the build wrote. */
export type BuiltFile = { type: string; plain: Buffer; br?: Buffer; gzip?: Buffer }

export const HTML = 'text/html; charset=utf-8'

/** Media types of built files, by the ending of the name. */
export const TYPES: Record<string, string> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

export type Encoding = 'br' | 'gzip'

/** Returns the encodings that the client accepts, the smallest first. */
export function acceptedEncodings(request: FastifyRequest): Encoding[] {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  return (['br', 'gzip'] as const).filter((name) => new RegExp(`\\b${name}\\b`).test(accepted))
}

/** Sends the smallest encoding of a file that the client accepts. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply.type(file.type).header('vary', 'accept-encoding')
  for (const encoding of acceptedEncodings(request)) {
    const bytes = file[encoding]
    if (bytes) return reply.header('content-encoding', encoding).send(bytes)
  }
  return reply.send(file.plain)
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Builds a short page that says why built pages aren't available. A page that reloads does so every 2 seconds. */
export const placeholderPage = (page: {
  title: string
  paragraphs: string[]
  reason?: string
  reloads: boolean
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.reloads ? '<meta http-equiv="refresh" content="2">\n' : ''}<title>Parley</title>
</head>
<body>
<h1>${page.title}</h1>
${page.paragraphs.map((text) => `<p>${text}</p>\n`).join('')}${page.reason ? `<pre>${escaped(page.reason)}</pre>\n` : ''}</body>
</html>
`
