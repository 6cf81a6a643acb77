/** Where we are: every address of a workspace begins with `/w/{workspace}`, and what is asked for is asked for there. */

/** The base of every address: the server writes it into the page. */
export const siteBase = (): string => new URL('.', document.baseURI).pathname

/** The workspace of the page that is open; undefined before one is chosen. */
export function workspaceInAddress(): string | undefined {
  const path = location.pathname.slice(siteBase().length - 1)
  return /^\/w\/([0-9a-f-]{36})(\/|$)/i.exec(path)?.[1]?.toLowerCase()
}

/** An address of the API. */
export function addressOf(
  area: 'v1' | 'dashboard',
  path: string,
  query: Record<string, unknown> = {},
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '')
      search.set(name, `${value as string | number | boolean}`)
  const asked = search.size > 0 ? `?${search}` : ''
  return `${siteBase()}api/${area}${path}${asked}`
}
