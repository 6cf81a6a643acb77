/** Members as an identity provider manages them over SCIM (DECISIONS.md "Provisioning"). */
import { z } from 'zod'
import type { Context, Role } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import { issuesOf } from '../../../../core/issues.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import { authorOf } from '../../workspaces/operations/activity.ts'
import {
  addMember,
  findMember,
  listProvisioned,
  type MemberPatch,
  type MemberRow,
  type ProvisionedFilter,
  refuseNameInUse,
} from '../../workspaces/operations/workspace-members.ts'
import { findMemberForUpdate } from '../queries/accounts.ts'
import { Email, PersonName } from '../schema.ts'
import { requireMayChange, setMemberAndInvitation } from './members.ts'

/** The role of a member for whom the provider names none, as with the first single sign-on. */
const DEFAULT_ROLE: Role = 'agent'

const label = (max: number) => z.string().trim().min(1).max(max)
const Fields = z.object({
  userName: label(254),
  email: Email,
  name: PersonName,
  externalId: label(255).nullable(),
  givenName: label(100).nullable(),
  familyName: label(100).nullable(),
})
const Changes = Fields.partial()
type Fields = z.output<typeof Fields>

export type ProvisionedMember = Fields & {
  id: string
  role: Role
  active: boolean
  createdAt: Date
}

/** A new member. The role is `agent` by default. */
export type NewProvisionedMember = Fields & { role?: Role | undefined; active: boolean }
export type ProvisionedChange = { [Field in keyof Fields]?: Fields[Field] | undefined } & {
  role?: Role | undefined
  active?: boolean | undefined
}

const present = (member: MemberRow): ProvisionedMember => ({
  id: member.id,
  userName: member.userName ?? member.email,
  email: member.email,
  name: member.name,
  givenName: member.givenName,
  familyName: member.familyName,
  externalId: member.externalId,
  role: member.role as Role,
  active: member.leftAt === null,
  createdAt: member.createdAt,
})

function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(issuesOf(result.error, schema))
}

const notFound = (): never => refuse('not_found', 'User not found.')

async function getRow(ctx: Context, id: string): Promise<MemberRow> {
  const member = isUuid(id) ? await findMember(ctx, id.toLowerCase()) : undefined
  return member && (!member.leftAt || member.suspendedAt) ? member : notFound()
}

/** Lists current members, and those that the provider deactivated. */
export async function listProvisionedMembers(
  ctx: Context,
  filter: ProvisionedFilter,
  page: { offset: number; limit: number },
): Promise<{ members: ProvisionedMember[]; total: number }> {
  if (filter.id !== undefined && !isUuid(filter.id)) return { members: [], total: 0 }
  const { members, total } = await listProvisioned(ctx, filter, page)
  return { members: members.map(present), total }
}

export const getProvisionedMember = async (ctx: Context, id: string): Promise<ProvisionedMember> =>
  present(await getRow(ctx, id))

/** Locks the names until the transaction ends, always in the same order. */
async function lockNames(ctx: Context, names: string[]): Promise<void> {
  for (const name of [...new Set(names)].sort()) await lockEmail(ctx.tx, name)
}

/** Returns the column for a user name: an address of the member needs none. */
const userNameColumn = ({ userName, email }: { userName: string; email: string }): string | null =>
  userName === email ? null : userName

/** Adds a member without an invitation: they sign in at the provider. Refuses `conflict` for a name in use. */
export async function provisionMember(ctx: Context, input: NewProvisionedMember): Promise<ProvisionedMember> {
  const { role = DEFAULT_ROLE, active } = input
  const fields = checked(Fields, input)
  await lockNames(ctx, [fields.email, fields.userName])
  await refuseNameInUse(ctx, fields)
  const row = { ...fields, userName: userNameColumn(fields), role, workspaceId: ctx.workspace.id }
  const { memberId } = await addMember(ctx.tx, row, ctx.now, authorOf(ctx))
  if (!active) await setMemberAndInvitation(ctx.tx, memberId, { leave: 'suspended' }, ctx.now, authorOf(ctx))
  touch(ctx, { member: memberId })
  return getProvisionedMember(ctx, memberId)
}

/** Returns the part of a change that changes something. */
function patchFor(member: MemberRow, { active, role, ...change }: ProvisionedChange): MemberPatch {
  const before = present(member)
  const { name, ...others } = checked(Changes, change)
  // Only owners change their names. A refusal would block every other update of the person at the provider.
  const fields = member.owner ? others : { ...others, name }
  const { email = before.email, userName = before.userName } = fields
  const next = { ...fields, email, role: role ?? before.role, userName: userNameColumn({ userName, email }) }
  const current: Record<string, unknown> = { ...member }
  const changed = Object.entries(next).filter(
    ([field, value]) => value !== undefined && value !== current[field],
  )
  return {
    ...Object.fromEntries(changed),
    ...(active === false && before.active ? { leave: 'suspended' as const } : {}),
    ...(active === true && !before.active ? { rejoin: true } : {}),
  }
}

/**
 * Changes a member as `changeOf` its state says. A deactivated member loses access immediately, and can be activated again. The
 * owner can't be changed.
 */
export async function changeProvisionedMember(
  ctx: Context,
  id: string,
  changeOf: (member: ProvisionedMember) => ProvisionedChange,
): Promise<ProvisionedMember> {
  const { email, userName } = changeOf(await getProvisionedMember(ctx, id))
  // Names are locked before the member, as everywhere.
  await lockNames(
    ctx,
    [email, userName].filter((name) => name !== undefined),
  )
  await findMemberForUpdate(ctx.tx, id.toLowerCase())
  const member = await getRow(ctx, id)
  const patch = patchFor(member, changeOf(present(member)))
  if (Object.keys(patch).length === 0) return present(member)
  if (patch.email !== undefined || patch.role !== undefined || patch.leave)
    requireMayChange(ctx, member, patch)
  if (patch.email !== undefined || patch.userName !== undefined) {
    const names = { email: patch.email ?? member.email, ...namesOf(member, patch) }
    await refuseNameInUse(ctx, names, member.id)
  }
  await setMemberAndInvitation(ctx.tx, member.id, patch, ctx.now, authorOf(ctx))
  touch(ctx, { member: member.id })
  return getProvisionedMember(ctx, member.id)
}

function namesOf(member: MemberRow, patch: MemberPatch): { userName: string } {
  const userName = patch.userName === undefined ? member.userName : patch.userName
  return { userName: userName ?? patch.email ?? member.email }
}

/** Removes a member for good. A new member can then have their address. */
export async function removeProvisionedMember(ctx: Context, id: string): Promise<void> {
  if (isUuid(id)) await findMemberForUpdate(ctx.tx, id.toLowerCase())
  const member = await getRow(ctx, id)
  requireMayChange(ctx, member, { leave: true })
  await setMemberAndInvitation(ctx.tx, member.id, { leave: true }, ctx.now, authorOf(ctx))
  touch(ctx, { member: member.id })
}
