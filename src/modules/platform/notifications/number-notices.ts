/** Notices to owners and admins about a number that cannot send, with the next step (DECISIONS.md). */
import type { Context } from '../../../core/context.ts'
import { lockInWorkspace } from '../../../database/sql/workspace-lock.ts'
import { listPhoneNumbers } from '../workspaces/operations/phone-numbers.ts'
import { listTeams } from '../workspaces/operations/workspace-members.ts'
import { notifyMembers } from './operations.ts'

type ShownNumber = Awaited<ReturnType<typeof listPhoneNumbers>>[number]

const NEXT = {
  disconnected: 'Enter a new token in Settings → Numbers. Parley then sends the waiting messages.',
  number_banned: "Check the number in the operator's business manager and ask for a review there.",
  sending_blocked:
    "Check the account in the operator's business manager. Parley checks again every five minutes.",
}
const RESTRICTED = {
  business_initiated: "It can answer customers who wrote within 24 hours, but can't start chats",
  customer_initiated: "It can start chats with templates, but can't answer customers",
}

/** Returns why the number cannot send, and the next step; undefined if it can. */
function numberStateOf({ state, stateReason, restrictions }: ShownNumber): string | undefined {
  if (state !== 'active') return [NEXT[state as keyof typeof NEXT], stateReason].filter(Boolean).join(' ')
  const [restriction] = restrictions
  if (!restriction) return undefined
  const end = restriction.until
    ? `until ${restriction.until.slice(0, 'YYYY-MM-DD'.length)}`
    : 'until the operator lifts it'
  return `${RESTRICTED[restriction.messages]}, ${end}. See the reason in the operator's business manager.`
}

/** Notifies owners and admins, unless the number was removed or works again. */
export async function notifyOfNumber(ctx: Context, phoneNumberId: string): Promise<void> {
  // Several facts about a number may create several jobs at the same time: the later job sees the
  // notification of the first.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `notice of number ${phoneNumberId}`)
  const number = (await listPhoneNumbers(ctx)).find(({ id }) => id === phoneNumberId)
  const body = number && numberStateOf(number)
  if (!number || body === undefined) return
  const team = await listTeams(ctx.tx, [ctx.workspace.id])
  await notifyMembers(
    ctx,
    team
      .filter(({ owner, role }) => owner || role === 'admin')
      .map(({ id }) => ({
        kind: 'number_failing' as const,
        memberId: id,
        title: number.displayName || number.number,
        body,
        subjectId: number.id,
      })),
  )
}
