/**
 * A second tap before the answer arrives counts as the same tap (src/modules/automating/bots/DECISIONS.md).
 */
import { later, SECOND_MS } from '../../../../../core/clock.ts'
import { tapOf } from '../../reading/operations/customer-text.ts'
import { listMessagesBefore } from '../queries/reported-messages.ts'
import type { Taker } from './offer-messages.ts'

/** A repeated tap within this time counts as the same tap. */
export const SAME_TAP_MS = 10 * SECOND_MS

/**
 * Takes taps that repeat the customer's previous message, answered or not, so that they get no second answer.
 */
export const repeatedTapTaker: Taker = {
  name: 'repeated tap',
  async answer(unit, messages) {
    const taps = messages.filter((message) => tapOf(message) !== undefined)
    if (taps.length === 0) return new Set()
    const before = await listMessagesBefore(
      unit.tx,
      taps.map(({ ctx, conversationId, messageId }) => ({
        workspaceId: ctx.workspace.id,
        conversationId,
        messageId,
      })),
    )
    const byMessage = new Map(before.map((row) => [row.messageId, row]))
    const repeated = taps.filter((message) => {
      const last = byMessage.get(message.messageId)
      return (
        last !== undefined &&
        tapOf(last)?.id === tapOf(message)!.id &&
        // The same words under another message of ours are a different tap.
        last.answersTheSame &&
        last.createdAt > later(message.ctx.now, -SAME_TAP_MS)
      )
    })
    return new Set(repeated.map(({ messageId }) => messageId))
  },
}
