/** Failures by cause, and how soon customers were answered (DECISIONS.md). */
import type { z } from 'zod'
import { realTime } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { idAt } from '../../../core/ids.ts'
import { dayOf, daysBefore, startOfDay } from '../../../core/values/calendar.ts'
import { requireCostlyRead } from '../../../database/sql/costly-reads.ts'
import { listMembers } from '../../platform/workspaces/operations/workspace-members.ts'
import { findAnswers, quantile } from './answer-times.ts'
import {
  type AnswerTimes,
  type FailureCauses,
  MAX_CHATS,
  MAX_FAILURES,
  MAX_MESSAGES,
} from './answering-schema.ts'
import { listChatMessages, listFailureCounts } from './queries.ts'

/** Returns the last `days` days in the workspace's time zone, today included. */
function periodOf(ctx: Context, days: number) {
  const { timezone } = ctx.workspace
  const to = dayOf(ctx.now, timezone)
  const dates = Array.from({ length: days }, (_, i) => daysBefore(to, days - 1 - i))
  // Some days don't have 24 hours, so the first day starts at its own midnight.
  const since = startOfDay(dates[0]!, timezone)!
  return {
    to,
    since,
    dates,
    // Ids contain real time. A sandbox's clock only moves ahead, so no id of the period is earlier.
    from: idAt(realTime(since, ctx.workspace)),
  }
}

export async function readFailureCauses(ctx: Context, days: number): Promise<z.input<typeof FailureCauses>> {
  const { to, since, dates, from } = periodOf(ctx, days)
  const failures = await listFailureCounts(ctx, { from, since, max: MAX_FAILURES })
  const total = failures.reduce((sum, { count }) => sum + count, 0)
  return { from: dates[0]!, to, failures, isPartial: total >= MAX_FAILURES }
}

export async function readAnswerTimes(ctx: Context, days: number): Promise<z.input<typeof AnswerTimes>> {
  await requireCostlyRead(ctx)
  const { to, since, dates, from } = periodOf(ctx, days)
  const messages = await listChatMessages(ctx, { from, since, chats: MAX_CHATS, messages: MAX_MESSAGES })
  const answers = findAnswers(messages)
  const byDate = Map.groupBy(answers, ({ at }) => dayOf(at, ctx.workspace.timezone))
  const byMember = Map.groupBy(answers, ({ sentBy }) => sentBy)
  const messagesByMember = Map.groupBy(
    messages.filter(({ direction }) => direction === 'outbound'),
    ({ sentBy }) => sentBy,
  )
  const names = new Map((await listMembers(ctx.tx, ctx.workspace.id)).map(({ id, name }) => [id, name]))
  const timesOf = (items: { seconds: number }[] = []) => ({
    answers: items.length,
    medianSeconds: quantile(
      items.map(({ seconds }) => seconds),
      0.5,
    ),
  })
  return {
    from: dates[0]!,
    to,
    chats: new Set(messages.map(({ conversationId }) => conversationId)).size,
    ...timesOf(answers),
    p90Seconds: quantile(
      answers.map(({ seconds }) => seconds),
      0.9,
    ),
    byDay: dates.map((date) => ({ date, ...timesOf(byDate.get(date)) })),
    team: [...messagesByMember]
      .map(([memberId, memberMessages]) => ({
        memberId,
        name: memberId === null ? null : (names.get(memberId) ?? null),
        messages: memberMessages.length,
        ...timesOf(byMember.get(memberId)),
      }))
      .sort((a, b) => b.messages - a.messages),
  }
}
