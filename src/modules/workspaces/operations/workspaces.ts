/**
 * Workspaces, their members, keys and numbers, as the command line and the first run make them.
 * These speak for the whole installation and so run in system transactions.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { hashApiKey, keyPrefix, newApiKey } from '../../../core/api-key.ts'
import { monthOf } from '../../../core/calendar.ts'
import { later, MINUTE_MS, realTime } from '../../../core/clock.ts'
import { type Context, type Plan, type Role, roleReaches, type Tx, type Unit } from '../../../core/context.ts'
import { sha256 } from '../../../core/digest.ts'
import { lockEmail } from '../../../core/email-lock.ts'
import { refuse } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scopes.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { lockInWorkspace } from '../../../core/workspace-lock.ts'
import { insertNumberLane, listShownNumbers } from '../queries/numbers.ts'
import * as queries from '../queries/workspaces.ts'
import { type Author, COMMAND_LINE, recordBy } from './activity.ts'
import { connectionIdOf } from './connection-id.ts'
import { restrictionsAt } from './restrictions.ts'

export type NewWorkspace = {
  name: string
  plan?: Plan
  sandbox?: boolean
  countryCode?: string
  timezone?: string
  ownerName?: string
  ownerEmail?: string
}

export type MadeWorkspace = {
  workspaceId: string
  name: string
  plan: Plan
  sandbox: boolean
  ownerId: string
  phoneNumberId: string | null
  number: string | null
  captureToken: string
}

const token = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** What the address of a capture link ends in. */
export const newCaptureToken = (): string => token(24)

/** Makes a workspace with its owner; a sandbox also gets its simulated number (spec 4.9). */
export async function createWorkspace(
  tx: Tx,
  input: NewWorkspace,
  now: Date,
  sealer: Sealer,
): Promise<MadeWorkspace> {
  const sandbox = input.sandbox ?? false
  const plan = input.plan ?? (sandbox ? 'free' : 'unlimited')
  const workspaceId = newId()
  const captureToken = newCaptureToken()
  await queries.insertWorkspace(tx, {
    id: workspaceId,
    name: input.name,
    plan,
    sandbox,
    countryCode: input.countryCode ?? '91',
    timezone: input.timezone ?? 'Asia/Kolkata',
    captureToken,
    createdAt: now,
  })
  const ownerId = newId()
  await queries.insertMember(tx, {
    id: ownerId,
    workspaceId,
    name: input.ownerName ?? 'Owner',
    email: input.ownerEmail ?? `owner@${workspaceId}.local`,
    role: 'admin',
    owner: true,
    createdAt: now,
  })
  const number = sandbox ? await addSimulatedNumber(tx, workspaceId, now, sealer) : null
  return {
    workspaceId,
    name: input.name,
    plan,
    sandbox,
    ownerId,
    phoneNumberId: number?.phoneNumberId ?? null,
    number: number?.number ?? null,
    captureToken,
  }
}

/** A number nobody has: +1 555 and seven digits. */
const inventedNumber = (): string => `+1555${String(randomInt(10_000_000)).padStart(7, '0')}`

const addSimulatedNumber = (tx: Tx, workspaceId: string, now: Date, sealer: Sealer) =>
  addPhoneNumber(tx, { workspaceId, number: inventedNumber(), operator: 'simulator' }, now, sealer)

/** How soon the operator is asked how a new number is. */
const FIRST_CHECK_MS = MINUTE_MS

export type NewNumber = {
  workspaceId: string
  /** E.164 with +. */
  number: string
  operator: 'simulator' | 'cloud'
  displayName?: string
  accountId?: string
  operatorId?: string
  token?: string
  appSecret?: string
  verifyToken?: string
}

const inventedId = (length: number): string =>
  Array.from({ length }, () => randomInt(10))
    .join('')
    .replace(/^0/, '1')

/** Simulated numbers of a workspace share the account of the first, as those of one business do. */
async function simulatedAccount(tx: Tx, workspaceId: string): Promise<string> {
  await lockInWorkspace(tx, workspaceId, 'simulated account')
  const [first] = await queries.listOperatorNumbers(tx, workspaceId, 'simulator')
  return first?.accountId ?? inventedId(15)
}

/** Connects a sending number. A simulated one gets invented operator ids and credentials. */
export async function addPhoneNumber(tx: Tx, input: NewNumber, now: Date, sealer: Sealer) {
  const id = newId()
  const operatorId = input.operatorId ?? inventedId(16)
  const stored = await queries.insertNumber(tx, {
    id,
    workspaceId: input.workspaceId,
    number: input.number,
    displayName: input.displayName ?? input.number,
    operator: input.operator,
    accountId: input.accountId ?? (await simulatedAccount(tx, input.workspaceId)),
    operatorId,
    // The simulator knows by it whose token it is.
    tokenSealed: sealer.seal(input.token ?? `${operatorId}.${token(32)}`),
    appSecretSealed: sealer.seal(input.appSecret ?? token(32)),
    verifyTokenHash: sha256(input.verifyToken ?? token(32)),
    createdAt: now,
  })
  if (stored === 0) await refuseDuplicate(tx, input, operatorId)
  if (input.operator === 'cloud')
    await insertNumberLane(
      tx.sql,
      { workspaceId: input.workspaceId, phoneNumberId: id },
      later(now, FIRST_CHECK_MS),
    )
  return { phoneNumberId: id, number: input.number, operator: input.operator }
}

