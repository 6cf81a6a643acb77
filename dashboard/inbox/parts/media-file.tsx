/**
 * Shows the files of messages. A file arrives from the operator after its message; until then it can be
 * requested again.
 */
import { Download, FileText, Maximize2, RotateCcw } from 'lucide-react'
import { createContext, useContext, useState } from 'react'
import type { Message } from '../../../sdk/api.ts'
import { addressOf } from '../../api/address.ts'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { t } from '../texts.ts'

const VoicePlayer = lazyComponent(() =>
  import('./voice/voice-player.tsx').then((module) => module.VoicePlayer),
)

export const MEDIA = ['image', 'video', 'audio', 'sticker', 'document'] as const
export type MediaKind = (typeof MEDIA)[number]

export const mediaKindOf = ({ type, deletedAt }: Message): MediaKind | undefined =>
  deletedAt ? undefined : MEDIA.find((kind) => kind === type)

const textIn = (message: Message, name: string): string | undefined => {
  const value = (message.content as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}
export const captionOf = (message: Message): string | undefined => textIn(message, 'caption')
/** Returns the name of a file: a document has a name, other files are named after their kind. */
export const fileNameOf = (message: Message, kind: MediaKind): string =>
  textIn(message, 'filename') ?? t(`bubble.${kind}`)

export const fileAddress = (message: Message, workspace: string): string =>
  addressOf('dashboard', `/files/${message.id}`, { workspace })

/** Opens the viewer at a message. */
export const ViewMedia = createContext<(messageId: string) => void>(() => {})

type Props = { message: Message; workspace: string }

/** Returns the address of a file, and a replacement while the file can't be loaded. */
export function useFile({ message, workspace }: Props) {
  const [attempt, setAttempt] = useState(0)
  const [isMissing, setMissing] = useState(false)
  return {
    address: `${fileAddress(message, workspace)}${attempt ? `&attempt=${attempt}` : ''}`,
    onError: () => setMissing(true),
    missing: isMissing && (
      <button
        type="button"
        className="flex min-h-11 items-center gap-2 text-sm text-ink-2 underline"
        onClick={() => {
          setMissing(false)
          setAttempt((before) => before + 1)
        }}
      >
        <RotateCcw aria-hidden size={15} />
        {t('bubble.file.retry')}
      </button>
    ),
  }
}

/** Shows a file in its bubble. */
export function MediaFile({ message, workspace, kind }: Props & { kind: Exclude<MediaKind, 'document'> }) {
  const { address, onError, missing } = useFile({ message, workspace })
  const view = useContext(ViewMedia)
  const label = t(`bubble.${kind}`)
  if (missing) return missing
  if (kind === 'audio')
    return (
      <VoicePlayer
        src={address}
        label={label}
        onError={onError}
        around={<div className="h-9 w-72 max-w-full" />}
      />
    )
  if (kind === 'video')
    return (
      <div className="relative">
        {/* biome-ignore lint/a11y/useMediaCaption: a customer's film has none */}
        <video
          controls
          preload="metadata"
          src={address}
          onError={onError}
          aria-label={label}
          className="max-h-80 rounded-md"
        />
        <IconButton
          icon={Maximize2}
          size="sm"
          label={t('viewer.open', { name: label })}
          onClick={() => view(message.id)}
          className="absolute end-1.5 top-1.5 bg-surface-1!"
        />
      </div>
    )
  return (
    <button
      type="button"
      onClick={() => view(message.id)}
      aria-label={t('viewer.open', { name: captionOf(message) ?? label })}
    >
      <img
        src={address}
        alt={captionOf(message) ?? label}
        onError={onError}
        loading="lazy"
        decoding="async"
        // Its size does not depend on the file: nothing moves when the file arrives.
        className={classes(
          'rounded-md bg-surface-4',
          kind === 'sticker' ? 'size-32 object-contain' : 'h-60 w-80 max-w-full object-cover',
        )}
      />
    </button>
  )
}

/** Shows a document in its bubble. */
export function DocumentFile({ message, workspace }: Props) {
  const name = fileNameOf(message, 'document')
  return (
    <a
      href={fileAddress(message, workspace)}
      download={name}
      className="flex min-h-11 items-center gap-2.5 rounded-md bg-surface-1/60 px-3 py-2"
    >
      <FileText aria-hidden size={20} className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <Download aria-label={t('bubble.download', { name })} size={16} className="shrink-0" />
    </a>
  )
}
