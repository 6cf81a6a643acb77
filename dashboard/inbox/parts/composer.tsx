/** Where answers and notes are written. Nothing that was typed is lost: the draft is kept at every letter. */
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { LayoutTemplate, Lock, StickyNote, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import type { Contact, Conversation, Message } from '../../../sdk/api.ts'
import { type Attempt, newAttempt } from '../../api/attempt.ts'
import { queryClient } from '../../api/cache.ts'
import { isPassing } from '../../api/errors.ts'
import { type SendBody, sendMessage, type TeammateAnswer } from '../../api/outbox.ts'
import { noteTyping } from '../../api/presence.ts'
import { call } from '../../api/request.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { classes } from '../../kit/classes.ts'
import { useNow } from '../../kit/time.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { currentPreferences } from '../../shell/preferences.ts'
import { draftOf, setDraft as keepDraft, useDraft } from '../draft.ts'
import { isNothing, writtenOf } from '../draft-shape.ts'
import { answerSince, newestMessageId } from '../held-answer.ts'
import { notesQuery, quickRepliesQuery, teamQuery } from '../queries.ts'
import { timeLeft, windowAt } from '../window.ts'
import { t } from '../words.ts'
import { ComposerTools } from './composer-tools.tsx'
import { DraftFiles, useDraftFiles } from './draft-files.tsx'
import { HeldNotice } from './held-notice.tsx'
import { Mentions, mentionsIn } from './mentions.tsx'
import { OtherDraft } from './other-draft.tsx'
import { SavedReplies, type SavedReply } from './saved-replies.tsx'
import { payloadOf } from './upload.ts'

/** The longest text that the operator takes. */
const TEXT_MAX = 4_096
const NOTE_MAX = 5_000
const NOTE_RETRIES = 4

/** Where a message of a chat goes. */
export function recipientOf({ contact, phoneNumberId }: Conversation) {
  return { ...(contact.phone ? { to: contact.phone } : { recipient: contact.userId ?? '' }), phoneNumberId }
}

type Props = {
  conversation: Conversation
  contact: Contact | undefined
  workspace: string
  /** The member who writes. */
  me: string
  field: RefObject<HTMLTextAreaElement | null>
  replyTo: Message | undefined
  onReplyTo: (message: Message | undefined) => void
  onTemplate: () => void
  /** Sends and resolves. */
  onSentAndResolve: () => void
}

/** How long the window is still open, when that is worth a word. */
function WindowNotice({ conversation }: { conversation: Conversation }) {
  const now = useNow()
  const { open, leftMs, tone } = windowAt(conversation, now)
  if (!open || tone === 'quiet') return null
  return (
    <p
      className={classes('px-3 pt-2 text-xs', tone === 'pressing' ? 'text-warn' : 'text-ink-3')}
      role="status"
    >
      {t('window.closes', { time: timeLeft(leftMs) })}
    </p>
  )
}

/** What stands in the composer's place when nothing can be sent but a template. */
function ClosedWindow({ onTemplate, onNote }: { onTemplate: () => void; onNote: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t bg-warn-soft px-4 py-3">
      <Lock aria-hidden size={18} className="shrink-0 text-warn" />
      <div className="min-w-48 flex-1">
        <p className="font-medium">{t('window.closed')}</p>
        <p className="text-sm text-ink-1">{t('window.closed.text')}</p>
      </div>
      <Button icon={StickyNote} onClick={onNote}>
        {t('action.note')}
      </Button>
      <Button variant="primary" icon={LayoutTemplate} onClick={onTemplate}>
        {t('template.choose')}
      </Button>
    </div>
  )
}

/** Of each chat the note that is on its way. */
const noteAttempts = new Map<string, Attempt>()
function noteAttemptOf(conversationId: string): Attempt {
  const attempt = noteAttempts.get(conversationId) ?? newAttempt()
  noteAttempts.set(conversationId, attempt)
  return attempt
}

/** Saves a note. It stands in the composer until it is saved, wherever its writer goes meanwhile, and is saved once. */
function useSaveNote(conversationId: string) {
  const mutationKey = ['note', 'save', conversationId]
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (text: string) => {
      const mentions = mentionsIn(text, queryClient.getQueryData(teamQuery.queryKey) ?? [])
      const body = { body: text, ...(mentions.length > 0 && { mentions }) }
      return noteAttemptOf(conversationId)(body, (idempotencyKey) =>
        call('POST /conversations/:id/notes', { params: { id: conversationId }, body, idempotencyKey }),
      )
    },
    retry: (count, error) => isPassing(error) && count < NOTE_RETRIES,
    onSuccess: (_, text) => {
      const draft = draftOf(conversationId)
      const written = draft.text.trimStart()
      // What was written behind it since stays.
      if (written.startsWith(text))
        keepDraft(conversationId, {
          ...draft,
          text: written.slice(text.length).trimStart(),
          other: undefined,
        })
      return queryClient.invalidateQueries({ queryKey: notesQuery(conversationId).queryKey })
    },
    onError: notifyError,
  })
  return { save: mutate, isSaving: useIsMutating({ mutationKey }) > 0 }
}

