import type { SmtpAddress } from './smtp.ts'

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/**
 * Parses `smtp://user:password@host:port` or `smtps://…`; the text may contain a password and is never
 * repeated.
 */
export function parseSmtpAddress(text: string): { value: SmtpAddress } | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !(url.protocol in PORTS) || url.hostname === '')
    return { problem: 'Must be a mail server, such as smtp://user:password@mail.example.com:587.' }
  if (!['', '/'].includes(url.pathname) || url.search || url.hash)
    return { problem: 'Must be an address without a path, a query, or a fragment.' }
  const value: SmtpAddress = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || PORTS[url.protocol as keyof typeof PORTS],
    secure: url.protocol === 'smtps:',
  }
  try {
    if (url.username)
      Object.assign(value, {
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      })
  } catch {
    return { problem: 'User and password must be URL-encoded.' }
  }
  return { value }
}
