/** Queues the weekly mails of a workspace (DECISIONS.md "The weekly mail"). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { isMailed } from '../../../platform/access/operations/mailed-address.ts'
import { ACCOUNT_MAILS, queueMail } from '../../../platform/access/operations/queue-mail.ts'
import { listMembers } from '../../../platform/workspaces/operations/workspace-members.ts'
import { periodBefore, periodOf } from '../period.ts'
import { claimPlan, insertChoices, listChoices, updatePlan } from '../queries/weekly-mails.ts'
import { lastWeek, nextSending } from './week.ts'
import { readWeek, type WeeklyFigures } from './weekly-figures.ts'
import { writeWeeklyMail } from './write-mail.ts'

/** A mail that the server does not accept in these days is dropped: the next one is near. */
const KEPT_MS = 3 * DAY_MS

const isQuiet = (figures: WeeklyFigures): boolean =>
  figures.received === 0 && figures.sent === 0 && figures.leads === 0

/** Returns the members who get the mail, with the token of the link that stops it. Without a choice, owners get it. */
async function listReaders(ctx: Context) {
  const members = (await listMembers(ctx.tx, ctx.workspace.id)).filter(
    ({ leftAt, email }) => leftAt === null && isMailed(email),
  )
  const choices = new Map((await listChoices(ctx)).map((choice) => [choice.memberId, choice]))
  const readers = members.filter(({ id, owner }) => choices.get(id)?.enabled ?? owner)
  const unchosen = readers
    .filter(({ id }) => !choices.has(id))
    .map(({ id: memberId }) => ({ memberId, enabled: true, token: newLinkToken() }))
  if (unchosen.length > 0) await insertChoices(ctx, unchosen)
  const tokens = new Map([...choices.values(), ...unchosen].map(({ memberId, token }) => [memberId, token]))
  return readers.map((member) => ({ ...member, token: tokens.get(member.id)! }))
}

/**
 * Queues the mails of the last week and plans the next, in one transaction: a crash loses none and sends none twice, and
 * another process skips the locked plan. Returns whether the mail was due. `languages`: of members, by id.
 */
export async function queueWeeklyMails(
  ctx: Context,
  languages: ReadonlyMap<string, Language>,
): Promise<boolean> {
  const { workspace, now } = ctx
  const plan = await claimPlan(ctx, now)
  if (!plan) return false
  const { from, to } = lastWeek(now, workspace.timezone)
  const runAt = nextSending(now, workspace.timezone)
  if (plan.lastWeek !== null && plan.lastWeek >= from) {
    // The time zone has changed, and this week was mailed in the earlier one.
    await updatePlan(ctx, { runAt, lastWeek: plan.lastWeek })
    return true
  }
  const readers = await listReaders(ctx)
  if (readers.length > 0) await queueMails(ctx, readers, languages, { from, to })
  await updatePlan(ctx, { runAt, lastWeek: from })
  return true
}

async function queueMails(
  ctx: Context,
  readers: Awaited<ReturnType<typeof listReaders>>,
  languages: ReadonlyMap<string, Language>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { workspace, siteUrl, now, sealer } = ctx
  const period = periodOf(ctx, { from, to })
  const week = await readWeek(ctx, period)
  const before = await readWeek(ctx, periodBefore(ctx, period))
  if (isQuiet(week) && isQuiet(before)) return
  for (const { id, name, email, token } of readers) {
    const stopUrl = `${siteUrl}/u/${token}`
    const mail = writeWeeklyMail({
      language: languages.get(id) ?? workspace.language,
      workspace: inOneLine(workspace.name),
      name: inOneLine(name),
      from,
      to,
      week,
      before,
      reportsUrl: `${siteUrl}/w/${workspace.id}/analytics/volume?period=lastWeek`,
      stopUrl,
    })
    await queueMail(ctx.tx, { to: email, ...mail, stopUrl }, { sealer, now, expiresAt: later(now, KEPT_MS) })
  }
  wake(ctx, ACCOUNT_MAILS)
}

/** Keeps a name on one line of the mail. */
const inOneLine = (name: string): string => name.replace(/\s+/g, ' ')
