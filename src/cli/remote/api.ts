// Calls the API of a running server, for commands with a key.
import { request } from 'undici'
import { SECOND_MS } from '../../core/clock.ts'
import { type CommandContext, UsageError } from '../command.ts'
import { secret, webAddress } from '../flags.ts'

const ANSWER_TIMEOUT_MS = 30 * SECOND_MS

/** The flags of every command that calls a server. */
export const remoteFlags = { key: secret('K'), server: webAddress }

/** The call may succeed later: the server gave no answer, has a fault, or had too many calls. */
export class NoAnswer extends Error {
  readonly retryAfterMs: number | null
  constructor(message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'NoAnswer'
    this.retryAfterMs = retryAfterMs
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of the API as its clients see them
export type Answer = { body: any }

export type Api = {
  base: string
  key: string
  get(path: string, signal?: AbortSignal): Promise<Answer>
  post(path: string, body?: object): Promise<Answer>
}

/**
 * Returns a client of the server that the flags name, else of this installation; the key is from the flag or `PARLEY_API_KEY`.
 */
export function openApi(
  flags: { key?: string | undefined; server?: string | undefined },
  context: CommandContext,
): Api {
  const key = flags.key ?? process.env.PARLEY_API_KEY?.trim()
  if (!key) throw new UsageError('No API key. Give --key, or set PARLEY_API_KEY.')
  const base = (flags.server ?? context.config().siteUrl).replace(/\/+$/, '')
  const call = async (method: 'GET' | 'POST', path: string, body?: object, signal?: AbortSignal) => {
    const answer = await request(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': 'parley-cli',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
      signal: signal ?? null,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((fault: unknown) => {
      throw new NoAnswer(`${base} doesn't answer (${causeOf(fault)}).`)
    })
    const text = await answer.body.text()
    if (answer.statusCode < 300) return { body: JSON.parse(text) }
    const message = `${messageIn(text) ?? base} (${answer.statusCode})`
    if (answer.statusCode !== 429 && answer.statusCode < 500) throw new Error(message)
    const seconds = Number(answer.headers['retry-after'])
    throw new NoAnswer(message, seconds > 0 ? seconds * SECOND_MS : null)
  }
  return {
    base,
    key,
    get: (path, signal) => call('GET', path, undefined, signal),
    post: (path, body) => call('POST', path, body),
  }
}

/** Returns the reason of a failed call. */
export const causeOf = (fault: unknown): string =>
  (fault as NodeJS.ErrnoException).code ?? (fault instanceof Error ? fault.message : String(fault))

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
