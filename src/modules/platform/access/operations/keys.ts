/** API keys of a workspace, created and revoked by its admins. */
import type { Context, MemberActor } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { authorOf } from '../../workspaces/operations/activity.ts'
import { createApiKey, type NewKey, revokeApiKey } from '../../workspaces/operations/api-keys.ts'
import { listApiKeys, type ShownKey } from '../../workspaces/operations/list-api-keys.ts'
import { listKeysOfApps } from '../queries/app-connections.ts'

const present = ({ expiresAt, revokedAt, createdAt, ...key }: ShownKey, renewsUntil: Date | undefined) => ({
  ...key,
  renewsUntil: renewsUntil?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  revokedAt: revokedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})

/** Lists the keys. Apps renew their own keys, until they were not used for long. */
export async function readKeys(ctx: Context) {
  const [keys, renewals] = [
    await listApiKeys(ctx.tx, ctx.workspace.id),
    await listKeysOfApps(ctx.tx, ctx.workspace.id),
  ]
  const until = new Map(renewals.map(({ keyId, expiresAt }) => [keyId, expiresAt]))
  return keys.map((key) => present(key, until.get(key.id)))
}

const getKey = async (ctx: Context, id: string) =>
  (await readKeys(ctx)).find((key) => key.id === id) ?? refuse('not_found', `API key ${id} not found.`)

/** Creates a key that belongs to the caller. `apiKey` is returned only here. */
export async function makeKey(ctx: Context, fields: Omit<NewKey, 'workspaceId' | 'memberId'>) {
  if (fields.expiresAt && fields.expiresAt <= ctx.now)
    throw invalid([{ path: 'expiresAt', message: 'Must be in the future.' }])
  const { memberId } = ctx.actor as MemberActor
  const input = { ...fields, memberId, workspaceId: ctx.workspace.id }
  const { keyId, apiKey } = await createApiKey(ctx.tx, input, ctx.now, authorOf(ctx))
  return { key: await getKey(ctx, keyId), apiKey }
}

/** Revokes a key. Every process refuses the key within a second. */
export async function revokeKey(ctx: Context, id: string) {
  if (!isUuid(id)) refuse('not_found', `API key ${id} not found.`)
  await getKey(ctx, id)
  await revokeApiKey(ctx.tx, id, ctx.now, authorOf(ctx))
  return getKey(ctx, id)
}
