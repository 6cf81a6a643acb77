/** Adds, changes, removes, and lists the members of a workspace. */
import { type Context, type Role, roleReaches, type Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import * as provisioned from '../queries/provisioned-members.ts'
import * as queries from '../queries/workspaces.ts'
import { type Author, COMMAND_LINE, recordBy } from './activity.ts'
import { getWorkspace } from './get-workspace.ts'

/** Fields that an identity provider sends and reads (access/DECISIONS.md "Provisioning"). */
export type ProviderFields = Partial<
  Pick<queries.MemberRow, 'userName' | 'externalId' | 'givenName' | 'familyName'>
>

export type NewMember = { workspaceId: string; email: string; name: string; role: Role } & ProviderFields

/** Adds a teammate; an email address is unique among current members. */
export async function addMember(
  tx: Tx,
  input: NewMember,
  now: Date,
  author: Author = COMMAND_LINE,
): Promise<{ memberId: string }> {
  await getWorkspace(tx, input.workspaceId)
  await lockEmail(tx, input.email)
  await refuseTakenEmail(tx, input.workspaceId, input.email)
  await provisioned.endSuspensions(tx, input.workspaceId, input.email, undefined)
  const memberId = newId()
  await queries.insertMember(tx, { id: memberId, ...input, createdAt: now })
  const log = { by: author, workspaceId: input.workspaceId, at: now }
  await recordBy(tx, log, 'member.added', { memberId, role: input.role })
  return { memberId }
}

async function refuseTakenEmail(tx: Tx, workspaceId: string, email: string, besides?: string): Promise<void> {
  if (await queries.hasMemberEmail(tx, workspaceId, email, besides))
    refuse('conflict', `${email} is already a member of the workspace.`)
}

/** `leave: 'suspended'`: the identity provider deactivates the member, and may activate them again by `rejoin`. */
export type MemberPatch = ProviderFields & {
  role?: Role
  email?: string
  name?: string
  leave?: boolean | 'suspended'
  rejoin?: boolean
}

/** Returns the columns that say whether a member is there. */
function presenceOf({ leave, rejoin }: MemberPatch, now: Date) {
  if (leave) return { leftAt: now, suspendedAt: leave === 'suspended' ? now : null }
  return rejoin ? { leftAt: null, suspendedAt: null } : {}
}

/** Refuses `conflict` if a member who left can't be a member again. */
async function refuseSecondMembership(tx: Tx, member: queries.MemberRow): Promise<void> {
  if (member.accountId && (await provisioned.hasOtherMembership(tx, member)))
    refuse('conflict', 'This person is already a member of the workspace, with another email address.')
}

/**
 * Changes any member, including owners, removes them, or adds them again. A lower role or removal revokes their keys (spec
 * 5.5). Refuses with `not_found`, and with `conflict` for another member's email address.
 */
export async function setMember(
  tx: Tx,
  memberId: string,
  patch: MemberPatch,
  now: Date,
  author: Author = COMMAND_LINE,
): Promise<{
  memberId: string
  email: string
  name: string
  role: string
  left: boolean
  keysRevoked: number
}> {
  if (patch.email !== undefined) await lockEmail(tx, patch.email)
  const member = await queries.findMemberAnywhere(tx, memberId)
  if (!member) refuse('not_found', `Member ${memberId} not found. See "parley member list".`)
  const { email = member.email, name = member.name, role: newRole, leave, rejoin, ...fields } = patch
  const comesBack = rejoin === true && member.leftAt !== null
  if (patch.email !== undefined || comesBack) {
    await refuseTakenEmail(tx, member.workspaceId, email, memberId)
    await provisioned.endSuspensions(tx, member.workspaceId, email, memberId)
  }
  if (comesBack) await refuseSecondMembership(tx, member)
  const role = newRole ?? (member.role as Role)
  const lower = !roleReaches(role, member.role as Role)
  await queries.updateMemberRow(tx, memberId, { ...fields, role, email, name, ...presenceOf(patch, now) })
  const keysRevoked = leave || lower ? await queries.revokeKeysOfMember(tx, memberId, now) : 0
  const left = Boolean(leave) || (member.leftAt !== null && !comesBack)
  const log = { by: author, workspaceId: member.workspaceId, at: now }
  const isAnother = email !== member.email || name !== member.name || role !== member.role
  if (isAnother || left !== (member.leftAt !== null))
    await recordBy(tx, log, 'member.changed', { memberId, role, left })
  return { memberId, email, name, role, left, keysRevoked }
}

/** Returns a member of the caller's workspace, or undefined. */
export const findMember = (ctx: Context, id: string) => queries.findMemberRow(ctx.tx, ctx.workspace.id, id)

/** Returns a page of the members that an identity provider sees, and how many there are. */
export async function listProvisioned(
  ctx: Context,
  filter: provisioned.ProvisionedFilter,
  page: { offset: number; limit: number },
): Promise<{ members: queries.MemberRow[]; total: number }> {
  const { id } = ctx.workspace
  const [members, total] = await Promise.all([
    page.limit === 0 ? [] : provisioned.listProvisionedRows(ctx.tx, id, filter, page),
    provisioned.countProvisioned(ctx.tx, id, filter),
  ])
  return { members, total }
}

/** Returns those of these ids that the provider sees, with whether each is a current member. */
export const findProvisionedIds = async (ctx: Context, ids: string[]): Promise<Map<string, boolean>> =>
  new Map(
    ids.length === 0
      ? []
      : (await provisioned.listProvisionedById(ctx.tx, ctx.workspace.id, ids)).map(({ id, leftAt }) => [
          id,
          leftAt === null,
        ]),
  )

/** Refuses `conflict` for an email address or user name of another member that the provider sees. */
export async function refuseNameInUse(
  ctx: Context,
  names: { email: string; userName: string },
  besides?: string,
): Promise<void> {
  if (await provisioned.isNameInUse(ctx.tx, ctx.workspace.id, names, besides))
    refuse('conflict', 'Another member of the workspace has this user name or email address.')
}

export const isSuspended = provisioned.isSuspended
export const listMembers = queries.listMemberRows
export const listFormerMemberIds = queries.listFormerMemberIds
export const listTeams = queries.listTeams
export type { ProvisionedFilter } from '../queries/provisioned-members.ts'
export type { MemberRow } from '../queries/workspaces.ts'
