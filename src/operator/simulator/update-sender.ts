/** Posts signed bodies to the app's callback, and retries until the answer is 2xx. */
import { type Dispatcher, request } from 'undici'
import { MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import { signatureHeaders } from '../webhook-signature.ts'

// The operator retries for days; a simulator for tests need not.
const retryDelaysMs = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS]

/** The user agent of the operator's webhooks. */
const USER_AGENT = 'facebookexternalua'

type SenderOptions = {
  /** Without an address updates are lost. */
  address: () => string | null
  appSecret: string
  dispatcher: Dispatcher | undefined
  /** Runs `run` after `ms` milliseconds. */
  later(ms: number, run: () => void): void
  /** Returns whether too many updates wait, so that a failure is not retried. */
  isFull(): boolean
  onPosted(): void
  onGivenUp(reason: string): void
}

async function postOnce(url: string, body: string, options: SenderOptions): Promise<string | undefined> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders(body, options.appSecret),
      },
      body,
      headersTimeout: 10 * SECOND_MS,
      bodyTimeout: 10 * SECOND_MS,
      dispatcher: options.dispatcher,
    })
    await answer.body.dump()
    return answer.statusCode >= 200 && answer.statusCode < 300 ? undefined : `answered ${answer.statusCode}`
  } catch (error) {
    return String(error)
  }
}

export type UpdateSender = {
  /** Resolves when the body was posted once, or given up. */
  send(body: string): Promise<void>
  /** Returns how many POSTs have no answer yet. */
  underWay(): number
}

export function updateSender(options: SenderOptions): UpdateSender {
  let underWay = 0
  const post = async (body: string, failures: number): Promise<void> => {
    const url = options.address()
    if (url === null) return options.onGivenUp('there is no callback address')
    underWay++
    const failure = await postOnce(url, body, options)
    underWay--
    const delayMs = retryDelaysMs[failures]
    if (failure === undefined) options.onPosted()
    else if (delayMs === undefined || options.isFull()) options.onGivenUp(failure)
    else options.later(delayMs, () => void post(body, failures + 1))
  }
  return { send: (body) => post(body, 0), underWay: () => underWay }
}
