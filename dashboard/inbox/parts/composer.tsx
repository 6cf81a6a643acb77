/** The field for answers and notes. The draft is stored on every keystroke, so no text is lost. */
import { X } from 'lucide-react'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import type { Contact, Conversation, Message } from '../../../sdk/api.ts'
import { reportTyping } from '../../api/presence.ts'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { useNow } from '../../kit/time.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { contentOf, isNothing } from '../draft-shape.ts'
import { t } from '../texts.ts'
import { useComposer } from '../use-composer.ts'
import { windowStateAt } from '../window.ts'
import { ComposerTools } from './composer-tools.tsx'
import { DraftFiles } from './draft-files.tsx'
import { HeldNotice } from './held-notice.tsx'
import { Mentions } from './mentions.tsx'
import { OtherDraft } from './other-draft.tsx'
import { QuickReplies } from './quick-replies.tsx'
import { ClosedWindow, Refused, refusalOf, WindowNotice } from './send-notices.tsx'

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
  const { conversation, contact, workspace, field, replyTo, onReplyTo, onTemplate } = props
  const composer = useComposer(props)
  const { draft, setDraft, files, isNote, held, send, tooLong } = composer
  const { open } = windowStateAt(conversation, useNow())
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

  const onNote = () => onMode(true)
  const refusal = contact && refusalOf(contact)
  if (refusal !== undefined && !isNote) return <Refused text={refusal} onNote={onNote} />
  if (!open && !isNote) return <ClosedWindow onTemplate={onTemplate} onNote={onNote} />

  return (
    <section
      aria-label={label}
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
          {t('composer.tooLong', { count: tooLong })}
        </p>
      )}
      <ComposerTools
        conversationId={conversation.id}
        workspace={workspace}
        isNote={isNote}
        canSend={composer.canSend}
        isSaving={composer.isSaving}
        onMode={onMode}
        onEmoji={onEmoji}
        onFiles={onFiles}
        onTemplate={onPickTemplate}
        onSend={onSend}
      />
    </section>
  )
}
