import type { Context, MemberActor } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { findPreferencesForUpdate, insertNoPreferences, updatePreferences } from '../queries/settings.ts'

const MAX_BYTES = 32 * 1024

const ownIdOf = ({ actor }: Context): string => (actor as MemberActor).memberId

/** Returns the caller's dashboard preferences. Only the dashboard knows their keys and values. */
export const readPreferences = async (ctx: Context): Promise<Record<string, unknown>> =>
  (await findPreferencesForUpdate(ctx, ownIdOf(ctx))) ?? {}

/** Sets the given preferences and deletes those that are null. */
export async function changePreferences(
  ctx: Context,
  patch: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  await insertNoPreferences(ctx, ownIdOf(ctx))
  const before = await readPreferences(ctx)
  const preferences = Object.fromEntries(
    Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null),
  )
  if (Buffer.byteLength(JSON.stringify(preferences)) > MAX_BYTES)
    throw invalid([{ path: 'preferences', message: `Must be at most ${MAX_BYTES / 1024} KB in all.` }])
  await updatePreferences(ctx, ownIdOf(ctx), preferences)
  return preferences
}
