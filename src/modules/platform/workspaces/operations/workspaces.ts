/**
 * Creates and changes workspaces for the command line and the first run; members, keys and numbers have their
 * own files. Functions that take a `Tx` instead of a context work on the whole installation, in system
 * transactions.
 */
import { randomBytes } from 'node:crypto'
import type { Context, Plan, Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { monthOf } from '../../../../core/values/calendar.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import * as queries from '../queries/workspaces.ts'
import { getWorkspace } from './get-workspace.ts'
import { addSimulatedNumber } from './phone-numbers.ts'

export type NewWorkspace = {
  name: string
  plan?: Plan
  sandbox?: boolean
  countryCode?: string
  timezone?: string
  language?: Language
  ownerName?: string
  ownerEmail?: string
}

export type CreatedWorkspace = {
  workspaceId: string
  name: string
  plan: Plan
  sandbox: boolean
  ownerId: string
  phoneNumberId: string | null
  number: string | null
  captureToken: string
}

/** Returns a token for the address of a capture link. */
export const newCaptureToken = (): string => randomBytes(24).toString('base64url')

/** Refuses a person's second sandbox (spec 4.9). Concurrent requests of one person take turns. */
async function refuseSecondSandbox(tx: Tx, email: string): Promise<void> {
  await lockEmail(tx, email)
  const existing = await queries.findSandboxOf(tx, email)
  if (existing)
    refuse('conflict', `${email} already has a sandbox: "${existing.name}" (${existing.id}). Use that one.`)
}

/**
 * Creates a workspace with its owner; a sandbox also gets its simulated number (spec 4.9). Refuses with
 * `conflict` a second sandbox of one email address.
 */
export async function createWorkspace(
  tx: Tx,
  input: NewWorkspace,
  now: Date,
  sealer: Sealer,
): Promise<CreatedWorkspace> {
  const sandbox = input.sandbox ?? false
  if (sandbox && input.ownerEmail) await refuseSecondSandbox(tx, input.ownerEmail)
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
    language: input.language ?? 'en',
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

export type WorkspacePatch = {
  name?: string
  /** Calling code without +. */
  countryCode?: string
  timezone?: string
  language?: Language
  captureToken?: string
  plan?: Plan
  leadCapture?: boolean
  socialAddon?: boolean
  socialEnabled?: boolean
  modules?: string[]
  contactLimit?: number
  messageAllowance?: number
  /** The marketing limit of campaigns (src/modules/messaging/broadcasts/DECISIONS.md "Gates"). */
  marketingCap?: number
  coolOffDays?: number
  followUpHours?: number
  /** Days for which messages are kept, 90 or more; 0: until they are erased (docs/decisions/retention.md). */
  messageDays?: number
  /**
   * True if the workspace's wallet is enforced and empty: nothing is sent
   * (src/modules/reporting/billing/DECISIONS.md).
   */
  walletEmpty?: boolean
  /** Roles from which customers' phone numbers and email addresses are hidden. */
  detailsHiddenFrom?: string[]
}

/** Changes a workspace's settings and returns it. */
export async function setWorkspace(tx: Tx, id: string, patch: WorkspacePatch): Promise<queries.WorkspaceRow> {
  // Setting a plan ends a trial.
  const trial = patch.plan === undefined ? {} : { trialEndsAt: null, trialFallsTo: null }
  if (Object.keys(patch).length > 0) await queries.updateWorkspaceRow(tx, id, { ...patch, ...trial })
  return getWorkspace(tx, id)
}

export const listWorkspaces = queries.listWorkspaceRows

/** Returns how much of the plan's limits is used; null: not counted, because the plan has no limit for it. */
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
