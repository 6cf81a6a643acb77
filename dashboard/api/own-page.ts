import { siteBase } from './address.ts'

/** What is below the base of the site and no page to go on to: the API, and links that sign a visitor in. */
const NO_PAGES = /^(?:api|sign-in)(?:[/?#]|$)/i

/**
 * Returns the whole address of a page of this site, or undefined for anything else. Browsers drop tabs and line breaks from
 * addresses and read backslashes as slashes, so the address is read as a browser reads it before its origin is compared. A
 * path is never returned alone: one that begins with two slashes would name another host.
 */
export function ownPage(given: string | null): string | undefined {
  if (!given?.startsWith('/')) return undefined
  const url = URL.parse(given, location.origin)
  const base = siteBase()
  const isOwn = url?.origin === location.origin && url.username === '' && url.password === ''
  if (!isOwn || !url.pathname.startsWith(base)) return undefined
  return NO_PAGES.test(url.pathname.slice(base.length).replace(/^\/+/, '')) ? undefined : url.href
}
