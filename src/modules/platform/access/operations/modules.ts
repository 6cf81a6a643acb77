/** The modules of a workspace, turned on and off by its owner (DECISIONS.md "Plan and modules"). */
import type { Context, MemberActor } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { setWorkspace } from '../../workspaces/operations/workspaces.ts'
import { MODULES, type Module } from '../../workspaces/schema.ts'

type Switches = Record<Module | 'social', boolean>
export type SwitchPatch = { [Name in keyof Switches]?: boolean | undefined }
type Stored = { modules: string[]; socialAddon: boolean; socialEnabled: boolean }

const switchesOf = ({ modules, socialAddon, socialEnabled }: Stored): Switches => ({
  ...(Object.fromEntries(MODULES.map((name) => [name, modules.includes(name)])) as Record<Module, boolean>),
  social: socialAddon && socialEnabled,
})

const present = (ctx: Context, stored: Stored) => ({
  modules: switchesOf(stored),
  changeable: ctx.ownersChangeModules,
})

/** Returns which modules are on, and whether the owner can change them in this installation. */
export const readModules = async (ctx: Context) =>
  present(ctx, await setWorkspace(ctx.tx, ctx.workspace.id, {}))

function requireOwner(ctx: Context): void {
  if (!(ctx.actor as MemberActor).owner)
    refuse('forbidden', 'Only the owner of the workspace can turn modules on and off.', { required: 'owner' })
  if (!ctx.ownersChangeModules)
    refuse(
      'forbidden',
      `In this installation, only its administrator turns modules on and off: parley workspace set --workspace ${ctx.workspace.id} --modules …`,
    )
}

/** Turns modules on and off. Their data stays. A switch that is already set changes nothing. */
export async function changeModules(ctx: Context, patch: SwitchPatch) {
  requireOwner(ctx)
  // Locked so that two concurrent changes are both kept.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, 'modules')
  const stored = await setWorkspace(ctx.tx, ctx.workspace.id, {})
  const before = switchesOf(stored)
  const changed = (Object.keys(before) as (keyof Switches)[]).filter(
    (name) => patch[name] !== undefined && patch[name] !== before[name],
  )
  if (changed.length === 0) return present(ctx, stored)
  const isOn = (name: keyof Switches): boolean => patch[name] ?? before[name]
  const others = stored.modules.filter((name) => !MODULES.some((module) => module === name))
  const social = isOn('social') ? { socialAddon: true, socialEnabled: true } : { socialAddon: false }
  const after = await setWorkspace(ctx.tx, ctx.workspace.id, {
    modules: [...others, ...MODULES.filter(isOn)],
    ...(changed.includes('social') ? social : {}),
  })
  await recordActivity(ctx, 'modules.changed', {
    on: changed.filter(isOn),
    off: changed.filter((name) => !isOn(name)),
  })
  touch(ctx, { workspace: ctx.workspace.id })
  return present(ctx, after)
}
