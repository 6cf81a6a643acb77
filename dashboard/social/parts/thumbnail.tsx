/** Shows the picture of a post, small. The caption of the post appears next to it. */
import { Camera, Image, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { SocialLivePost } from '../../../sdk/api.ts'
import { addressOf } from '../../api/address.ts'
import { classes } from '../../kit/classes.ts'

type Kind = SocialLivePost['kind']
const ICONS: Record<Kind, LucideIcon> = {
  image: Image,
  carousel: Image,
  reel: Camera,
  video: Camera,
  other: Image,
}
const ATTEMPTS = ['image', 'video'] as const

/** Returns the address of a file of a post, or of the picture of a post by the network's id. */
export const fileAddress = (id: string, workspace: string): string =>
  addressOf('dashboard', `/files/${id}`, { workspace })

type Props = {
  /** The address of the picture or video; undefined if the post has none. */
  src: string | undefined
  kind: Kind
  className?: string
}

export function Thumbnail({ src, kind, className = 'size-14' }: Props) {
  // A video has a picture only at the network: its own file is shown as a video.
  const [failures, setFailures] = useState(0)
  const attempt = src === undefined ? undefined : ATTEMPTS[failures]
  const Icon = ICONS[kind]
  const onError = () => setFailures((before) => before + 1)
  const fill = 'size-full object-cover'
  return (
    <span
      className={classes(
        'flex shrink-0 items-center justify-center overflow-hidden rounded-md bg-surface-3 text-ink-3',
        className,
      )}
    >
      {attempt === 'image' ? (
        <img src={src} alt="" loading="lazy" decoding="async" className={fill} onError={onError} />
      ) : attempt === 'video' && kind !== 'image' && kind !== 'carousel' ? (
        <video
          src={src}
          muted
          preload="metadata"
          aria-hidden
          tabIndex={-1}
          className={fill}
          onError={onError}
        />
      ) : (
        <Icon aria-hidden size={18} />
      )}
    </span>
  )
}
