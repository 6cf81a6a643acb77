import type { SocialNetwork } from '../port.ts'
import { accountCalls } from './accounts.ts'
import { chatCalls } from './chats.ts'
import { commentCalls } from './comments.ts'
import { type LineOptions, openLine } from './line.ts'
import { mediaCalls } from './media.ts'
import { publishingCalls } from './publishing.ts'

/**
 * Creates the adapter of the network's HTTP API (docs/formats.md section 14). Each account has its own base
 * address, set by the deployment. Every function calls exactly once and never rejects.
 */
export function createGraphNetwork(options: LineOptions): SocialNetwork {
  const line = openLine(options)
  return {
    ...chatCalls(line),
    ...commentCalls(line),
    ...publishingCalls(line),
    ...mediaCalls(line),
    ...accountCalls(line),
  }
}