async function refuseDuplicate(
  tx: Tx,
  { workspaceId, number }: NewNumber,
  operatorId: string,
): Promise<never> {
  const numbers = await queries.listNumberRows(tx, [workspaceId])
  return numbers.some((known) => known.number === number)
    ? refuse(
        'conflict',
        `${number} is already connected to the workspace. Change it with "parley number set".`,
      )
    : refuse('conflict', `A number with the operator's id ${operatorId} is already connected.`)
}

export type WorkspacePatch = {
  name?: string
  /** Calling code without +. */
  countryCode?: string
  timezone?: string
  captureToken?: string
  plan?: Plan
  leadCapture?: boolean
  socialAddon?: boolean
  socialEnabled?: boolean
  modules?: string[]
  contactLimit?: number
  messageAllowance?: number
  /** Of campaigns (docs/decisions/campaign-gates.md). */
  marketingCap?: number
  coolOffDays?: number
  followUpHours?: number
  /** For how many days messages are kept, 90 or more; 0: until they are erased (docs/decisions/retention.md). */
  messageDays?: number
  /** Its wallet is enforced and empty: nothing is sent (docs/decisions/costs.md). */
  walletEmpty?: boolean
}

/** Changes a workspace's settings and returns it as it stands. */
export async function setWorkspace(tx: Tx, id: string, patch: WorkspacePatch): Promise<queries.WorkspaceRow> {
  // A plan that is set is no trial any more.
  const trial = patch.plan === undefined ? {} : { trialEndsAt: null, trialFallsTo: null }
  if (Object.keys(patch).length > 0) await queries.updateWorkspaceRow(tx, id, { ...patch, ...trial })
  return getWorkspace(tx, id)
}

/** A workspace with its settings. Refuses `not_found`. */
export const getWorkspace = async (tx: Tx, id: string): Promise<queries.WorkspaceRow> =>
  (await queries.findWorkspaceRow(tx, id)) ??
  refuse('not_found', `Workspace ${id} not found. See "parley workspace list".`)

export const listWorkspaces = queries.listWorkspaceRows

export type NewMember = { workspaceId: string; email: string; name: string; role: Role }

/** Adds a teammate; an e-mail is used once among those who have not left. */
export async function addMember(
  tx: Tx,
  input: NewMember,
  now: Date,
  by: Author = COMMAND_LINE,
): Promise<{ memberId: string }> {
  await getWorkspace(tx, input.workspaceId)
  await lockEmail(tx, input.email)
  await refuseTakenEmail(tx, input.workspaceId, input.email)
  const memberId = newId()
  await queries.insertMember(tx, { id: memberId, ...input, createdAt: now })
  const log = { by, workspaceId: input.workspaceId, at: now }
  await recordBy(tx, log, 'member.added', { memberId, role: input.role })
  return { memberId }
}

async function refuseTakenEmail(tx: Tx, workspaceId: string, email: string, besides?: string): Promise<void> {
  const members = await queries.listMemberRows(tx, workspaceId)
  const isTaken = members.some(
    (member) => !member.leftAt && member.id !== besides && member.email.toLowerCase() === email.toLowerCase(),
  )
  if (isTaken) refuse('conflict', `${email} is already a member of the workspace.`)
}

export type MemberPatch = { role?: Role; email?: string; name?: string; leave?: boolean }

/**
 * Changes a member, an owner too, or lets them leave. A lower role and leaving revoke their keys (spec 5.5). Refuses
 * `not_found`, and `conflict` for the e-mail of another.
 */
export async function setMember(
  tx: Tx,
  memberId: string,
  patch: MemberPatch,
  now: Date,
  by: Author = COMMAND_LINE,
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
  const log = { by, workspaceId: member.workspaceId, at: now }
  const isAnother = email !== member.email || name !== member.name || role !== member.role
  if (isAnother || left !== (member.leftAt !== null))
    await recordBy(tx, log, 'member.changed', { memberId, role, left })
  return { memberId, email, name, role, left, keysRevoked }
}

export const listMembers = queries.listMemberRows
export const listFormerMemberIds = queries.listFormerMemberIds
export const listTeams = queries.listTeams
export const listReferenceVersions = queries.listReferenceVersions
export const expectReferenceVersions = queries.expectReferenceVersions

export const listSimulatedOperatorIds = queries.listSimulatedOperatorIds
export type { MemberRow, NumberRecord } from '../queries/workspaces.ts'

