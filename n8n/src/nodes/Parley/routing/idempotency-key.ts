import { createHash } from 'node:crypto'
import type { PreSendAction } from 'n8n-workflow'
import { textOf } from '../../text-of.ts'

/** The collections that may have a key of the user. */
const COLLECTIONS = ['additionalFields', 'updateFields']

/**
 * Sends an idempotency key, so that a retry changes nothing twice: the key of the user, or one of this n8n, execution, node, run, and
 * item. Retries of a node have the same key, and each turn of a loop has its own. Numbers of executions start at one in every
 * installation of n8n, so the installation is part of the key.
 */
export const withKey: PreSendAction = async function (request) {
  const own = COLLECTIONS.map((name) => textOf(this.getNodeParameter(`${name}.idempotencyKey`, ''))).find(
    Boolean,
  )
  const itemIndex = this.getItemIndex()
  const source = [
    this.getInstanceId(),
    this.getWorkflow().id ?? '',
    this.getExecutionId(),
    this.getNode().id,
    String(this.evaluateExpression('={{ $runIndex }}', itemIndex)),
    String(itemIndex),
  ]
  const key = own ?? `n8n-${createHash('sha256').update(JSON.stringify(source)).digest('hex')}`
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': key } }
}
