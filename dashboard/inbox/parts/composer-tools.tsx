/**
 * Shows the tools under the text field of the composer. A keystroke does not draw them again, which would
 * slow typing on slow phones.
 */
import { FileUp, IndianRupee, LayoutTemplate, Plus, SendHorizontal, Smile, StickyNote } from 'lucide-react'
import { lazy, memo, Suspense, useRef, useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { untilLoaded } from '../../kit/lazy.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Popover } from '../../kit/popover.tsx'
import { t } from '../texts.ts'
import { EMOJI } from './emoji.ts'

const RequestPayment = lazy(() => untilLoaded(() => import('../../payments/parts/request-payment.tsx')))

type Props = {
  conversationId: string
  workspace: string
  isNote: boolean
  canSend: boolean
  isSaving: boolean
  onMode: (isNote: boolean) => void
  onEmoji: (emoji: string) => void
  onFiles: (files: readonly File[]) => void
  onTemplate: () => void
  onSend: () => void
}

/** The functions in its props must stay identical from keystroke to keystroke. */
export const ComposerTools = memo(function ComposerTools(props: Props) {
  const { conversationId, workspace, isNote, canSend, isSaving } = props
  const { onMode, onEmoji, onFiles, onTemplate, onSend } = props
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="@container">
      <div className="flex flex-wrap items-center justify-end gap-0.5 p-2">
        <ModeSwitch isNote={isNote} onChange={onMode} />
        <span className="flex-1" />
        {!isNote && (
          <>
            <MoreToSend conversationId={conversationId} workspace={workspace} />
            <EmojiButton onChoose={onEmoji} />
            <IconButton icon={FileUp} label={t('composer.attach')} onClick={() => picker.current?.click()} />
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                onFiles([...(event.target.files ?? [])])
                event.target.value = ''
              }}
            />
            <IconButton icon={LayoutTemplate} label={t('composer.template')} onClick={onTemplate} />
          </>
        )}
        <Button
          variant="primary"
          icon={isNote ? StickyNote : SendHorizontal}
          busy={isSaving}
          disabled={!canSend}
          onClick={onSend}
        >
          {/* A narrow chat shows only the icon. */}
          <span className="@max-[25rem]:sr-only">{t(isNote ? 'composer.send.note' : 'composer.send')}</span>
        </Button>
      </div>
    </div>
  )
})

function ModeSwitch({ isNote, onChange }: { isNote: boolean; onChange: (isNote: boolean) => void }) {
  return (
    <fieldset aria-label={t('composer.mode')} className="flex gap-0.5">
      {[false, true].map((note) => (
        <Button
          key={String(note)}
          size="sm"
          variant="ghost"
          aria-pressed={note === isNote}
          className={classes(
            note === isNote && 'not-forced-colors:bg-surface-4! not-forced-colors:text-ink-1!',
          )}
          onClick={() => onChange(note)}
        >
          {t(note ? 'composer.mode.note' : 'composer.mode.reply')}
        </Button>
      ))}
    </fieldset>
  )
}

/** Shows the other things to send, besides text and files. */
function MoreToSend({ conversationId, workspace }: { conversationId: string; workspace: string }) {
  const [asking, setAsking] = useState<boolean>()
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton icon={Plus} label={t('composer.more')} />}
        entries={[{ label: t('composer.payment'), icon: IndianRupee, onSelect: () => setAsking(true) }]}
      />
      {asking !== undefined && (
        <Suspense>
          <RequestPayment
            conversationId={conversationId}
            workspace={workspace}
            open={asking}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function EmojiButton({ onChoose }: { onChoose: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      title={t('emoji.title')}
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      trigger={<IconButton icon={Smile} label={t('composer.emoji')} />}
    >
      <div className="grid grid-cols-8">
        {EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            className="flex size-8 items-center justify-center rounded-md text-md hover:bg-surface-3"
            onClick={() => {
              onChoose(emoji)
              setOpen(false)
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
    </Popover>
  )
}
