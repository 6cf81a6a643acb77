import type { OperatorError } from './port.ts'
import type { NumberState } from './report.ts'

const banned = new Set([131031])
/** Of the account, its money or the number's registration: nothing can be sent until somebody mends it (FORMATS section 4). */
const blocking = new Set([368, 130497, 131042, 131037, 131045, 133010])

/**
 * What an error says about the number that it was told of: banned, blocked, or that the connection to the operator
 * does not hold (token, permissions). Undefined when it is about a message or about a moment.
 */
export function troubleOf({
  code,
  category,
}: Pick<OperatorError, 'code' | 'category'>): NumberState | undefined {
  if (banned.has(code)) return 'number_banned'
  if (blocking.has(code)) return 'sending_blocked'
  return category === 'auth' ? 'disconnected' : undefined
}
