/** The first step: checks the settings, plans the import, and reads the short lists. */
import type { ChatwootInbox } from '../../../../../chatwoot/port.ts'
import { readNumbers } from '../../../../platform/workspaces/operations/read-numbers.ts'
import { listMembers } from '../../../../platform/workspaces/operations/workspace-members.ts'
import type { HistoryBatch, LeftOut } from '../../history-source.ts'
import type { Plan, Position } from './position.ts'
import { answered, type Reading } from './read-answer.ts'

/** Channels whose customers have phone numbers. */
const PHONE_CHANNELS = new Set(['Channel::Whatsapp', 'Channel::TwilioSms', 'Channel::Sms', 'Channel::Api'])

type Numbers = { id: string; number: string }[]

export async function startReading({ tools, account, phoneNumberId }: Reading): Promise<HistoryBatch> {
  const { chatwoot } = tools.outside
  answered(await chatwoot.describe(account))
  const inboxes = answered(await chatwoot.listInboxes(account)) ?? []
  const agents = answered(await chatwoot.listAgents(account)) ?? []
  const replies = answered(await chatwoot.listCannedResponses(account)) ?? []
  const labels = answered(await chatwoot.listLabels(account)) ?? []
  let total = answered(await chatwoot.listContacts(account, { page: 1 }))?.total ?? 0
  for (const { id } of inboxes)
    total += answered(await chatwoot.listConversations(account, { page: 1, inboxId: id }))?.total ?? 0
  const { idByEmail, numbers } = await tools.transaction(async (ctx) => {
    const members = (await listMembers(ctx.tx, ctx.workspace.id)).filter(({ leftAt }) => leftAt === null)
    return {
      idByEmail: new Map(members.map(({ id, email }) => [email.toLowerCase(), id])),
      numbers: (await readNumbers(ctx, [ctx.workspace.id])).get(ctx.workspace.id) ?? [],
    }
  })
  const matches = agents.map(({ id, email }) => ({ id, memberId: idByEmail.get(email ?? '') }))
  const plan: Plan = {
    members: Object.fromEntries(
      matches.flatMap(({ id, memberId }) => (memberId === undefined ? [] : [[String(id), memberId]])),
    ),
    labels,
    inboxes: inboxes.map((inbox) => ({ id: inbox.id, cause: causeOf(inbox, numbers, phoneNumberId) })),
  }
  const position: Position = { step: 'contacts', plan, page: null }
  return {
    position,
    done: false,
    total,
    read: 0,
    records: replies.map(({ id, shortCode, content }) => ({
      kind: 'quick_reply',
      place: `canned response ${id}`,
      shortcut: shortCode,
      text: content,
    })),
    leftOut: matches.flatMap(({ id, memberId }): LeftOut[] =>
      memberId === undefined ? [{ kind: 'agent', place: `agent ${id}`, cause: 'no_member' }] : [],
    ),
  }
}

const digitsIn = (text: string): string => text.replaceAll(/\D/g, '')

/**
 * Returns why an inbox is left out: its channel has no phone numbers, or it is another number of ours, which has an import of its
 * own. Null: it is read.
 */
export function causeOf({ channel, phone }: ChatwootInbox, numbers: Numbers, ownId: string): string | null {
  if (!PHONE_CHANNELS.has(channel)) return 'other_channel'
  const same = phone === null ? undefined : numbers.find(({ number }) => digitsIn(number) === digitsIn(phone))
  return same === undefined || same.id === ownId ? null : 'other_number'
}
