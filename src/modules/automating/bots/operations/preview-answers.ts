/**
 * Previews the answer to a customer's message: the features of `FIRST_ANSWERS` judge it in their order, with the
 * functions by which they answer.
 */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { requireScope } from '../../../../core/scopes.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import { isConsentCommand } from '../../../messaging/messages/intake/operations/taken-words.ts'
import { readOpen } from '../../../platform/business-hours/operations.ts'
import { fillReply } from '../../auto-replies/operations/answer-messages.ts'
import { findReceivingNumber, listAllReplies } from '../../auto-replies/operations/auto-replies.ts'
import {
  type Judged,
  judgeReplies,
  passOver,
  type Situation,
} from '../../auto-replies/operations/choose-replies.ts'
import type { AnswerPreview, AnswerPreviewResult } from '../../auto-replies/schema.ts'
import { listBotNames, listEntries } from '../queries/bots.ts'
import { findBotId } from './enter-bots.ts'
import { FIRST_ANSWERS } from './first-answers.ts'

/** Returns the message and its moment, as the intake would have them. */
async function situationOf(ctx: Context, preview: AnswerPreview): Promise<Situation> {
  const { text, daysSinceLast, at, phoneNumberId } = preview
  const moment = { ...ctx, now: at ?? ctx.now }
  return {
    ctx: moment,
    phoneNumberId: await findReceivingNumber(ctx, phoneNumberId),
    type: 'text',
    content: { body: text },
    previousInboundAt: daysSinceLast === null ? null : later(moment.now, -daysSinceLast * DAY_MS),
    open: (await readOpen(ctx, [moment])).get(ctx.workspace.id),
  }
}

async function findBot(ctx: Context, situation: Situation): Promise<AnswerPreviewResult['bot']> {
  const id = findBotId(situation, await listEntries(ctx.tx, [ctx.workspace.id]))
  return id === undefined ? null : ((await listBotNames(ctx, [id]))[0] ?? null)
}

/**
 * Returns what would answer a message, and why each auto-reply answers or does not. Assumes a chat in which no bot
 * runs, no teammate wrote recently, and no cooldown is running.
 */
export async function previewAnswers(ctx: Context, preview: AnswerPreview): Promise<AnswerPreviewResult> {
  requireScope(ctx, 'automations:read', 'A preview of auto-replies')
  const situation = await situationOf(ctx, preview)
  const rows = await listAllReplies(ctx)
  const giveWay = yieldPeriodically()
  const judged: Judged[] = []
  let bot: AnswerPreviewResult['bot'] = null
  let answeredBy: AnswerPreviewResult['answeredBy'] = isConsentCommand({ ...situation, hadOptedOut: false })
    ? 'consent_word'
    : null
  for (const feature of FIRST_ANSWERS) {
    const own = feature.kinds.flatMap((kind) => rows.filter((row) => row.kind === kind))
    const verdicts = await judgeReplies(own, situation, giveWay)
    if (answeredBy !== null) {
      judged.push(...verdicts.map((verdict) => passOver(verdict, 'answered_before')))
      continue
    }
    judged.push(...verdicts)
    if (feature.answeredBy === 'bot') bot = await findBot(ctx, situation)
    if (bot !== null || verdicts.some(({ skipped }) => skipped === null)) answeredBy = feature.answeredBy
  }
  return {
    answeredBy,
    bot,
    messages: judged.flatMap(({ row, skipped }) => {
      const text = skipped === null ? fillReply(row, preview.customerName) : undefined
      return text === undefined ? [] : [{ autoReplyId: row.id, text }]
    }),
    autoReplies: judged.map(({ row, skipped, keyword }) => ({ autoReplyId: row.id, skipped, keyword })),
  }
}
