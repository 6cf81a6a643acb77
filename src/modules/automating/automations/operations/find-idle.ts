/** Starts runs for idle chats, once for each unanswered message. */
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { listIdleChats } from '../../../messaging/conversations/operations/idle-chats.ts'
import { insertRunsOfOccasions } from '../queries/runs.ts'
import { type IdleAutomation, listIdleForUpdate, updateLookedAt } from '../queries/states.ts'
import { AUTOMATIONS } from '../wakes.ts'

const MAX_CHATS = 1_000
/** A chat's activity can be recorded up to this long before or after its message. */
const SLACK_MS = MINUTE_MS

/** Starts the runs of chats that became idle since the last check. Returns how many. */
export async function startIdleRuns(ctx: Context): Promise<number> {
  const automations = await listIdleForUpdate(ctx)
  const checks: { automationId: string; lookedAt: Date }[] = []
  let started = 0
  for (const automation of automations) {
    const result = await startRunsOf(ctx, automation)
    started += result.started
    checks.push({ automationId: automation.automationId, lookedAt: result.lookedAt })
  }
  if (checks.length > 0) await updateLookedAt(ctx, checks)
  if (started > 0) wake(ctx, AUTOMATIONS)
  return started
}

async function startRunsOf(ctx: Context, { automationId, idleSide, idleMinutes, lookedAt }: IdleAutomation) {
  const silence = idleMinutes * MINUTE_MS
  const after = later(lookedAt, -silence)
  const chats = await listIdleChats(ctx, idleSide, {
    after,
    until: later(ctx.now, -silence),
    // The sandbox's clock may have been moved since the chat was active.
    activeFrom: ctx.workspace.sandbox ? null : later(after, -SLACK_MS),
    limit: MAX_CHATS,
  })
  const started = await insertRunsOfOccasions(
    ctx,
    automationId,
    chats.map(({ id, contactId, since }) => ({
      occasion: `${id} ${since.toISOString()}`,
      contactId,
      leadId: null,
      conversationId: id,
    })),
    realTime(ctx.now, ctx.workspace),
  )
  const last = chats.length < MAX_CHATS ? undefined : chats.at(-1)
  return { started, lookedAt: last ? later(last.since, silence) : ctx.now }
}