export type NewKey = {
  workspaceId: string
  role: Role
  scopes?: Scope[]
  expiresAt?: Date
  allowIps?: string[]
  label?: string
  memberId?: string
}

/** Makes a key; the answer is the only place where it is ever shown. */
export async function createApiKey(tx: Tx, input: NewKey, now: Date, by: Author = COMMAND_LINE) {
  const workspace = await getWorkspace(tx, input.workspaceId)
  if (input.memberId) {
    const member = await queries.findMemberForShare(tx, input.workspaceId, input.memberId)
    if (!member || member.leftAt)
      refuse('not_found', `Member ${input.memberId} not found in the workspace. See "parley member list".`)
    if (!roleReaches(member.role as Role, input.role))
      refuse(
        'forbidden',
        `The member has the role ${member.role}. Choose that role or a lower one for the key.`,
      )
  }
  const apiKey = newApiKey(workspace.sandbox)
  const keyId = newId()
  await queries.insertKey(tx, {
    id: keyId,
    workspaceId: input.workspaceId,
    memberId: input.memberId ?? null,
    label: input.label ?? 'API key',
    prefix: keyPrefix(apiKey),
    hash: hashApiKey(apiKey),
    role: input.role,
    scopes: input.scopes ?? null,
    allowIps: input.allowIps ?? null,
    expiresAt: input.expiresAt ?? null,
    createdAt: now,
  })
  await recordBy(tx, { by, workspaceId: input.workspaceId, at: now }, 'key.created', {
    keyId,
    label: input.label ?? 'API key',
    role: input.role,
    scopes: input.scopes ?? null,
  })
  return { keyId, apiKey, role: input.role, scopes: input.scopes ?? null, expiresAt: input.expiresAt ?? null }
}

/** Revokes a key; every process refuses it within a second. Revoking twice is fine. */
export async function revokeApiKey(
  tx: Tx,
  keyId: string,
  now: Date,
  by: Author = COMMAND_LINE,
): Promise<{ keyId: string; revokedAt: Date }> {
  const revoked = await queries.revokeKeyRow(tx, keyId, now)
  const key = await queries.findKeyRow(tx, keyId)
  if (!key?.revokedAt) return refuse('not_found', `Key ${keyId} not found. See "parley key list".`)
  const { workspaceId, label } = key
  if (revoked > 0) await recordBy(tx, { by, workspaceId, at: now }, 'key.revoked', { keyId, label })
  return { keyId, revokedAt: key.revokedAt }
}

/** The workspace's keys with what may be shown of them: never the key itself, nor what it is recognised by. */
export const listApiKeys = async (tx: Tx, workspaceId: string): Promise<ShownKey[]> =>
  (await queries.listKeyRows(tx, workspaceId)).map(shownKey)

const shownKey = (key: queries.KeyRow) => ({
  id: key.id,
  label: key.label,
  prefix: key.prefix,
  role: key.role,
  scopes: key.scopes,
  allowIps: key.allowIps,
  memberId: key.memberId,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  createdAt: key.createdAt,
})
export type ShownKey = ReturnType<typeof shownKey>

/** How much of what the plan counts is used; null: not counted, because the plan has no limit for it. */
export async function readUsage(ctx: Context) {
  const { plan, contactLimit, messageAllowance, timezone } = ctx.workspace
  const usage = await queries.findUsage(ctx.tx, ctx.workspace.id)
  const month = monthOf(ctx.now, timezone)
  const messages = usage?.month === month ? usage.messages : 0
  return {
    plan,
    month,
    contacts: { used: contactLimit === null ? null : (usage?.contacts ?? null), limit: contactLimit },
    messages: { used: messageAllowance === null ? null : messages, limit: messageAllowance },
  }
}

/** A member of the caller's workspace, or undefined. */
export const findMember = (ctx: Context, id: string) => queries.findMemberRow(ctx.tx, ctx.workspace.id, id)

/** The caller's numbers as `GET /phone-numbers` shows them. */
export async function listPhoneNumbers(ctx: Context) {
  const numbers = await listShownNumbers(ctx.tx, ctx.workspace.id, realTime(ctx.now, ctx.workspace))
  return numbers.map(({ operator, accountId, createdAt, pausedUntil, ...number }) => ({
    ...number,
    restrictions: restrictionsAt(number, ctx.now),
    wabaConnectionId: connectionIdOf(ctx.workspace.id, accountId),
    pausedUntil: pausedUntil?.toISOString() ?? null,
    simulated: operator === 'simulator',
    createdAt: createdAt.toISOString(),
  }))
}

/** Every number of the given workspaces, oldest first: the first active one is the default for sending. */
export const listNumbers = (unit: Unit, workspaceIds: string[]) =>
  queries.listNumberRows(unit.tx, workspaceIds)

/** The caller's numbers at an operator, with the ids they have there. */
export const listNumbersWithOperatorIds = (ctx: Context, operator: 'simulator' | 'cloud') =>
  queries.listOperatorNumbers(ctx.tx, ctx.workspace.id, operator)
