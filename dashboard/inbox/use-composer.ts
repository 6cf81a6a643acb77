/** Handles a chat's draft: sends it as an answer in one or more messages, or saves it as a note. */
import { useState } from 'react'
import type { Conversation, Message } from '../../sdk/api.ts'
import { type SendBody, sendMessage, type TeammateAnswer } from '../api/outbox.ts'
import { reportTyping } from '../api/presence.ts'
import { currentPreferences } from '../shell/preferences.ts'
import { useDraft } from './draft.ts'
import { isNothing } from './draft-shape.ts'
import { answerSince, newestMessageId } from './held-answer.ts'
import { useDraftFiles } from './parts/draft-files.tsx'
import { messageOf } from './parts/upload.ts'
import { recipientOf } from './person.ts'
import { useSaveNote } from './use-save-note.ts'

/** The operator's maximum length of a text. */
const TEXT_MAX = 4_096
const NOTE_MAX = 5_000

type Options = {
  conversation: Conversation
  workspace: string
  /** The member who writes. */
  me: string
  replyTo: Message | undefined
  onReplyTo: (message: Message | undefined) => void
  onSentAndResolve: () => void
}

export function useComposer({ conversation, workspace, me, replyTo, onReplyTo, onSentAndResolve }: Options) {
  const [draft, setDraft] = useDraft(conversation.id)
  const { save: saveNote, isSaving } = useSaveNote(conversation.id)
  const files = useDraftFiles(conversation)
  const [heldAnswer, setHeldAnswer] = useState<TeammateAnswer & { resolves: boolean }>()
  const isNote = draft.mode === 'note'
  const tooLong = draft.text.length - (isNote ? NOTE_MAX : TEXT_MAX)
  const canSend =
    (isNote ? draft.text.trim() !== '' : !isNothing(draft)) &&
    tooLong <= 0 &&
    files.uploading.length === 0 &&
    !isSaving

  const sendAnswer = (text: string) => {
    const attachments = draft.files ?? []
    setDraft({ text: '', mode: draft.mode, files: [], other: undefined })
    const delayMs = currentPreferences().undoSeconds * 1_000
    const since = newestMessageId(conversation.id)
    const place = { workspace, conversationId: conversation.id, delayMs, since, writer: me }
    const to = recipientOf(conversation)
    const quoting = replyTo?.chanmid ? { replyTo: replyTo.chanmid } : {}
    // Each file is its own message, before the text.
    for (const file of attachments) {
      sendMessage({
        ...place,
        body: { ...to, ...messageOf(file), ...quoting } as SendBody,
        preview: file.filename,
        restore: { files: [file] },
      })
    }
    if (text !== '')
      sendMessage({
        ...place,
        body: { ...to, type: 'text', text, ...quoting },
        preview: text,
        restore: { text },
      })
    if (replyTo) onReplyTo(undefined)
  }
  const submit = ({ asNote = isNote } = {}) => {
    const text = draft.text.trim()
    setHeldAnswer(undefined)
    reportTyping(false)
    // A note has no files: they stay in the draft for the answer.
    if (asNote) saveNote(text)
    else sendAnswer(text)
  }
  const send = ({ resolves = false } = {}) => {
    if (!canSend) return
    // If a teammate answered meanwhile, this answer waits for its writer's decision.
    const answer = isNote ? undefined : answerSince(conversation.id, draft.since, me)
    if (answer) return setHeldAnswer({ ...answer, resolves })
    submit()
    if (resolves) onSentAndResolve()
  }
  return {
    draft,
    setDraft,
    files,
    isNote,
    isSaving,
    tooLong,
    canSend,
    send,
    held: heldAnswer,
    sendHeld: () => {
      submit()
      if (heldAnswer?.resolves) onSentAndResolve()
    },
    saveHeldAsNote: () => submit({ asNote: true }),
    keepHeld: () => {
      // A writer who continues has seen that answer.
      setDraft({ ...draft, since: heldAnswer?.id })
      setHeldAnswer(undefined)
    },
  }
}
