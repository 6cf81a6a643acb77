/** The plan of a workspace, and the use of its limits (DECISIONS.md). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { monthOf, startOfDay } from '../../../../core/values/calendar.ts'
import { countStoredContacts } from '../../../messaging/contacts/operations/count-contacts.ts'
import { documentAllowanceOf } from '../../../platform/workspaces/operations/access-rules.ts'
import { readUsage, setWorkspace } from '../../../platform/workspaces/operations/workspaces.ts'
import { findUsed } from '../queries/usage.ts'
import type { BillingPlan } from '../schema.ts'

/** The max webhook endpoints of a workspace (spec 8.2). */
const MAX_WEBHOOK_ENDPOINTS = 25
/** Added to the first of a month, it gives a day in the next month. */
const MORE_THAN_A_MONTH_MS = 32 * DAY_MS

const firstDayOf = (month: string): string => `${month}-01`

/** Returns the plan and its use, with the same counts as the limits. */
export async function readPlan(ctx: Context): Promise<z.input<typeof BillingPlan>> {
  const { id, plan, sandbox, timezone, modules, socialAddon, contactLimit, messageAllowance } = ctx.workspace
  const month = monthOf(ctx.now, timezone)
  const since = startOfDay(firstDayOf(month), timezone)!
  const nextMonth = monthOf(later(since, MORE_THAN_A_MONTH_MS), timezone)
  const documentLimit = documentAllowanceOf(ctx.workspace)
  const [{ trialEndsAt }, usage, contacts, used] = await Promise.all([
    setWorkspace(ctx.tx, id, {}),
    readUsage(ctx),
    countStoredContacts(ctx),
    findUsed(ctx, {
      month,
      since,
      from: firstDayOf(month),
      hasDocumentLimit: documentLimit !== null,
      hasMessageLimit: messageAllowance !== null,
    }),
  ])
  return {
    plan,
    sandbox,
    trial: trialEndsAt === null ? null : { endsAt: trialEndsAt.toISOString() },
    // There is no page to upgrade: the operator of the installation changes plans.
    upgradeUrl: null,
    modules,
    addons: socialAddon ? ['social'] : [],
    limits: {
      contacts: { used: contacts, limit: contactLimit },
      messages: {
        used: usage.messages.used ?? used.sent,
        limit: messageAllowance,
        periodStart: since.toISOString(),
        periodEnd: startOfDay(firstDayOf(nextMonth), timezone)!.toISOString(),
      },
      documents: {
        used: documentLimit === null ? used.documents : used.countedDocuments,
        limit: documentLimit,
      },
      webhookEndpoints: { used: used.webhookEndpoints, limit: MAX_WEBHOOK_ENDPOINTS },
    },
  }
}
