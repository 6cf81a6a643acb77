/** The step that reads conversations with their messages and notes. */
import type { ChatwootConversation, ChatwootMessages } from '../../../../../chatwoot/port.ts'
import type { HistoryBatch, HistoryRecord, LeftOut } from '../../history-source.ts'
import { convertChat } from './convert-chat.ts'
import { withFiles } from './fetch-files.ts'
import type { MappedRecord } from './map-message.ts'
import type { StepOf, Unread } from './position.ts'
import { answered, type Reading } from './read-answer.ts'
import { taggedRecord } from './read-contacts.ts'
import { readPage, unreadableOf } from './read-page.ts'

/** Conversations that are requested at the same time. */
const READ_TOGETHER = 4
/** Most records of a batch, and how many are enough. */
const MAX_RECORDS = 500
const ENOUGH_RECORDS = 300

type Collected = { mapped: MappedRecord[]; records: HistoryRecord[]; leftOut: LeftOut[]; read: number }

/** Reads the next conversations of an inbox. */
export async function readChats(reading: Reading, position: StepOf<'chats'>): Promise<HistoryBatch> {
  const inbox = position.plan.inboxes[position.inbox]
  const collected: Collected = { mapped: [], records: [], leftOut: [], read: 0 }
  if (inbox === undefined) return { records: [], leftOut: [], read: 0, position, done: true }
  let { page, queue } = position
  if (queue.length === 0 && page !== 0) {
    const list = await readPage(page, (number) =>
      reading.tools.outside.chatwoot.listConversations(reading.account, { page: number, inboxId: inbox.id }),
    )
    page = list.next
    collected.leftOut.push(...unreadableOf('conversation', list.unreadable))
    collected.read += list.unreadable
    if (inbox.cause !== null) leaveOut(collected, list.entries, inbox.cause)
    else {
      queue = list.entries.map(({ id, uuid }) => [id, uuid ?? `${reading.account.accountId}/${id}`, 0])
      collected.records.push(...tagRecords(reading, list.entries))
    }
  }
  while (queue.length > 0 && collected.mapped.length < ENOUGH_RECORDS) {
    const together = queue.slice(0, READ_TOGETHER)
    const rest = await readTogether(reading, { position, collected, together })
    queue = [...rest.queue, ...queue.slice(READ_TOGETHER)]
    if (rest.isFull) break
  }
  const files = await withFiles(reading, collected.mapped)
  const isInboxDone = queue.length === 0 && page === 0
  return {
    records: [...collected.records, ...files.records],
    leftOut: [...collected.leftOut, ...files.leftOut],
    read: collected.read,
    position: isInboxDone
      ? { ...position, inbox: position.inbox + 1, page: null, queue: [] }
      : { ...position, page, queue },
    done: false,
  }
}

function leaveOut(collected: Collected, conversations: ChatwootConversation[], cause: string): void {
  collected.read += conversations.length
  collected.leftOut.push(
    ...conversations.map(({ id }) => ({ kind: 'conversation', place: `conversation ${id}`, cause })),
  )
}

/** Returns one record for each contact with labeled conversations. */
function tagRecords({ tools }: Reading, conversations: ChatwootConversation[]): HistoryRecord[] {
  const labeled = Map.groupBy(
    conversations.filter(({ labels }) => labels.length > 0),
    ({ contact }) => contact.id,
  )
  return [...labeled.values()].flatMap((chats) =>
    taggedRecord(tools.workspace, chats[0]!.contact, [...new Set(chats.flatMap(({ labels }) => labels))]),
  )
}

type Together = { position: StepOf<'chats'>; collected: Collected; together: Unread[] }

/** Reads the next messages of some conversations into `collected`. Returns those that are not read to their end. */
async function readTogether(
  { tools, account }: Reading,
  { position, collected, together }: Together,
): Promise<{ queue: Unread[]; isFull: boolean }> {
  const { chatwoot } = tools.outside
  const answers = await Promise.all(
    together.map(([conversationId, , afterId]) =>
      chatwoot.listMessages(account, { conversationId, afterId }),
    ),
  )
  const queue: Unread[] = []
  let isFull = false
  for (const [i, answer] of answers.entries()) {
    const chat = together[i]!
    if (isFull) {
      queue.push(chat)
      continue
    }
    const room = MAX_RECORDS - collected.mapped.length - collected.records.length
    const found: ChatwootMessages | undefined = answered(answer)
    const read = convertChat(chat, found, {
      workspace: tools.workspace,
      members: position.plan.members,
      room,
    })
    collected.mapped.push(...read.mapped)
    collected.leftOut.push(...read.leftOut)
    if (read.rest === undefined) collected.read++
    else queue.push(read.rest)
    isFull = read.isFull
  }
  return { queue, isFull }
}
