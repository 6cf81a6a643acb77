/** Settings of a workspace, changed by its admins, and the sandboxes that people create for themselves. */
import type { Context, MemberActor, Workspace } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import type { SessionContext } from '../../../../core/session.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { authorOf, recordBy } from '../../workspaces/operations/activity.ts'
import {
  createWorkspace,
  newCaptureToken,
  setWorkspace,
  type WorkspacePatch,
} from '../../workspaces/operations/workspaces.ts'
import { getAccountForUpdate, joinAccount, listMembersOfAccount } from '../queries/accounts.ts'
import { requireSignedIn } from './read-session.ts'

/** The stored settings that an admin can change. */
export type SettingsPatch = Pick<
  WorkspacePatch,
  | 'name'
  | 'countryCode'
  | 'timezone'
  | 'language'
  | 'leadCapture'
  | 'socialEnabled'
  | 'marketingCap'
  | 'coolOffDays'
  | 'followUpHours'
  | 'messageDays'
  | 'detailsHiddenFrom'
>

type Hideable = 'viewer' | 'agent'
type Stored = Awaited<ReturnType<typeof setWorkspace>>

const present = (row: Stored, siteUrl: string) => ({
  ...row,
  language: row.language as Language,
  detailsHiddenFrom: row.detailsHiddenFrom as Hideable[],
  createdAt: row.createdAt.toISOString(),
  captureUrl: `${siteUrl}/api/leads/capture/${row.captureToken}`,
})

export const readSettings = async (ctx: Context) =>
  present(await setWorkspace(ctx.tx, ctx.workspace.id, {}), ctx.siteUrl)

function record(ctx: Context, changed: string[]): Promise<void> {
  touch(ctx, { workspace: ctx.workspace.id })
  return recordBy(
    ctx.tx,
    { by: authorOf(ctx), workspaceId: ctx.workspace.id, at: ctx.now },
    'workspace.changed',
    {
      changed,
    },
  )
}

/** Only the owner decides from whom customers' numbers and addresses are hidden (DECISIONS.md). */
function requireOwnerToHide(ctx: Context, { detailsHiddenFrom }: SettingsPatch): void {
  if (detailsHiddenFrom === undefined || (ctx.actor as MemberActor).owner) return
  refuse('forbidden', 'Only the owner of the workspace can hide phone numbers and email addresses.', {
    required: 'owner',
  })
}

/** Changes the settings in `patch`. */
export async function changeSettings(ctx: Context, patch: SettingsPatch) {
  requireOwnerToHide(ctx, patch)
  const changes = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const row = await setWorkspace(ctx.tx, ctx.workspace.id, changes)
  if (Object.keys(changes).length > 0) await record(ctx, Object.keys(changes))
  return present(row, ctx.siteUrl)
}

/** Replaces the address of the capture link. Forms that send to the old address fail from now on. */
export async function renewCaptureToken(ctx: Context) {
  const row = await setWorkspace(ctx.tx, ctx.workspace.id, { captureToken: newCaptureToken() })
  await record(ctx, ['captureToken'])
  return present(row, ctx.siteUrl)
}

/**
 * Creates a sandbox that the caller owns. Refuses `conflict` for a second sandbox (spec 4.9: one sandbox per
 * person).
 */
export async function createOwnSandbox(ctx: SessionContext): Promise<Pick<Workspace, 'id' | 'name'>> {
  const { accountId } = requireSignedIn(ctx)
  return ctx.transaction(async (tx) => {
    const account = await getAccountForUpdate(tx, accountId)
    const members = await listMembersOfAccount(tx, accountId)
    const ownWorkspaces = members
      .filter(({ owner }) => owner)
      .map(({ workspaceId }) => ctx.workspace(workspaceId))
    const sandbox = (await Promise.all(ownWorkspaces)).find((workspace) => workspace?.sandbox)
    if (sandbox) refuse('conflict', `You already have a sandbox: "${sandbox.name}".`)
    const created = await createWorkspace(
      tx,
      {
        name: 'Sandbox',
        sandbox: true,
        ownerName: account.name,
        ...(account.email === null ? {} : { ownerEmail: account.email }),
      },
      ctx.now,
      ctx.sealer,
    )
    await joinAccount(tx, created.ownerId, accountId)
    return { id: created.workspaceId, name: created.name }
  })
}
