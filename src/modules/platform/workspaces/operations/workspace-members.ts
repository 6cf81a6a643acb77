/** Adds, changes, removes, and lists the members of a workspace. */
import { type Context, type Role, roleReaches, type Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import * as queries from '../queries/workspaces.ts'
import { type Author, COMMAND_LINE, recordBy } from './activity.ts'
import { getWorkspace } from './get-workspace.ts'

export type NewMember = { workspaceId: string; email: string; name: string; role: Role }

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

export type MemberPatch = { role?: Role; email?: string; name?: string; leave?: boolean }

/**
 * Changes any member, including owners, or removes them. A lower role or removal revokes their keys (spec
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
  const { email = member.email, name = member.name } = patch
  if (patch.email !== undefined) await refuseTakenEmail(tx, member.workspaceId, email, memberId)
  const role = patch.role ?? (member.role as Role)
  const lower = !roleReaches(role, member.role as Role)
  await queries.updateMemberRow(tx, memberId, { role, email, name, ...(patch.leave ? { leftAt: now } : {}) })
  const keysRevoked = patch.leave || lower ? await queries.revokeKeysOfMember(tx, memberId, now) : 0
  const left = patch.leave === true || member.leftAt !== null
  const log = { by: author, workspaceId: member.workspaceId, at: now }
  const isAnother = email !== member.email || name !== member.name || role !== member.role
  if (isAnother || left !== (member.leftAt !== null))
    await recordBy(tx, log, 'member.changed', { memberId, role, left })
  return { memberId, email, name, role, left, keysRevoked }
}

/** Returns a member of the caller's workspace, or undefined. */
export const findMember = (ctx: Context, id: string) => queries.findMemberRow(ctx.tx, ctx.workspace.id, id)

export const listMembers = queries.listMemberRows
export const listFormerMemberIds = queries.listFormerMemberIds
export const listTeams = queries.listTeams
export type { MemberRow } from '../queries/workspaces.ts'
