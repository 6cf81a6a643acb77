import { siteBase } from './address.ts'

/** Paths below the base of the site that are no pages to continue to: the API, and sign-in links. */
const NO_PAGES = /^(?:api|sign-in)(?:[/?#]|$)/i

/**
 * Returns the full address of a page of this site, or undefined for any other address. Browsers drop tabs and
 * line breaks and read backslashes as slashes, so the address is parsed before its origin is compared. Never
 * returns only a path: a path that begins with two slashes names another host.
 */
export function ownPage(input: string | null): string | undefined {
  if (!input?.startsWith('/')) return undefined
  const url = URL.parse(input, location.origin)
  const base = siteBase()
  const isOwn = url?.origin === location.origin && url.username === '' && url.password === ''
  if (!isOwn || !url.pathname.startsWith(base)) return undefined
  return NO_PAGES.test(url.pathname.slice(base.length).replace(/^\/+/, '')) ? undefined : url.href
}
