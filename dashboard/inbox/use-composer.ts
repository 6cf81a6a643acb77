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
import { messageOf, uploadFile } from './parts/upload.ts'
import { isDirect, recipientOf } from './person.ts'
import { sendPart } from './send-part.ts'
import { t } from './texts.ts'
import { useSaveNote } from './use-save-note.ts'

/** The operator's maximum length of a text. */
const TEXT_MAX = 4_096
const NOTE_MAX = 5_000
/** The photo network's maximum, in bytes of UTF-8. */
const DIRECT_MAX_BYTES = 1_000

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
  const direct = isDirect(conversation)
  const tooLong =
    direct && !isNote
      ? new TextEncoder().encode(draft.text.trim()).length - DIRECT_MAX_BYTES
      : draft.text.length - (isNote ? NOTE_MAX : TEXT_MAX)
  const canSend =
    (isNote || direct ? draft.text.trim() !== '' : !isNothing(draft)) &&
    tooLong <= 0 &&
    files.uploading.length === 0 &&
    !isSaving

  const sendAnswer = (text: string) => {
    const attachments = direct ? [] : (draft.files ?? [])
    setDraft({ text: '', mode: draft.mode, files: [], other: undefined })
    const delayMs = currentPreferences().undoSeconds * 1_000
    const since = newestMessageId(conversation.id)
    const place = {
      workspace,
      conversationId: conversation.id,
      ...(direct && { isDirect: true as const }),
      delayMs,
      since,
      writer: me,
    }
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
  /** Uploads a recorded file and sends it by itself. The draft stays. */
  const sendVoice = async (file: File, since: string | undefined) => {
    const uploaded = await uploadFile(file, conversation.phoneNumberId)
    sendPart(
      { conversation, workspace, me, replyTo },
      { content: messageOf(uploaded), preview: t('bubble.audio'), restore: { files: [uploaded] }, since },
    )
    if (replyTo) onReplyTo(undefined)
  }
  return {
    draft,
    setDraft,
    sendVoice,
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
