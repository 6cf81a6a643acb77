/**
 * Shows the tools under the text field of the composer. A keystroke does not draw them again, which would
 * slow typing on slow phones.
 */
import { Mic, Plus, SendHorizontal, Smile, StickyNote } from 'lucide-react'
import { memo, useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Popover } from '../../kit/popover.tsx'
import { t } from '../texts.ts'
import type { MoreToSendProps } from './compose/more-to-send.tsx'
import { canRecord } from './voice/recordings.ts'

const MoreToSend = lazyComponent(() =>
  import('./compose/more-to-send.tsx').then((module) => module.MoreToSend),
)

const EmojiGrid = lazyComponent(() => import('./emoji-grid.tsx').then((module) => module.EmojiGrid))

type Props = MoreToSendProps & {
  isNote: boolean
  /** A direct chat of the photo network: it takes only text. */
  isDirect: boolean
  /** The draft has no text and no files. */
  isEmpty: boolean
  canSend: boolean
  isSaving: boolean
  onMode: (isNote: boolean) => void
  onEmoji: (emoji: string) => void
  onVoice: () => void
  onSend: () => void
}

/** The functions in its props must stay identical from keystroke to keystroke. */
export const ComposerTools = memo(function ComposerTools(props: Props) {
  const { isNote, isDirect, isEmpty, canSend, isSaving, onMode, onEmoji, onVoice, onSend, ...more } = props
  return (
    <div className="@container">
      <div className="flex flex-wrap items-center justify-end gap-0.5 p-2">
        {!isNote && (
          <>
            {!isDirect && (
              <MoreToSend {...more} around={<IconButton icon={Plus} label={t('composer.more')} disabled />} />
            )}
            <EmojiButton onChoose={onEmoji} />
          </>
        )}
        <ModeSwitch isNote={isNote} onChange={onMode} />
        <span className="flex-1" />
        {isEmpty && !isNote && !isDirect && canRecord() ? (
          <IconButton
            icon={Mic}
            label={t('composer.voice')}
            onClick={onVoice}
            className="bg-accent text-on-accent! hover:bg-accent-strong!"
          />
        ) : (
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
        )}
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

function EmojiButton({ onChoose }: { onChoose: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      title={t('emoji.title')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<IconButton icon={Smile} label={t('composer.emoji')} />}
    >
      <EmojiGrid
        onChoose={(emoji) => {
          onChoose(emoji)
          setOpen(false)
        }}
      />
    </Popover>
  )
}
