/** Shows the picture of a post in a list, or all of its pictures and videos; it opens the post. */
import { Camera, Image } from 'lucide-react'
import { t } from '../texts.ts'
import { Carousel } from './carousel.tsx'
import { captionName } from './cut-caption.ts'
import { isVideoKind, type Media, type PostKind } from './media.ts'
import { MediaFile } from './media-file.tsx'

type Props = { media: readonly Media[]; kind: PostKind; caption: string; onOpen: () => void }

export function PostMedia({ media, kind, caption, onOpen }: Props) {
  const Icon = isVideoKind(kind) ? Camera : Image
  const [first] = media
  const name = captionName(caption)
  return (
    <div className="relative size-20 shrink-0 overflow-hidden rounded-md bg-surface-3">
      {media.length > 1 ? (
        <Carousel media={media} label={name} isSmall onOpen={onOpen} />
      ) : (
        <button
          type="button"
          aria-label={t('posts.open', { caption: name })}
          onClick={onOpen}
          className="relative flex size-full items-center justify-center text-ink-3 focus-visible:-outline-offset-2"
        >
          {first ? <MediaFile media={first} /> : <Icon aria-hidden size={20} />}
        </button>
      )}
    </div>
  )
}