export function Composer(props: Props) {
  const { conversation, contact, workspace, me, field, replyTo, onReplyTo, onTemplate, onSentAndResolve } =
    props
  const [draft, setDraft] = useDraft(conversation.id)
  const now = useNow()
  const { open } = windowAt(conversation, now)
  const { save: saveNote, isSaving } = useSaveNote(conversation.id)
  const files = useDraftFiles(conversation)
  const isNote = draft.mode === 'note'
  const tooLong = draft.text.length - (isNote ? NOTE_MAX : TEXT_MAX)
  const [held, setHeld] = useState<TeammateAnswer & { resolves: boolean }>()
  const canSend =
    (isNote ? draft.text.trim() !== '' : !isNothing(draft)) &&
    tooLong <= 0 &&
    files.uploading.length === 0 &&
    !isSaving
  const setText = (text: string) => setDraft({ ...draft, text })

  const submit = ({ asNote = isNote } = {}) => {
    const text = draft.text.trim()
    const attached = draft.files ?? []
    setHeld(undefined)
    noteTyping(false)
    // A note takes no files: they stay for the answer.
    if (asNote) return saveNote(text)
    setDraft({ text: '', mode: draft.mode, files: [], other: undefined })
    const delayMs = currentPreferences().undoSeconds * 1_000
    const since = newestMessageId(conversation.id)
    const place = { workspace, conversationId: conversation.id, delayMs, since, writer: me }
    const to = recipientOf(conversation)
    const quoting = replyTo?.chanmid ? { replyTo: replyTo.chanmid } : {}
    // Each file is a message of its own, in front of the words.
    for (const file of attached) {
      const payload = payloadOf(file)
      sendMessage({
        ...place,
        body: { ...to, type: payload.type, payload, ...quoting } as SendBody,
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
  const send = ({ resolves = false } = {}) => {
    if (!canSend) return
    // A teammate's answer that came meanwhile holds this one: its writer decides.
    const answer = isNote ? undefined : answerSince(conversation.id, draft.since, me)
    if (answer) return setHeld({ ...answer, resolves })
    submit()
    if (resolves) onSentAndResolve()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter' || event.defaultPrevented) return
    const withMod = event.metaKey || event.ctrlKey
    if (event.shiftKey && !withMod) return
    event.preventDefault()
    send({ resolves: event.shiftKey && withMod })
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0 || isNote) return
    event.preventDefault()
    void files.add(pasted)
  }
  const onMode = useStable((note: boolean) => setDraft({ ...draft, mode: note ? 'note' : 'reply' }))
  const onEmoji = useStable((emoji: string) => {
    setText(draft.text + emoji)
    field.current?.focus()
  })
  const onFiles = useStable((chosen: readonly File[]) => void files.add(chosen))
  const onPickTemplate = useStable(onTemplate)
  const onSend = useStable(() => send())

  const onNote = () => setDraft({ ...draft, mode: 'note' })
  const refusal = contact && refusalOf(contact)
  if (refusal !== undefined && !isNote) return <Refused text={refusal} onNote={onNote} />
  if (!open && !isNote) return <ClosedWindow onTemplate={onTemplate} onNote={onNote} />

  return (
    <section
      aria-label={t(isNote ? 'composer.note.label' : 'composer.label')}
      className={classes('border-t', isNote ? 'bg-note-soft' : 'bg-surface-1')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (!isNote) void files.add([...event.dataTransfer.files])
      }}
    >
      {held && !isNote && (
        <HeldNotice
          answer={held}
          onSend={() => {
            submit()
            if (held.resolves) onSentAndResolve()
          }}
          onNote={() => submit({ asNote: true })}
          onKeep={() => {
            // Whoever goes on writing has seen that answer.
            setDraft({ ...draft, since: held.id })
            setHeld(undefined)
            field.current?.focus()
          }}
        />
      )}
      {!isNote && <WindowNotice conversation={conversation} />}
      {replyTo && !isNote && (
        <div className="mx-3 mt-2 flex items-center gap-2 border-s-2 border-accent ps-2 text-sm text-ink-2">
          <span className="min-w-0 flex-1 truncate">
            {t('composer.replying')}: {replyTo.text}
          </span>
          <IconButton
            icon={X}
            size="sm"
            label={t('composer.replying.cancel')}
            onClick={() => onReplyTo(undefined)}
          />
        </div>
      )}
      {draft.other && (
        <OtherDraft
          conversationId={conversation.id}
          other={draft.other}
          onUse={() => setDraft({ ...draft.other!, other: isNothing(draft) ? undefined : writtenOf(draft) })}
          onDismiss={() => setDraft({ ...draft, other: undefined })}
        />
      )}
      {!isNote && (
        <DraftFiles files={draft.files ?? []} uploading={files.uploading} onRemove={files.remove} />
      )}
      {!isNote && <QuickReplies text={draft.text} field={field} onChoose={setText} contact={contact} />}
      {isNote && <Mentions text={draft.text} field={field} onText={setText} />}
      <textarea
        ref={field}
        value={draft.text}
        onChange={(event) => {
          noteTyping(event.target.value !== '')
          setText(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        dir="auto"
        rows={1}
        aria-label={t(isNote ? 'composer.note.label' : 'composer.label')}
        placeholder={t(isNote ? 'composer.note.placeholder' : 'composer.placeholder')}
        className="block field-sizing-content max-h-56 min-h-14 w-full resize-none bg-transparent px-4 pt-3 pb-1 focus-visible:-outline-offset-2 pointer-coarse:text-md"
      />
      {tooLong > 0 && (
        <p role="alert" className="px-4 text-sm text-bad">
          {t('composer.tooLong', { count: tooLong })}
        </p>
      )}
      <ComposerTools
        conversationId={conversation.id}
        workspace={workspace}
        isNote={isNote}
        canSend={canSend}
        isSaving={isSaving}
        onMode={onMode}
        onEmoji={onEmoji}
        onFiles={onFiles}
        onTemplate={onPickTemplate}
        onSend={onSend}
      />
    </section>
  )
}

/** Why nothing can be sent to a customer, whether or not their window is open. */
function refusalOf({ blocked, optInStatus }: Contact): string | undefined {
  if (blocked) return t('composer.blocked')
  return optInStatus === 'opted_out' ? t('composer.optedOut') : undefined
}

/** What stands in the composer's place when nothing at all can be sent; notes are never sent. */
const Refused = ({ text, onNote }: { text: string; onNote: () => void }) => (
  <div className="border-t p-3">
    <Callout
      kind="warn"
      action={
        <Button icon={StickyNote} onClick={onNote}>
          {t('action.note')}
        </Button>
      }
    >
      {text}
    </Callout>
  </div>
)

type QuickProps = {
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  contact: Contact | undefined
  onChoose: (text: string) => void
}

/** Saved replies that fit what was typed behind a slash. */
function QuickReplies({ text, field, contact, onChoose }: QuickProps) {
  const isAsking = text.startsWith('/') && !/\s/.test(text)
  const { data = [] } = useQuery({ ...quickRepliesQuery, enabled: isAsking })
  if (!isAsking) return null
  const typed = text.slice(1).toLowerCase()
  const fitting = data.filter(
    (reply) => reply.shortcut.toLowerCase().startsWith(typed) || reply.text.toLowerCase().includes(typed),
  )
  const choose = (reply: SavedReply) => {
    onChoose(
      reply.text
        .replaceAll('{{name}}', contact?.displayName ?? '')
        .replaceAll('{{phone}}', contact?.phone ?? ''),
    )
    field.current?.focus()
  }
  return <SavedReplies replies={fitting} field={field} onChoose={choose} />
}
