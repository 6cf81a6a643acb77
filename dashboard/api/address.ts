/**
 * Builds addresses: every address of a workspace begins with `/w/{workspace}`, and API requests go to the
 * same base.
 */

/** Returns the base of every address, which the server writes into the page. */
export const siteBase = (): string => new URL('.', document.baseURI).pathname

/** Returns the workspace of the open page; undefined before a workspace is chosen. */
export function workspaceInAddress(): string | undefined {
  const path = location.pathname.slice(siteBase().length - 1)
  return /^\/w\/([0-9a-f-]{36})(\/|$)/i.exec(path)?.[1]?.toLowerCase()
}

/** Returns an address of the API. */
export function addressOf(
  area: 'v1' | 'dashboard',
  path: string,
  query: Record<string, unknown> = {},
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '')
      search.set(name, `${value as string | number | boolean}`)
  const queryString = search.size > 0 ? `?${search}` : ''
  return `${siteBase()}api/${area}${path}${queryString}`
}
