/** Formats requests as commands for a terminal. */
import { addressOf } from '../../api/address.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

type CurlInput = { method?: string; url: string; headers?: Record<string, string>; body?: unknown }

export function curlOf({ method = 'GET', url, headers = {}, body }: CurlInput): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Returns the command for an endpoint of the API; the reader inserts their own key. */
export const curlOfApi = (method: string, path: string, query: Record<string, unknown> = {}): string =>
  `${curlOf({ method, url: new URL(addressOf('v1', path, query), document.baseURI).href })} \\\n  -H "Authorization: Bearer $PARLEY_API_KEY"`
