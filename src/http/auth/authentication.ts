/**
 * Authenticates API keys: finds the caller and the workspace, and checks the caller's rights (spec 5, 8.1).
 * Refusals come in the order of docs/clarifications.md "Order of refusals".
 */
import { type Clock, workspaceTime } from '../../core/clock.ts'
import { type KeyActor, roleReaches } from '../../core/context.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import { hashApiKey, looksLikeApiKey, sameHash } from '../../core/values/api-key.ts'
import type { Directory } from '../../modules/platform/workspaces/directory.ts'
import { PLANS } from '../../modules/platform/workspaces/plans.ts'
import type { Caller } from '../wire/caller.ts'
import { addressAllowed } from '../wire/trusted-address.ts'

export type AuthenticationOptions = { directory: Directory; clock: Clock; siteUrl: string }

/** Finds the key in `Authorization: Bearer …`; throws the matching 401 (spec 5.3). */
async function identify(options: AuthenticationOptions, authorization: string | undefined) {
  const key = /^Bearer (.*)$/i.exec(authorization ?? '')?.[1]?.trim()
  if (!key) return refuse('unauthorized', 'Send your key as `Authorization: Bearer <API_KEY>`.')
  const hash = hashApiKey(key)
  const record = await options.directory.key(hash, () => looksLikeApiKey(key))
  if (!record || !sameHash(record.hash, hash))
    return refuse(
      'api_key_invalid',
      looksLikeApiKey(key)
        ? 'Unknown API key. Check that it is the key of this installation.'
        : 'Malformed API key. Copy the whole key, with its pk_ prefix.',
    )
  if (record.revokedAt) refuse('api_key_revoked', 'This API key was revoked. Create a new one.')
  const { expiresAt } = record.actor
  if (expiresAt && expiresAt <= workspaceTime(options.clock, record.workspace))
    refuse('api_key_expired', `This API key expired at ${expiresAt.toISOString()}. Create a new one.`)
  return record
}

/**
 * Returns the caller of the key, or undefined without a key or with a key that every endpoint would answer
 * with 401.
 */
export async function findCaller(
  options: AuthenticationOptions,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  try {
    const { actor, workspace, severalKeys, allowIps } = await identify(options, authorization)
    return { actor, workspace, severalKeys, allowIps }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Returns whether the key's scopes include the endpoint's scope, or its narrower alternative. */
function scopeAllows(value: Endpoint, scopes: string[] | null): boolean {
  if (value.scope === null || scopes === null) return true
  return scopes.includes(value.scope) || (value.orScope !== undefined && scopes.includes(value.orScope))
}

function rightsRefusal(value: Endpoint, actor: KeyActor): Refusal | undefined {
  const named = value.scopeOverRole && value.scope !== null && actor.scopes?.includes(value.scope)
  if (value.role && !named && !roleReaches(actor.role, value.role))
    return new Refusal(
      'forbidden',
      `This requires the role ${value.role}; the key has ${actor.role}. Use a key of that role.`,
      {
        required: value.role,
      },
    )
  if (!scopeAllows(value, actor.scopes))
    return new Refusal(
      'insufficient_scope',
      `This requires the scope ${value.scope}, which the key lacks. Use a key that has it.`,
      {
        required: value.scope ?? undefined,
      },
    )
  return undefined
}

/** Returns whether the role and the scopes of the caller allow the endpoint. A member of the dashboard has no key. */
export const mayCall = (value: Endpoint, { actor }: Pick<Caller, 'actor'>): boolean =>
  actor.kind === 'key' && rightsRefusal(value, actor) === undefined

/**
 * Returns why the caller may not use `value`: 402 for the plan, then 403 for the address, role, and scope.
 * Returns undefined if the caller may.
 */
function entryRefusal(
  options: AuthenticationOptions,
  value: Endpoint,
  caller: Caller & { actor: KeyActor },
  address: string,
): Refusal | undefined {
  const { workspace, actor, allowIps } = caller
  if (!workspace.sandbox && !PLANS[workspace.plan].api)
    return new Refusal(
      'plan_feature_unavailable',
      `The API requires the Pro plan; this workspace is on ${workspace.plan}. Upgrade the plan.`,
      {
        upgradeUrl: `${options.siteUrl}/billing`,
      },
    )
  if (allowIps && !addressAllowed(address, allowIps))
    return new Refusal(
      'ip_not_allowed',
      `The key does not allow requests from ${address}. Send from an allowed address, or use another key.`,
    )
  return rightsRefusal(value, actor)
}

/**
 * Authenticates the caller (throws a 401) and checks whether the caller may use `value`. A refused caller is
 * still returned: the refusal needs the headers of the caller's rate bucket (spec 8.1.2).
 */
export async function admit(
  options: AuthenticationOptions,
  value: Endpoint,
  request: { authorization: string | undefined; address: string },
): Promise<{ caller: Caller; refusal: Refusal | undefined }> {
  const { actor, workspace, severalKeys, allowIps } = await identify(options, request.authorization)
  const caller = { actor, workspace, severalKeys, allowIps }
  return { caller, refusal: entryRefusal(options, value, caller, request.address) }
}
