import type { SocialNetwork } from '../port.ts'
import { accountCalls } from './accounts.ts'
import { chatCalls } from './chats.ts'
import { commentCalls } from './comments.ts'
import { type LineOptions, openLine } from './line.ts'
import { mediaCalls } from './media.ts'
import { publishingCalls } from './publishing.ts'

/**
 * Speaks the network's HTTP API (docs/formats.md section 14). The base address comes with each account and is the deployment's
 * own setting. Every function calls exactly once and never rejects.
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
