/** Shows one picture or video of a post. A video is a still picture until a member plays it. */
import { Camera, Image } from 'lucide-react'
import { useEffect, useState } from 'react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'
import type { Media } from './media.ts'
import { OVER_PICTURE } from './over-picture.ts'
import { PlayMark } from './play-mark.tsx'

/** The network has a still picture of a video; Parley's copy of a video shows its first frame. */
const attemptsOf = ({ kind, film }: Media): readonly ('picture' | 'frame')[] =>
  kind === 'image' ? ['picture', 'frame'] : film === undefined ? ['frame', 'picture'] : ['picture', 'frame']

type Props = {
  media: Media
  /** Videos have a button that plays them. */
  isPlayable?: boolean | undefined
  /** Receives the width divided by the height, once the file is read. */
  onRatio?: ((src: string, ratio: number) => void) | undefined
}

function Still({ media, onRatio }: Omit<Props, 'isPlayable'>) {
  const { src, kind, film = src } = media
  const [failures, setFailures] = useState(0)
  const attempt = attemptsOf(media)[failures]
  const onError = () => setFailures((before) => before + 1)
  const Icon = kind === 'video' ? Camera : Image
  if (attempt === undefined)
    return (
      <span className="flex size-full items-center justify-center text-ink-3">
        <Icon aria-hidden size={20} />
      </span>
    )
  if (attempt === 'picture')
    return (
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
    )
  return (
    <video
      // Safari shows a frame only at a time.
      src={`${film}#t=0.001`}
      muted
      playsInline
      preload="metadata"
      aria-hidden
      tabIndex={-1}
      className="size-full object-cover"
      onError={onError}
      onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
        videoHeight > 0 && onRatio?.(src, videoWidth / videoHeight)
      }
    />
  )
}

export function MediaFile({ media, isPlayable = false, onRatio }: Props) {
  const { src, kind, film } = media
  const [state, setState] = useState<'still' | 'playing' | 'failed'>('still')
  // A file of a carousel that is out of view stops.
  useEffect(() => {
    if (!isPlayable) setState('still')
  }, [isPlayable])
  if (state === 'playing' && isPlayable)
    return (
      // biome-ignore lint/a11y/useMediaCaption: the network has no captions of a post's video
      <video
        src={film ?? src}
        poster={film && src}
        controls
        autoPlay
        playsInline
        ref={focusPlayer}
        className="size-full bg-[oklch(0_0_0)] object-contain"
        onError={() => setState('failed')}
      />
    )
  return (
    <>
      <Still media={media} onRatio={onRatio} />
      {kind === 'video' && !isPlayable && <PlayMark size="size-7" icon={13} />}
      {kind === 'video' && isPlayable && (
        <button
          type="button"
          aria-label={t('video.play')}
          onClick={() => setState('playing')}
          className="absolute inset-0 focus-visible:-outline-offset-2"
        >
          <PlayMark size="size-14" icon={24} />
        </button>
      )}
      {state === 'failed' && (
        <p
          role="alert"
          className={classes('absolute inset-x-2 top-2 rounded-md px-2 py-1 text-sm', OVER_PICTURE)}
        >
          {t('video.failed')}
        </p>
      )}
    </>
  )
}

/** The button that started the video is gone. */
const focusPlayer = (player: HTMLVideoElement | null) => player?.focus({ preventScroll: true })
