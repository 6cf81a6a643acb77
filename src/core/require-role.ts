import { type Actor, type Role, roleReaches } from './context.ts'
import { refuse } from './errors.ts'

/**
 * Refuses `forbidden` for callers below `role`, where the rule depends on the request's body. The platform may do everything.
 */
export function requireRole({ actor }: { actor: Actor }, role: Role, subject: string): void {
  if (actor.kind === 'platform' || roleReaches(actor.role, role)) return
  refuse(
    'forbidden',
    `${subject} requires the role ${role}, and yours is ${actor.role}. Use a key with that role.`,
    {
      required: role,
    },
  )
}
