/** Creates and revokes API keys. */

import { type Role, roleReaches, type Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../core/scopes.ts'
import { hashApiKey, keyPrefix, newApiKey } from '../../../../core/values/api-key.ts'
import { currentCell } from '../../../../database/sql/current-cell.ts'
import * as queries from '../queries/workspaces.ts'
import { type Author, COMMAND_LINE, recordBy } from './activity.ts'
import { getWorkspace } from './get-workspace.ts'

export type NewKey = {
  workspaceId: string
  role: Role
  scopes?: Scope[]
  expiresAt?: Date
  allowIps?: string[]
  label?: string
  memberId?: string
}

/** Creates a key; it is shown only in this answer. */
export async function createApiKey(tx: Tx, input: NewKey, now: Date, author: Author = COMMAND_LINE) {
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
  const apiKey = newApiKey(workspace.sandbox, await currentCell(tx))
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
  await recordBy(tx, { by: author, workspaceId: input.workspaceId, at: now }, 'key.created', {
    keyId,
    label: input.label ?? 'API key',
    role: input.role,
    scopes: input.scopes ?? null,
  })
  return { keyId, apiKey, role: input.role, scopes: input.scopes ?? null, expiresAt: input.expiresAt ?? null }
}

/**
 * Replaces the secret and the expiry of a key, which keeps its id and rights; the former secret stops working within a second.
 * Returns the new secret, or undefined for a revoked key.
 */
export async function renewApiKey(tx: Tx, keyId: string, expiresAt: Date): Promise<string | undefined> {
  const key = await queries.findKeyRow(tx, keyId)
  if (!key || key.revokedAt) return undefined
  const { sandbox } = await getWorkspace(tx, key.workspaceId)
  const apiKey = newApiKey(sandbox, await currentCell(tx))
  const renewed = { hash: hashApiKey(apiKey), prefix: keyPrefix(apiKey), expiresAt }
  return (await queries.renewKeyRow(tx, keyId, renewed)) > 0 ? apiKey : undefined
}

/** Revokes a key; all processes refuse it within a second. Revoking again is not an error. */
export async function revokeApiKey(
  tx: Tx,
  keyId: string,
  now: Date,
  author: Author = COMMAND_LINE,
): Promise<{ keyId: string; revokedAt: Date }> {
  const revoked = await queries.revokeKeyRow(tx, keyId, now)
  const key = await queries.findKeyRow(tx, keyId)
  if (!key?.revokedAt) return refuse('not_found', `Key ${keyId} not found. See "parley key list".`)
  const { workspaceId, label } = key
  if (revoked > 0) await recordBy(tx, { by: author, workspaceId, at: now }, 'key.revoked', { keyId, label })
  return { keyId, revokedAt: key.revokedAt }
}
