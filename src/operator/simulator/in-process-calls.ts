/**
 * Calls the simulated operator inside its own process, without a connection. A sandbox submits thousands of
 * messages a second, and one thread would have to run both ends of each connection.
 */
import type { Exchange, Exchanged } from '../cloud/exchange-once.ts'
import type { InProcessServer } from '../cloud/line.ts'
import type { GraphAnswer } from './graph-errors.ts'
import { answerCall, type SimulatorSetup } from './handler.ts'
import { parametersOf } from './request-body.ts'

const answered = (answer: GraphAnswer): Exchanged =>
  answer.ending === undefined
    ? {
        kind: 'answered',
        status: answer.status,
        headers: answer.headers ?? {},
        body: answer.bytes?.toString('utf8') ?? JSON.stringify(answer.body) ?? '',
      }
    : { kind: 'failed', written: true, reason: 'the connection was closed' }

/** Returns the calls of the simulator that listens at `origin`. */
export function nearCalls({ origin, ...played }: SimulatorSetup & { origin: string }): InProcessServer {
  const { host } = new URL(origin)
  const underWay = new Set<(exchanged: Exchanged) => void>()

  const answer = ({ method, path, headers }: Exchange, text: string): Promise<GraphAnswer> =>
    answerCall(played, {
      method,
      target: path,
      headers: { host, ...headers },
      read: (query, options) => parametersOf(text, headers['content-type'] ?? '', query, options),
      isWhole: () => true,
    })

  return {
    origin,
    exchange: (exchange, timeoutMs) => {
      const text = exchange.body ?? ''
      if (typeof text !== 'string' || exchange.headers['content-type']?.startsWith('multipart/'))
        return undefined
      if (exchange.mayBegin?.() === false)
        return Promise.resolve({ kind: 'failed', written: false, reason: 'it may not begin' })
      return new Promise((resolve) => {
        const end = (exchanged: Exchanged) => {
          clearTimeout(timer)
          underWay.delete(end)
          resolve(exchanged)
        }
        const timer = setTimeout(
          () => end({ kind: 'failed', written: true, reason: `no answer within ${timeoutMs} ms` }),
          timeoutMs,
        )
        underWay.add(end)
        void answer(exchange, text).then((response) => {
          // A call without an answer ends at its timeout.
          if (response.ending !== 'hang') end(answered(response))
        })
      })
    },
    close: () => {
      for (const end of underWay) end({ kind: 'failed', written: true, reason: 'given up' })
    },
  }
}
