/** Connects and disconnects integrations (DECISIONS.md). */
import { randomBytes } from 'node:crypto'
import { realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { findTemplate } from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { authorOf } from '../../../platform/workspaces/operations/activity.ts'
import {
  deleteGateway,
  findGateway,
  setGateway,
} from '../../../selling/payments/operations/gateway-connection.ts'
import {
  connectAccount,
  disconnectAccount,
  findAccount,
} from '../../../selling/social/operations/accounts.ts'
import { registerShopWebhooks } from '../jobs.ts'
import { deleteIntegrationRow, findIntegrationRow, upsertIntegration } from '../queries/integrations.ts'
import { type Integration, type Name, SECRETS, type StoreSettings } from '../schema.ts'
import type { CheckedIntegration } from './check-integration.ts'
import { readIntegration } from './read-integrations.ts'
import {
  accountSecretsOf,
  gatewaySecretsOf,
  mergeSecrets,
  type Secrets,
  sealSecrets,
  secretsFor,
} from './secrets.ts'

const newSecret = (): string => randomBytes(32).toString('base64url')

const isStore = (settings: Record<string, unknown>): settings is StoreSettings & Record<string, unknown> =>
  'cod' in settings

/** Refuses a template that doesn't exist in the workspace. */
async function requireTemplateOf(ctx: Context, settings: Record<string, unknown>): Promise<void> {
  if (!isStore(settings) || settings.cod.templateId === null) return
  if (await findTemplate(ctx, settings.cod.templateId.toLowerCase())) return
  refuseReference('settings.cod.templateId', 'Template not found. See GET /templates.')
}

/** The secret of each integration that we create if none is given. */
const MADE: Partial<Record<Name, string>> = { orders: 'secret', woocommerce: 'webhookSecret' }

/** Returns the secrets to store, and the secret that was just created. */
function secretsAfter(
  name: Name,
  settings: Record<string, unknown>,
  storedSecrets: Secrets,
): { secrets: Secrets; made: string | undefined } {
  const secrets = mergeSecrets(SECRETS[name], settings, storedSecrets)
  const ownSecret = MADE[name]
  if (ownSecret === undefined || secrets[ownSecret] !== undefined) return { secrets, made: undefined }
  const before = storedSecrets[ownSecret]
  secrets[ownSecret] = before ?? newSecret()
  return { secrets, made: before === undefined ? secrets[ownSecret] : undefined }
}

const shownSettings = ({ name, settings, profile }: CheckedIntegration): Record<string, unknown> => {
  const plainSettings = Object.fromEntries(
    Object.entries(settings).filter(([key]) => !SECRETS[name].includes(key)),
  )
  return isStore(plainSettings) && plainSettings.country === null && profile
    ? { ...plainSettings, country: profile.country }
    : plainSettings
}

const shopIdOf = ({ settings, profile }: CheckedIntegration): string | null =>
  profile?.id ?? (typeof settings.shopId === 'string' ? settings.shopId : null)

async function saveGateway(ctx: Context, { settings }: CheckedIntegration): Promise<void> {
  const { id: workspaceId } = ctx.workspace
  const before = await findGateway(ctx.tx.sql, ctx.workspace)
  const secrets = mergeSecrets(SECRETS.razorpay, settings, gatewaySecretsOf(before, ctx.sealer))
  const gateway = {
    workspaceId,
    provider: 'razorpay' as const,
    keyId: String(settings.keyId),
    keySecret: secrets.keySecret!,
    webhookSecret: secrets.webhookSecret!,
    configuration: before?.configuration ?? undefined,
    importer: before?.importer ?? undefined,
  }
  await setGateway(ctx.tx, gateway, realTime(ctx.now, ctx.workspace), ctx.sealer)
}

/** Connects the account, and returns the verify token if it was just created. */
async function saveAccount(
  ctx: Context,
  { settings, account }: CheckedIntegration,
): Promise<string | undefined> {
  const { id: workspaceId } = ctx.workspace
  const before = await findAccount(ctx.tx.sql, workspaceId)
  const { token, appSecret, verifyToken } = mergeSecrets(
    SECRETS.photo,
    settings,
    accountSecretsOf(before, ctx.sealer),
  )
  const made = verifyToken === undefined && !before?.verifyTokenHash ? newSecret() : undefined
  const connected = {
    workspaceId,
    network: 'graph' as const,
    profile: account!,
    token: token!,
    appSecret: appSecret!,
    verifyToken: verifyToken ?? made ?? null,
  }
  await connectAccount(ctx.tx, connected, realTime(ctx.now, ctx.workspace), ctx.sealer, authorOf(ctx))
  return made
}

/** Stores checked settings. `secret`: the secret that was just created, shown only this once. */
export async function saveIntegration(
  ctx: Context,
  checked: CheckedIntegration,
): Promise<{ integration: Integration; secret: string | undefined }> {
  const { name, settings } = checked
  // Of two concurrent requests, the second keeps the address and the secrets of the first.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `integration ${name}`)
  let secret: string | undefined
  if (name === 'razorpay') await saveGateway(ctx, checked)
  else if (name === 'photo') secret = await saveAccount(ctx, checked)
  else {
    await requireTemplateOf(ctx, settings)
    const before = await findIntegrationRow(ctx.tx.sql, ctx.workspace.id, name)
    const { secrets, made } = secretsAfter(name, settings, secretsFor(before, settings, ctx.sealer))
    const isShop = name === 'shopify' || name === 'woocommerce'
    await upsertIntegration(ctx, {
      name,
      settings: shownSettings(checked),
      secretsSealed: sealSecrets(secrets, ctx.sealer),
      intakeToken: before?.intakeToken ?? (isShop || name === 'orders' ? newLinkToken() : null),
      shopId: shopIdOf(checked),
    })
    if (isShop) await enqueue(ctx, registerShopWebhooks, { name })
    if (name === 'orders') secret = made
  }
  touch(ctx, { integration: ctx.workspace.id })
  return { integration: await readIntegration(ctx, name), secret }
}

/**
 * Deletes settings and secrets, and stops accepting reports at its address. Returns whether it was connected.
 */
export async function disconnectIntegration(ctx: Context, name: Name): Promise<boolean> {
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `integration ${name}`)
  const isDeleted = await deleteConnection(ctx, name)
  if (isDeleted) touch(ctx, { integration: ctx.workspace.id })
  return isDeleted
}

function deleteConnection(ctx: Context, name: Name): Promise<boolean> {
  if (name === 'razorpay') return disconnectGateway(ctx)
  return name === 'photo' ? disconnectPhotoAccount(ctx) : deleteIntegrationRow(ctx, name)
}

async function disconnectPhotoAccount(ctx: Context): Promise<boolean> {
  if (!(await findAccount(ctx.tx.sql, ctx.workspace.id))) return false
  await disconnectAccount(ctx.tx, ctx.workspace.id, realTime(ctx.now, ctx.workspace), authorOf(ctx))
  return true
}

async function disconnectGateway(ctx: Context): Promise<boolean> {
  const row = await findGateway(ctx.tx.sql, ctx.workspace)
  if (row?.provider !== 'razorpay') return false
  await deleteGateway(ctx.tx, ctx.workspace.id)
  return true
}
