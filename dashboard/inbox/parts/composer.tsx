/** The field for answers and notes. The draft is stored on every keystroke, so no text is lost. */
import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Contact, Conversation, Message } from '../../../sdk/api.ts'
import { reportTyping } from '../../api/presence.ts'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { useNow } from '../../kit/time.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { contentOf, isNothing } from '../draft-shape.ts'
import { isDirect } from '../person.ts'
import { t } from '../texts.ts'
import { useComposer } from '../use-composer.ts'
import { windowStateAt } from '../window.ts'
import { useEditors } from './compose/editors.ts'
import { ComposerTools } from './composer-tools.tsx'
import { DraftFiles } from './draft-files.tsx'
import { HeldNotice, Mentions, OtherDraft } from './later.ts'
import { QuickReplies } from './quick-replies.tsx'
import { ClosedWindow, Refused, refusalOf, WindowNotice } from './send-notices.tsx'
import { recordings } from './voice/recordings.ts'

const UnsentParts = lazyComponent(() =>
  import('./compose/unsent-parts.tsx').then((module) => module.UnsentParts),
)
const VoiceRecorder = lazyComponent(() =>
  import('./voice/voice-recorder.tsx').then((module) => module.VoiceRecorder),
)

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
  /** Sends the answer and resolves the chat. */
  onSentAndResolve: () => void
}

/** Shows the message that is being answered. */
const Quoted = ({ message, onCancel }: { message: Message; onCancel: () => void }) => (
  <div className="mx-3 mt-2 flex items-center gap-2 border-s-2 border-accent ps-2 text-sm text-ink-2">
    <span className="min-w-0 flex-1 truncate">
      {t('composer.replying')}: {message.text}
    </span>
    <IconButton icon={X} size="sm" label={t('composer.replying.cancel')} onClick={onCancel} />
  </div>
)

export function Composer(props: Props) {
  const { conversation, contact, workspace, me, field, replyTo, onReplyTo, onTemplate } = props
  const composer = useComposer(props)
  const { draft, setDraft, files, isNote, held, send, tooLong } = composer
  const { open } = windowStateAt(conversation, useNow())
  const direct = isDirect(conversation)
  const label = t(isNote ? 'composer.note.label' : 'composer.label')
  const setText = (text: string) => setDraft({ ...draft, text })

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
    if (pasted.length === 0 || isNote || direct) return
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
  const [editor, setEditor] = useEditors()
  const onOpen = useStable(setEditor)
  const onSent = useStable(() => onReplyTo(undefined))
  const focusField = () => requestAnimationFrame(() => field.current?.focus())
  const onText = useStable((text: string) => {
    setText([draft.text.trimEnd(), text].filter(Boolean).join('\n'))
    focusField()
  })
  const [isVoice, setVoice] = useState(() => recordings.has(conversation.id))
  const onVoice = useStable(() => setVoice(true))
  const wasVoice = useRef(isVoice)
  useEffect(() => {
    if (wasVoice.current && !isVoice) field.current?.focus()
    wasVoice.current = isVoice
  }, [isVoice, field])

  const onNote = () => onMode(true)
  const refusal = contact && refusalOf(contact)
  if (refusal !== undefined && !isNote) return <Refused text={refusal} onNote={onNote} />
  if (!open && !isNote) return <ClosedWindow onTemplate={direct ? undefined : onTemplate} onNote={onNote} />

  const writing = (
    <>
      <textarea
        ref={field}
        value={draft.text}
        onChange={(event) => {
          reportTyping(event.target.value !== '')
          setText(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        dir="auto"
        rows={1}
        aria-label={label}
        placeholder={t(isNote ? 'composer.note.placeholder' : 'composer.placeholder')}
        className="block field-sizing-content max-h-56 min-h-14 w-full resize-none bg-transparent px-4 pt-3 pb-1 focus-visible:-outline-offset-2 pointer-coarse:text-md"
      />
      {tooLong > 0 && (
        <p role="alert" className="px-4 text-sm text-bad">
          {t(direct && !isNote ? 'composer.tooLong.bytes' : 'composer.tooLong', { count: tooLong })}
        </p>
      )}
      <ComposerTools
        conversation={conversation}
        workspace={workspace}
        me={me}
        replyTo={replyTo}
        isNote={isNote}
        isDirect={direct}
        isEmpty={isNothing(draft) && files.uploading.length === 0}
        canSend={composer.canSend}
        isSaving={composer.isSaving}
        onMode={onMode}
        onEmoji={onEmoji}
        onFiles={onFiles}
        onTemplate={onPickTemplate}
        onSend={onSend}
        onVoice={onVoice}
        onText={onText}
        onSent={onSent}
        opened={editor}
        onOpen={onOpen}
      />
    </>
  )
  return (
    <section
      aria-label={label}
      className={classes('border-t', isNote ? 'bg-note-soft' : 'bg-surface-1')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (!isNote && !direct) void files.add([...event.dataTransfer.files])
      }}
    >
      {held && !isNote && (
        <HeldNotice
          answer={held}
          onSend={composer.sendHeld}
          onNote={composer.saveHeldAsNote}
          onKeep={() => {
            composer.keepHeld()
            field.current?.focus()
          }}
        />
      )}
      {!isNote && <WindowNotice conversation={conversation} />}
      {replyTo && !isNote && <Quoted message={replyTo} onCancel={() => onReplyTo(undefined)} />}
      {draft.other && (
        <OtherDraft
          conversationId={conversation.id}
          other={draft.other}
          onUse={() => setDraft({ ...draft.other!, other: isNothing(draft) ? undefined : contentOf(draft) })}
          onDismiss={() => setDraft({ ...draft, other: undefined })}
        />
      )}
      {!isNote && (
        <DraftFiles files={draft.files ?? []} uploading={files.uploading} onRemove={files.remove} />
      )}
      {!isNote && <QuickReplies text={draft.text} field={field} onChoose={setText} contact={contact} />}
      {isNote && <Mentions text={draft.text} field={field} onText={setText} />}
      {!isNote && !direct && (
        <UnsentParts conversationId={conversation.id} opened={editor.editor} onContinue={onOpen} />
      )}
      {isVoice && !isNote && !direct ? (
        <VoiceRecorder
          conversationId={conversation.id}
          onSend={composer.sendVoice}
          onClose={() => setVoice(false)}
        />
      ) : (
        writing
      )}
    </section>
  )
}
