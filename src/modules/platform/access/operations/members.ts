/** Members of a workspace, added and changed by its admins. */
import { later, realTime } from '../../../../core/clock.ts'
import { type Context, type MemberActor, type Role, type Tx, wake } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import { hashToken, newToken } from '../../../../core/session.ts'
import { isSameEmail } from '../../../../database/sql/email-key.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import { type Author, authorOf, recordActivity } from '../../workspaces/operations/activity.ts'
import {
  addMember,
  findMember,
  listMembers,
  type MemberPatch,
  type MemberRow,
  setMember,
} from '../../workspaces/operations/workspace-members.ts'
import { findMemberForUpdate } from '../queries/accounts.ts'
import { deleteInvitation, listInvitations, upsertInvitation } from '../queries/invitations.ts'
import { mailTexts } from '../texts/texts.ts'
import { mayMail } from './mail-limits.ts'
import { isMailed } from './mailed-address.ts'
import { ACCOUNT_MAILS, queueMail } from './queue-mail.ts'
import { INVITATION_MS } from './redeem.ts'
import { redeemUrl, shownToken } from './redeem-url.ts'

const present = (member: MemberRow, invitedUntil: Date | undefined) => ({
  id: member.id,
  name: member.name,
  email: member.email,
  role: member.role as Role,
  owner: member.owner,
  hasAccount: member.accountId !== null,
  invitedUntil: invitedUntil?.toISOString() ?? null,
  createdAt: member.createdAt.toISOString(),
})

/** Returns the members of the workspace, with those who are invited. */
export async function readMembers(ctx: Context) {
  const [members, invitations] = await Promise.all([
    listMembers(ctx.tx, ctx.workspace.id),
    listInvitations(ctx, realTime(ctx.now, ctx.workspace)),
  ])
  const until = new Map(invitations.map(({ memberId, expiresAt }) => [memberId, expiresAt]))
  return members.filter(({ leftAt }) => !leftAt).map((member) => present(member, until.get(member.id)))
}

async function getMember(ctx: Context, id: string): Promise<MemberRow> {
  const member = isUuid(id) ? await findMember(ctx, id) : undefined
  return member && !member.leftAt ? member : refuse('not_found', `Member ${id} not found.`)
}

/**
 * Returns a member, locked. Every operation locks the member before the invitation, so that the member can't
 * leave, join or be invited meanwhile.
 */
async function getMemberForUpdate(ctx: Context, id: string): Promise<MemberRow> {
  if (isUuid(id)) await findMemberForUpdate(ctx.tx, id)
  return getMember(ctx, id)
}

/** Its times are real time, like all times of sign-ins: a sandbox's clock can be years ahead. */
type Invitation = { mailedUrl: string; now: Date; expiresAt: Date }

/** Keeps a name on one line, so that an admin can't add lines of their own to an email. */
const inOneLine = (name: string): string => name.replace(/\s+/g, ' ')

/**
 * Mails an invitation. Returns false if none is sent: the address is a placeholder, or was mailed several
 * times already.
 */
async function mailInvitation(
  ctx: Context,
  { name, email }: Pick<MemberRow, 'name' | 'email'>,
  { mailedUrl, now, expiresAt }: Invitation,
): Promise<boolean> {
  if (!ctx.sendsMail || !isMailed(email)) return false
  if (!(await mayMail(ctx.tx, 'invitation', email, now))) return false
  const workspace = inOneLine(ctx.workspace.name)
  // An account may not exist yet, so the workspace's language applies.
  const { t } = mailTexts(ctx.workspace.language)
  const inviter = inOneLine((ctx.actor as MemberActor).name)
  const mail = {
    to: email,
    subject: t('invitation.subject', { workspace }),
    lines: [
      t('invitation.hello', { name: inOneLine(name) }),
      '',
      t('invitation.text', { inviter, workspace }),
      mailedUrl,
      '',
      t('invitation.once'),
    ],
  }
  await queueMail(ctx.tx, mail, { sealer: ctx.sealer, now, expiresAt })
  wake(ctx, ACCOUNT_MAILS)
  return true
}

