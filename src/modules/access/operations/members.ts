/** Members of a workspace, as its admins change them. */
import { later } from '../../../core/clock.ts'
import type { Context, MemberActor, Role } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { hashToken, newToken } from '../../../core/session.ts'
import { authorOf, recordActivity } from '../../workspaces/operations/activity.ts'
import {
  addMember,
  findMember,
  listMembers,
  type MemberPatch,
  type MemberRow,
  setMember,
} from '../../workspaces/operations/workspaces.ts'
import { deleteInvitation, listInvitations, upsertInvitation } from '../queries/invitations.ts'
import { INVITATION_MS } from './redeem.ts'
import { redeemUrl } from './redeem-url.ts'

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

/** Who works in the workspace, and who is invited. */
export async function readMembers(ctx: Context) {
  const [members, invitations] = await Promise.all([
    listMembers(ctx.tx, ctx.workspace.id),
    listInvitations(ctx),
  ])
  const until = new Map(invitations.map(({ memberId, expiresAt }) => [memberId, expiresAt]))
  return members.filter(({ leftAt }) => !leftAt).map((member) => present(member, until.get(member.id)))
}

async function getMember(ctx: Context, id: string): Promise<MemberRow> {
  const member = isUuid(id) ? await findMember(ctx, id) : undefined
  return member && !member.leftAt ? member : refuse('not_found', `There is no member ${id}.`)
}

/** A link that is good for a week, in place of the last one. */
async function invite(ctx: Context, memberId: string, siteUrl: string) {
  const token = newToken()
  const expiresAt = later(ctx.now, INVITATION_MS)
  await upsertInvitation(ctx, { memberId, hash: hashToken(token), expiresAt, createdAt: ctx.now })
  await recordActivity(ctx, 'member.invited', { memberId })
  return { inviteUrl: redeemUrl(siteUrl, token), expiresAt }
}

/** Adds a member with an invitation, which is shown this once. Refuses `conflict` for an e-mail that is taken. */
export async function inviteMember(
  ctx: Context,
  given: { email: string; name: string; role: Role },
  siteUrl: string,
) {
  const input = { ...given, workspaceId: ctx.workspace.id }
  const { memberId } = await addMember(ctx.tx, input, ctx.now, authorOf(ctx))
  const invitation = await invite(ctx, memberId, siteUrl)
  return {
    member: present(await getMember(ctx, memberId), invitation.expiresAt),
    inviteUrl: invitation.inviteUrl,
  }
}

/** What belongs to an owner is theirs to change, and they stay an admin as long as the workspace is theirs. */
function requireMayChange({ actor }: Context, member: MemberRow, patch: MemberPatch): void {
  if (!member.owner) return
  const isSelf = (actor as MemberActor).memberId === member.id
  if (!isSelf || patch.leave || (patch.role !== undefined && patch.role !== member.role))
    refuse(
      'forbidden',
      'An owner is changed by themselves alone, and stays an admin. The command line may do more.',
      {
        required: 'owner',
      },
    )
}

export type MemberChange = Pick<MemberPatch, 'role' | 'email' | 'name'> & { invite?: boolean | undefined }

/** Changes a member, or invites them once more. A lower role is felt at once, and revokes the keys that they have. */
export async function changeMember(
  ctx: Context,
  id: string,
  { change, siteUrl }: { change: MemberChange; siteUrl: string },
) {
  const member = await getMember(ctx, id)
  const { invite: again, ...patch } = change
  requireMayChange(ctx, member, patch)
  if (again && member.accountId)
    refuse('conflict', 'This member has an account: they sign in by it, or reset their password.')
  await setMember(ctx.tx, id, patch, ctx.now, authorOf(ctx))
  const invitation = again ? await invite(ctx, id, siteUrl) : undefined
  const changed = (await readMembers(ctx)).find((one) => one.id === member.id)
  return { member: changed, ...(invitation ? { inviteUrl: invitation.inviteUrl } : {}) }
}

/** Lets a member leave: their sessions open nothing here from now on, and their keys are revoked. */
export async function removeMember(ctx: Context, id: string): Promise<void> {
  const member = await getMember(ctx, id)
  requireMayChange(ctx, member, { leave: true })
  await deleteInvitation(ctx, member.id)
  await setMember(ctx.tx, member.id, { leave: true }, ctx.now, authorOf(ctx))
}
