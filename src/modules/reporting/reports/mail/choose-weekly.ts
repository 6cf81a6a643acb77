/** The choice of members about the weekly mail. */
import type { Context, MemberActor } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { insertChoices, listChoices, updateChoice } from '../queries/weekly-mails.ts'

export { findChoiceByToken } from '../queries/weekly-mails.ts'

/** Whether this workspace gets weekly mails at all. */
const isAvailable = ({ sendsMail, workspace }: Context): boolean => sendsMail && !workspace.sandbox

/** Returns the caller's choice. Without one, owners get the mail. */
export async function readOwnChoice(ctx: Context): Promise<{ enabled: boolean; isAvailable: boolean }> {
  const { memberId, owner } = ctx.actor as MemberActor
  const own = (await listChoices(ctx)).find((choice) => choice.memberId === memberId)
  return { enabled: own?.enabled ?? owner, isAvailable: isAvailable(ctx) }
}

/** Sets the caller's choice. Refuses `conflict` in a sandbox, and if Parley sends no mail. */
export async function setOwnChoice(ctx: Context, enabled: boolean) {
  if (enabled && !isAvailable(ctx))
    refuse('conflict', "This workspace doesn't get weekly emails: it is a sandbox, or Parley sends no email.")
  await setChoice(ctx, (ctx.actor as MemberActor).memberId, enabled)
  return { enabled, isAvailable: isAvailable(ctx) }
}

/** Sets a member's choice. Concurrent first choices are both stored: the later one counts. */
export async function setChoice(ctx: Context, memberId: string, enabled: boolean): Promise<void> {
  await insertChoices(ctx, [{ memberId, enabled, token: newLinkToken() }])
  await updateChoice(ctx, { memberId, enabled })
}
