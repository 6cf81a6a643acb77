/** One read of Chatwoot's API. */
import { isIP } from 'node:net'
import { SECOND_MS } from '../core/clock.ts'
import { isObject, textOrNull } from '../core/values/storable.ts'
import { mayReach } from '../egress/address.ts'
import type { Egress, EgressRequest } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import type { ChatwootAccount, ChatwootAnswer } from './port.ts'

/** Maximum bytes of an answer: a page of a hundred long messages, or an inbox with all its templates. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 30 * SECOND_MS
/** Longest demanded pause that is kept to, in seconds. */
const MAX_RETRY_AFTER = 3600

const LOCAL_NAME = /^[^.]+$|\.(local|lan|internal|localdomain|localhost|home\.arpa)$/

/**
 * Returns whether an address may be called without TLS: only one that isn't on the public internet. The egress
 * calls such an address only if the installation allows it (PARLEY_EGRESS_ALLOW).
 */
export function mayUseHttp(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$|\.$/g, '') : ''
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : !mayReach(host, [])
}

/** Returns the seconds of a Retry-After header, which is a number or a date; null without one. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - nowMs) / SECOND_MS
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER) : null
}

type Caller = Pick<Egress, 'prepareTarget'> & {
  get(request: Omit<EgressRequest, 'body'>): ReturnType<Egress['get']>
}
export type LineOptions = { egress: Caller; timeMs: () => number }

/** Reads a path below the base URL once. Never rejects for a fault of the far side. */
export type Line = (account: ChatwootAccount, path: string) => Promise<ChatwootAnswer<unknown>>

export const openLine =
  ({ egress, timeMs }: LineOptions): Line =>
  async (account, path) => {
    try {
      const url = `${account.url}${path}`
      const answer = await egress.get({
        target: egress.prepareTarget(url, { requireHttps: !mayUseHttp(url) }),
        headers: {
          'user-agent': 'parley',
          accept: 'application/json',
          'accept-encoding': 'identity',
          api_access_token: account.token,
        },
        timeoutMs: TIMEOUT_MS,
        maxBodyBytes: MAX_ANSWER_BYTES,
      })
      if (answer.truncated) return later('An answer of Chatwoot is larger than 16 MB.')
      return readAnswer(answer, timeMs())
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return error.reason === 'refused_address'
        ? refused(
            'url',
            `${error.message} If this Chatwoot is in your network, add its address to PARLEY_EGRESS_ALLOW.`,
          )
        : later(`Chatwoot can't be reached: ${error.message}`)
    }
  }

export const later = (reason: string, retryAfterSeconds: number | null = null): ChatwootAnswer<never> => ({
  kind: 'later',
  reason,
  retryAfterSeconds,
})

export const refused = (field: 'url' | 'account' | 'token', message: string): ChatwootAnswer<never> => ({
  kind: 'refused',
  field,
  message,
})

type RawAnswer = { status: number; headers: Record<string, string>; body: Buffer }

function readAnswer({ status, headers, body }: RawAnswer, nowMs: number): ChatwootAnswer<unknown> {
  const json = parsed(body)
  if (status >= 500 || status === 408 || status === 429)
    return later(`Chatwoot answered with status ${status}.`, retryAfterOf(headers['retry-after'], nowMs))
  if (status >= 300 && status < 400)
    return refused(
      'url',
      `The address redirects (${status}). Enter the final address, with https:// if it has it.`,
    )
  if (status === 401 && isSuspended(json))
    return refused('account', 'Chatwoot says that this account is suspended.')
  if (status === 401)
    return refused(
      'token',
      "Chatwoot doesn't accept this token. Copy the access token of an administrator from Chatwoot, Profile Settings.",
    )
  if (status === 403)
    return refused(
      'token',
      'Chatwoot denied access (403). Use the token of an administrator, and let this server through your firewall.',
    )
  if (status === 404) return { kind: 'gone' }
  if (status < 200 || status > 299) return refused('url', `Chatwoot answered with status ${status}.`)
  return json === undefined
    ? later("The answer isn't Chatwoot's. Check the address.")
    : { kind: 'done', value: json }
}

const isSuspended = (json: unknown): boolean =>
  isObject(json) && (textOrNull(json.error) ?? '').toLowerCase().includes('suspended')

/** Parses a JSON object or list; undefined for anything else, such as a page of a proxy. */
function parsed(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
