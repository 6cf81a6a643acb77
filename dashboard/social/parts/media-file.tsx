/** Shows one picture or video of a post; a video of the network may have only a still picture. */
import { Camera, Image, Play } from 'lucide-react'
import { useState } from 'react'
import { classes } from '../../kit/classes.ts'
import type { Media } from './media.ts'
import { OVER_PICTURE } from './over-picture.ts'

const ATTEMPTS = { image: ['image', 'video'], video: ['video', 'image'] } as const

type Props = {
  media: Media
  /** Videos have controls. */
  isPlayable?: boolean | undefined
  /** Receives the width divided by the height, once the file is read. */
  onRatio?: ((src: string, ratio: number) => void) | undefined
}

export function MediaFile({ media: { src, kind }, isPlayable, onRatio }: Props) {
  const [failures, setFailures] = useState(0)
  const attempt = ATTEMPTS[kind][failures]
  const onError = () => setFailures((before) => before + 1)
  const Icon = kind === 'video' ? Camera : Image
  if (attempt === undefined)
    return (
      <span className="flex size-full items-center justify-center text-ink-3">
        <Icon aria-hidden size={20} />
      </span>
    )
  if (attempt === 'image')
    return (
      <>
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className="size-full object-cover"
          onError={onError}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onRatio?.(src, naturalWidth / naturalHeight)
          }
        />
        {kind === 'video' && <PlayMark />}
      </>
    )
  return (
    <>
      <video
        src={src}
        muted
        playsInline
        controls={isPlayable}
        preload="metadata"
        aria-hidden={!isPlayable}
        tabIndex={isPlayable ? undefined : -1}
        className="size-full object-cover"
        onError={onError}
        onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
          videoHeight > 0 && onRatio?.(src, videoWidth / videoHeight)
        }
      />
      {!isPlayable && <PlayMark />}
    </>
  )
}

const PlayMark = () => (
  <span
    aria-hidden
    className={classes(
      'absolute end-1.5 top-1.5 flex size-5 items-center justify-center rounded-full',
      OVER_PICTURE,
    )}
  >
    <Play size={11} fill="currentColor" />
  </span>
)
