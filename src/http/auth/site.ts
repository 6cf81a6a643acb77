/**
 * The site that browsers open: checks which pages may send requests, and reads and writes the session cookie.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../core/errors.ts'
import type { NewSession } from '../../core/session.ts'

export type Site = {
  url: string
  /** Returns the session token in a Cookie header. */
  tokenIn(cookies: string | undefined): string | undefined
  /** Returns the Set-Cookie header of a session; null makes the browser delete the cookie. */
  cookieOf(session: NewSession | null, now: Date): string
  /** Returns the secret of the browser's single sign-on in a Cookie header, and its Set-Cookie header. */
  attemptIn(cookies: string | undefined): string | undefined
  cookieOfAttempt(secret: string, seconds: number): string
  /**
   * Refuses requests that another site's page makes a browser send: `cross_site`. Reads may also come from
   * the address bar; writes must come from one of our pages.
   */
  requireOwn(headers: IncomingHttpHeaders, isWrite: boolean): void
  /**
   * Refuses requests from pages of other sites, also of a site whose name was made to lead here (DNS rebinding). A request
   * without an Origin comes from a program.
   */
  requireNoForeignPage(headers: IncomingHttpHeaders): void
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }

/**
 * Returns whether the Host header names the site. On a local installation, any loopback name and port are
 * accepted.
 */
function isSiteHost(site: URL, host: string | undefined): boolean {
  const url = host === undefined ? null : URL.parse(`${site.protocol}//${host}`)
  if (url === null) return false
  return url.host === site.host || (LOOPBACK.test(site.hostname) && LOOPBACK.test(url.hostname))
}

/** Returns the value of a cookie in a Cookie header. */
const cookieValue = (cookies: string | undefined, name: string): string | undefined =>
  cookies
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)

export function siteOf(siteUrl: string): Site {
  const site = new URL(siteUrl)
  const isSecure = site.protocol === 'https:'
  // Browsers accept a cookie with this prefix only over HTTPS, for exactly this host and the whole site.
  // Without HTTPS, ports share cookies, so the port is in the name.
  const name = isSecure ? '__Host-parley' : `parley-${site.port || DEFAULT_PORTS[site.protocol]}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const attemptName = `${name}-sso`
  return {
    url: siteUrl,
    tokenIn: (cookies) => cookieValue(cookies, name),
    attemptIn: (cookies) => cookieValue(cookies, attemptName),
    cookieOfAttempt: (secret, seconds) => `${attemptName}=${secret}; Max-Age=${seconds}; ${attributes}`,
    cookieOf: (session, now) => {
      const seconds = session
        ? Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000))
        : 0
      return `${name}=${session?.token ?? ''}; Max-Age=${seconds}; ${attributes}`
    },
    requireOwn: (headers, isWrite) => {
      if (!isSiteHost(site, headers.host))
        refuse(
          'cross_site',
          `This isn't the address of the site. Open ${siteUrl}, or set PARLEY_SITE_URL to this address.`,
        )
      const from = headers['sec-fetch-site']
      if (!isWrite) {
        if (from === 'cross-site')
          refuse('cross_site', "Another site can't read this. Open it from a page of this site.")
        return
      }
      const isOwn =
        from === undefined ? headers.origin === `${site.protocol}//${headers.host}` : from === 'same-origin'
      if (!isOwn) refuse('cross_site', 'Only a page of this site can change this. Open the dashboard.')
    },
    requireNoForeignPage: ({ origin, host }) => {
      if (origin === undefined) return
      if (!isSiteHost(site, host) || origin !== `${site.protocol}//${host}`)
        refuse(
          'cross_site',
          "Another site's page can't call this. Connect a program without an Origin header.",
        )
    },
  }
}
