import type { Operator } from '../port.ts'
import { blockCalls } from './block.ts'
import type { OtherHosts } from './download.ts'
import { messageEnvelope } from './envelope.ts'
import { flowCalls } from './flows.ts'
import { handoverOf } from './handover.ts'
import { type LineOptions, openLine } from './line.ts'
import { markReadCalls } from './mark-read.ts'
import { mediaCalls } from './media.ts'
import { numberCalls } from './numbers.ts'
import { paymentCalls } from './payments.ts'
import { templateCalls } from './templates.ts'

/**
 * Creates the adapter of the operator's HTTP API (docs/formats.md sections 1 to 7), with one limited set of
 * kept-alive connections. Each number has its own base address, set by the deployment. Every function calls
 * exactly once and never rejects. `otherHosts` opens files on hosts other than the API's.
 */
export function createCloudOperator(options: LineOptions & { otherHosts?: OtherHosts } = {}): Operator {
  const line = openLine(options)
  return {
    send: async (number, message, mayBegin) =>
      handoverOf(
        await line.exchange(number, {
          method: 'POST',
          path: `/${encodeURIComponent(number.operatorId)}/messages`,
          headers: { 'content-type': 'application/json' },
          body: messageEnvelope(message),
          mayBegin,
        }),
      ),
    ...markReadCalls(line),
    ...blockCalls(line),
    ...numberCalls(line),
    ...flowCalls(line),
    ...mediaCalls(line, options.otherHosts),
    ...templateCalls(line),
    ...paymentCalls(line),
    close: line.close,
  }
}
