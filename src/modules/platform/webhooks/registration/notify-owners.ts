/**
 * Mails about endpoints that the service disabled automatically (spec 6.1;
 * src/modules/platform/workspaces/DECISIONS.md).
 */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { notifyMembers } from '../../notifications/operations.ts'
import { findDisabledFor, findWebhook, listAdminIds } from './queries.ts'

/** An owner without a given address has an undeliverable one with this ending. */
const NOWHERE = '.local'

/**
 * Sends the mail, unless the endpoint is active again or deleted, the member has left, or mail is not
 * configured.
 */
export async function notifyOfDisabled(
  { workspace, outside, transaction }: OutsideContext,
  { webhookId, memberId }: { webhookId: string; memberId: string },
): Promise<(ctx: Context) => Promise<void>> {
  const { mailer } = outside
  const found =
    mailer &&
    (await transaction(async (ctx) => {
      const disabled = await findDisabledFor(ctx, webhookId, memberId)
      return disabled && { ...disabled, page: `${ctx.siteUrl}/w/${workspace.id}/webhooks/${webhookId}` }
    }))
  if (mailer && found && !found.email.endsWith(NOWHERE)) {
    const { origin } = new URL(found.url)
    await mailer.send({
      id: `webhook-disabled-${webhookId}-${memberId}-${found.disabledAt.getTime()}`,
      to: found.email,
      subject: `A webhook endpoint of ${workspace.name.replace(/\s+/g, ' ')} was turned off`,
      text: [
        `Parley turned off the webhook endpoint ${webhookId} at ${origin} on ${found.disabledAt.toISOString()}.`,
        found.disabledReason,
        `New events aren't sent there. They stay in the log for 7 days. When the receiver works again, resume the endpoint ` +
          `and replay what it missed, here:\n${found.page}`,
        `With the API: PATCH /webhooks/${webhookId} with {"active": true}, then POST /webhooks/${webhookId}/replay.`,
      ].join('\n\n'),
    })
  }
  return async () => {}
}

/**
 * Notifies owners and admins in the dashboard, unless the endpoint is active again or deleted. Shows only the
 * host of its address, because the path may be a secret.
 */
export async function notifyInDashboard(ctx: Context, webhookId: string): Promise<void> {
  const webhook = await findWebhook(ctx, webhookId)
  if (!webhook || webhook.active || !webhook.disabledAt) return
  const admins = await listAdminIds(ctx)
  await notifyMembers(
    ctx,
    admins.map((memberId) => ({
      kind: 'webhook_disabled' as const,
      memberId,
      title: new URL(webhook.url).host,
      body: webhook.disabledReason,
      subjectId: webhookId,
    })),
  )
}
