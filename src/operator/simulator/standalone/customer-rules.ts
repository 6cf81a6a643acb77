/**
 * The operator's rules that depend on customers: who wrote within a day, came through an ad, or stopped
 * marketing.
 */
import { type Clock, DAY_MS, later } from '../../../core/clock.ts'
import type { TakenMessage } from '../behavior.ts'
import type { SimulatedCall } from '../call.ts'
import { findSentTemplate } from '../sent-template.ts'
import type { Customers } from './customers.ts'

/** Codes for a message to a customer who did not write recently, or who stopped marketing messages. */
export const OUTSIDE_WINDOW = 131047
export const MARKETING_STOPPED = 131050

const keyOf = ({ recipient: { waId, userId } }: TakenMessage): string => waId ?? userId ?? ''

export function customerRules(clock: Clock, customers: Customers) {
  const isRecent = (time: Date | null | undefined): boolean => !!time && later(time, DAY_MS) > clock.now()
  const wroteRecently = (key: string): boolean => isRecent(customers.find(key)?.wroteAt)
  /** Returns whether its customer wrote within 24 hours. */
  const isAnswer = (message: TakenMessage): boolean => wroteRecently(keyOf(message))
  return {
    wroteRecently,
    isAnswer,
    cameByAd: (message: TakenMessage): boolean => isRecent(customers.find(keyOf(message))?.referredAt),
    /**
     * Returns why a message is not delivered to its customer; `window`: whether the 24-hour window applies.
     */
    refusal: async (
      message: TakenMessage,
      call: SimulatedCall,
      window: boolean,
    ): Promise<number | undefined> => {
      if (message.type !== 'template') return window && !isAnswer(message) ? OUTSIDE_WINDOW : undefined
      if (!customers.find(keyOf(message))?.marketingStopped) return undefined
      const template = await findSentTemplate(call, message.content)
      return String(template?.value.category).toUpperCase() === 'MARKETING' ? MARKETING_STOPPED : undefined
    },
  }
}
