/** Shows the pictures, videos, voice messages, and documents of a chat in turn. */
import { ChevronLeft, ChevronRight, Download, FileText } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Message } from '../../../sdk/api.ts'
import { IconButton } from '../../kit/button.tsx'
import { formatFull } from '../../kit/time.tsx'
import { Viewer } from '../../kit/viewer.tsx'
import { t } from '../texts.ts'
import { Formatted } from './kinds/text.tsx'
import { captionOf, fileAddress, fileNameOf, type MediaKind, mediaKindOf, useFile } from './media-file.tsx'
import { sentTime } from './thread-entries.ts'

type Props = {
  /** The messages of the chat, newest first. */
  messages: readonly Message[]
  workspace: string
  /** The message in the viewer; undefined while the viewer is closed. */
  id: string | undefined
  onMove: (id: string | undefined) => void
}

const KEYS: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1, k: -1, j: 1 }

export function MediaViewer({ messages, workspace, id, onMove }: Props) {
  const media = messages.filter((message) => mediaKindOf(message)).toReversed()
  const index = media.findIndex((message) => message.id === id)
  const message = media[index]
  const kind = message && mediaKindOf(message)
  const move = (by: 1 | -1) => {
    const next = media[index + by]
    if (next) onMove(next.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = KEYS[event.key]
    // In a video, the arrow keys seek.
    if (!by || event.ctrlKey || event.metaKey || (event.target as HTMLElement).closest('video, audio')) return
    event.preventDefault()
    move(event.key.startsWith('Arrow') && document.dir === 'rtl' ? (-by as 1 | -1) : by)
  }
  return (
    <Viewer
      open={message !== undefined}
      onClose={() => onMove(undefined)}
      onKeyDown={onKeyDown}
      title={
        message && kind ? (
          <>
            {fileNameOf(message, kind)}
            <span className="ms-2 text-sm font-normal text-ink-3">{formatFull(sentTime(message))}</span>
          </>
        ) : null
      }
      actions={
        message &&
        kind && (
          <>
            <span className="px-1 text-sm whitespace-nowrap text-ink-3 max-sm:hidden">
              {t('viewer.place', { at: index + 1, count: media.length })}
            </span>
            <IconButton
              icon={ChevronLeft}
              label={t('viewer.previous')}
              disabled={index === 0}
              focusableWhenDisabled
              onClick={() => move(-1)}
            />
            <IconButton
              icon={ChevronRight}
              label={t('viewer.next')}
              disabled={index === media.length - 1}
              focusableWhenDisabled
              onClick={() => move(1)}
            />
            <a
              href={fileAddress(message, workspace)}
              download={fileNameOf(message, kind)}
              aria-label={t('bubble.download', { name: fileNameOf(message, kind) })}
              className="inline-flex size-9 items-center justify-center rounded-md text-ink-2 hover:bg-surface-3 pointer-coarse:size-11"
            >
              <Download aria-hidden size={18} />
            </a>
          </>
        )
      }
    >
      {message && kind && (
        <MediaContent key={message.id} message={message} kind={kind} workspace={workspace} />
      )}
    </Viewer>
  )
}

function MediaContent({
  message,
  kind,
  workspace,
}: {
  message: Message
  kind: MediaKind
  workspace: string
}) {
  const { address, onError, missing } = useFile({ message, workspace })
  const caption = captionOf(message)
  const label = fileNameOf(message, kind)
  const fitting = 'max-h-full max-w-full object-contain'
  const renderers: Record<MediaKind, () => ReactNode> = {
    image: () => <img src={address} alt={caption ?? label} onError={onError} className={fitting} />,
    sticker: () => <img src={address} alt={label} onError={onError} className={fitting} />,
    video: () => (
      // biome-ignore lint/a11y/useMediaCaption: a customer's film has none
      <video controls src={address} onError={onError} aria-label={label} className={fitting} />
    ),
    audio: () => (
      // biome-ignore lint/a11y/useMediaCaption: a customer's voice message has none
      <audio controls src={address} onError={onError} aria-label={label} className="w-96 max-w-full" />
    ),
    document: () => (
      <a
        href={address}
        download={label}
        className="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface-1 px-10 py-8"
      >
        <FileText aria-hidden size={40} className="text-ink-3" />
        <span className="font-medium">{label}</span>
        <span className="text-sm text-accent underline">{t('bubble.download', { name: label })}</span>
      </a>
    ),
  }
  return (
    <figure className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 items-center justify-center p-3">
        {missing || renderers[kind]()}
      </div>
      {caption && (
        <figcaption className="pane max-h-32 shrink-0 border-t px-4 py-3">
          <Formatted text={caption} />
        </figcaption>
      )}
    </figure>
  )
}
