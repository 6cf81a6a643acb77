/** Switches whether a member gets chats of their teams in turn. */
import { type Context, roleReaches } from '../../../../core/context.ts'
import { refuse, refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { shareChats } from '../jobs.ts'
import * as queries from '../queries/teams.ts'
import type { Availability } from '../team-schema.ts'

const callerOf = ({ actor }: Context): string | null => (actor.kind === 'platform' ? null : actor.memberId)

/**
 * Returns the member whose availability changes. Refuses `conflict` for a key that belongs to no member,
 * and `forbidden` for another member without the role of an admin.
 */
async function memberToSwitch(ctx: Context, memberId: string | undefined): Promise<string> {
  const own = callerOf(ctx)
  const id = memberId?.toLowerCase() ?? own
  if (id === null)
    return refuse('conflict', "This key doesn't belong to a member. Send the id of a member as memberId.")
  if (id === own) return id
  if (ctx.actor.kind !== 'platform' && !roleReaches(ctx.actor.role, 'admin'))
    return refuse('forbidden', 'Only an admin can change the availability of another member.', {
      required: 'admin',
    })
  const member = await findMember(ctx, id)
  return member && !member.leftAt ? id : refuseReference('memberId', 'Member not found. See GET /team.')
}

/** Makes a member available or away. An available member gets waiting chats of their teams. */
export async function setAvailability(ctx: Context, { available, memberId }: Availability) {
  const id = await memberToSwitch(ctx, memberId)
  const changed = available ? await queries.deleteAway(ctx, id) : await queries.insertAway(ctx, id)
  if (changed > 0) {
    touch(ctx, { member: id, team: await queries.listTeamIdsOf(ctx, id) })
    if (available) await enqueue(ctx, shareChats, {})
  }
  return { memberId: id, available }
}

/** Returns whether the member who asks is available; null for a key that belongs to no member. */
export async function readAvailability(ctx: Context) {
  const memberId = callerOf(ctx)
  return { memberId, available: memberId === null ? null : !(await queries.isAway(ctx, memberId)) }
}