/** Creates an invitation link that works for a week and replaces the last link. */
async function invite(ctx: Context, member: Pick<MemberRow, 'id' | 'name' | 'email'>) {
  const { id: memberId } = member
  const mailedToken = newToken()
  const token = shownToken(mailedToken)
  const inviteUrl = redeemUrl(ctx.siteUrl, token)
  const now = realTime(ctx.now, ctx.workspace)
  const expiresAt = later(now, INVITATION_MS)
  await upsertInvitation(ctx, { memberId, hash: hashToken(token), expiresAt, createdAt: now })
  await recordActivity(ctx, 'member.invited', { memberId })
  const mailedUrl = redeemUrl(ctx.siteUrl, mailedToken)
  const mailed = await mailInvitation(ctx, member, { mailedUrl, now, expiresAt })
  return { inviteUrl, expiresAt, mailed }
}

/**
 * Adds a member with an invitation link, which is returned only here. Refuses `conflict` if another member
 * has the email.
 */
export async function inviteMember(ctx: Context, invitee: { email: string; name: string; role: Role }) {
  const input = { ...invitee, workspaceId: ctx.workspace.id }
  const { memberId } = await addMember(ctx.tx, input, ctx.now, authorOf(ctx))
  const invitation = await invite(ctx, { ...invitee, id: memberId })
  touch(ctx, { member: memberId })
  return {
    member: present(await getMember(ctx, memberId), invitation.expiresAt),
    inviteUrl: invitation.inviteUrl,
    mailed: invitation.mailed,
  }
}

/** Refuses `forbidden` unless an owner changes themselves, and keeps owners admins. */
export function requireMayChange({ actor }: Context, member: MemberRow, patch: MemberPatch): void {
  if (!member.owner) return
  // A key of the owner acts for an identity provider, not for the owner.
  const isSelf = actor.kind === 'member' && actor.memberId === member.id
  if (!isSelf || patch.leave || (patch.role !== undefined && patch.role !== member.role))
    refuse('forbidden', 'Only the owner can change an owner, and an owner always stays an admin.', {
      required: 'owner',
    })
}

export type MemberChange = Pick<MemberPatch, 'role' | 'email' | 'name'> & { invite?: boolean | undefined }

/**
 * Changes a member as `setMember` does. An invitation stops working if the member's email changes or the
 * member leaves.
 */
export async function setMemberAndInvitation(
  tx: Tx,
  memberId: string,
  patch: MemberPatch,
  now: Date,
  author?: Author,
) {
  if (patch.email !== undefined) await lockEmail(tx, patch.email)
  const before = await findMemberForUpdate(tx, memberId)
  const changed = await setMember(tx, memberId, patch, now, author)
  const isElsewhere = before && !(await isSameEmail(tx, before.email, changed.email))
  if (before && (isElsewhere || patch.leave)) await deleteInvitation(tx, before)
  return changed
}

/**
 * Changes a member, or invites them again. A lower role takes effect immediately and revokes the member's
 * keys.
 */
export async function changeMember(ctx: Context, id: string, change: MemberChange) {
  const { invite: shouldInvite, ...patch } = change
  if (patch.email !== undefined) await lockEmail(ctx.tx, patch.email)
  const member = await getMemberForUpdate(ctx, id)
  requireMayChange(ctx, member, patch)
  if (shouldInvite && member.accountId)
    refuse(
      'conflict',
      'This member already has an account. They can sign in with it or reset their password.',
    )
  await setMemberAndInvitation(ctx.tx, id, patch, ctx.now, authorOf(ctx))
  touch(ctx, { member: member.id })
  const changed = (await readMembers(ctx)).find((row) => row.id === member.id)
  if (!shouldInvite) return { member: changed }
  const { inviteUrl, mailed } = await invite(ctx, changed ?? member)
  return { member: (await readMembers(ctx)).find((row) => row.id === member.id), inviteUrl, mailed }
}

/** Removes a member. Their sessions can no longer open this workspace, and their keys are revoked. */
export async function removeMember(ctx: Context, id: string): Promise<void> {
  const member = await getMemberForUpdate(ctx, id)
  requireMayChange(ctx, member, { leave: true })
  await setMemberAndInvitation(ctx.tx, member.id, { leave: true }, ctx.now, authorOf(ctx))
  touch(ctx, { member: member.id })
}
