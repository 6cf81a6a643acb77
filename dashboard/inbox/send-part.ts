/** Sends a message that is built outside the composer's text field. */
import type { Conversation, Message } from '../../sdk/api.ts'
import { type Restorable, type SendBody, sendMessage } from '../api/outbox.ts'
import { currentPreferences } from '../shell/preferences.ts'
import { answerSince, newestMessageId } from './held-answer.ts'
import { recipientOf } from './person.ts'

export type Sender = {
  conversation: Conversation
  workspace: string
  /** The member who sends it. */
  me: string
  replyTo?: Message | undefined
}

type Outgoing = {
  /** The type and payload of `POST /send`. */
  content: object
  preview: string
  restore: Restorable
  /** The newest message when the member began to write. */
  since: string | undefined
}

/** Sends a message. If a teammate answered since its writer began, it waits for the writer's decision. */
export function sendPart(
  { conversation, workspace, me, replyTo }: Sender,
  { content, preview, restore, since }: Outgoing,
) {
  const quoting = replyTo?.chanmid ? { replyTo: replyTo.chanmid } : {}
  sendMessage({
    workspace,
    conversationId: conversation.id,
    writer: me,
    since: newestMessageId(conversation.id),
    delayMs: currentPreferences().undoSeconds * 1_000,
    answer: answerSince(conversation.id, since, me),
    body: { ...recipientOf(conversation), ...content, ...quoting } as SendBody,
    preview,
    restore,
  })
}
