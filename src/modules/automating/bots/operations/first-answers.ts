/** The features that may answer a customer who is in no bot, in their order: for the intake and for previews. */
import type { Taker } from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { greetingTaker, keywordTaker } from '../../auto-replies/operations/answer-messages.ts'
import type { Kind } from '../../auto-replies/operations/choose-replies.ts'
import type { AnswerPreviewResult } from '../../auto-replies/schema.ts'
import { botEntryTaker } from './enter-bots.ts'

type FirstAnswer = {
  answeredBy: NonNullable<AnswerPreviewResult['answeredBy']>
  taker: Taker
  /** Kinds of auto-replies; a bot has none. */
  kinds: Kind[]
}

export const FIRST_ANSWERS: FirstAnswer[] = [
  { answeredBy: 'keyword', taker: keywordTaker, kinds: keywordTaker.kinds },
  { answeredBy: 'bot', taker: botEntryTaker, kinds: [] },
  { answeredBy: 'greeting', taker: greetingTaker, kinds: greetingTaker.kinds },
]
