import type { KeyActor, MemberActor, Workspace } from '../../core/context.ts'

/** An authenticated caller. */
export type Caller = {
  actor: KeyActor | MemberActor
  workspace: Workspace
  severalKeys: boolean
  allowIps: string[] | null
}

/** Returns the ID of the caller, to which idempotency keys and log lines belong. */
export const callerIdOf = ({ actor }: Pick<Caller, 'actor'>): string =>
  actor.kind === 'key' ? actor.keyId : actor.memberId
