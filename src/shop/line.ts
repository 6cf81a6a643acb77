/** One call to a shop's API. */
import { SECOND_MS } from '../core/clock.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'

export type LineOptions = {
  egress: Pick<Egress, 'prepareTarget' | 'send'>
  /** Longest wait for one answer, including connecting. Default: 15 s. */
  timeoutMs?: number
}

export type ShopCall = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  json?: unknown
}

export type ShopResponse = { status: number; body: unknown } | { fault: EgressFault }

/** Calls once and returns the answer; never rejects. */
export type Line = (call: ShopCall) => Promise<ShopResponse>

const MAX_ANSWER_BYTES = 1024 * 1024

/** Parses JSON; undefined for anything else. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Opens a line. `requireHttps` false: the deployment sets the address, which may be a simulator on this
 * machine.
 */
export const openLine =
  ({ egress, timeoutMs = 15 * SECOND_MS }: LineOptions, requireHttps = true): Line =>
  async ({ method, url, headers, json }) => {
    try {
      const target = egress.prepareTarget(url, { requireHttps })
      const { status, body } = await egress.send(method, {
        target,
        headers: {
          'user-agent': 'parley',
          accept: 'application/json',
          ...headers,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        timeoutMs,
        maxBodyBytes: MAX_ANSWER_BYTES,
      })
      return { status, body: parsed(body) }
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return { fault: error }
    }
  }

/** Returns whether a retry may succeed. */
export const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429
