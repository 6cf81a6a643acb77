/** Shows a post as it appears on the network. */
import { Bookmark, Camera, Ellipsis, Heart, Image, MessageCircle, Send } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '../../kit/avatar.tsx'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'
import { Caption } from './caption.tsx'
import { Carousel } from './carousel.tsx'
import { captionName } from './cut-caption.ts'
import { isVideoKind, type Media, type PostKind } from './media.ts'
import { MediaFile } from './media-file.tsx'
import { fileAddress } from './thumbnail.tsx'

export type Account = { username: string; socialAccountId: string | undefined }

/** The network crops photos to these ratios of width and height. */
const [TALLEST, WIDEST] = [0.8, 1.91]
const REEL_RATIO = 9 / 16

function AccountPicture({ account, workspaceId }: { account: Account; workspaceId: string }) {
  const [isMissing, setMissing] = useState(false)
  const { username, socialAccountId } = account
  if (isMissing || socialAccountId === undefined) return <Avatar name={username} size="sm" />
  return (
    <img
      src={fileAddress(socialAccountId, workspaceId)}
      alt=""
      className="size-6 shrink-0 rounded-full object-cover"
      onError={() => setMissing(true)}
    />
  )
}

const Missing = ({ kind }: { kind: PostKind }) => {
  const Icon = isVideoKind(kind) ? Camera : Image
  return (
    <span className="flex size-full flex-col items-center justify-center gap-2 bg-surface-3 text-sm text-ink-3">
      <Icon aria-hidden size={28} />
      {t(isVideoKind(kind) ? 'preview.noVideo' : 'preview.noPhoto')}
    </span>
  )
}

type Props = {
  account: Account
  workspaceId: string
  kind: PostKind
  media: readonly Media[]
  caption: string
}

function Files({
  media,
  kind,
  caption,
  onRatio,
}: Pick<Props, 'media' | 'kind' | 'caption'> & { onRatio: (src: string, ratio: number) => void }) {
  const [first] = media
  if (!first) return <Missing kind={kind} />
  if (media.length === 1) return <MediaFile key={first.src} media={first} isPlayable onRatio={onRatio} />
  return (
    <Carousel
      media={media}
      label={captionName(caption) || t('carousel.unnamed')}
      isPlayable
      onRatio={onRatio}
    />
  )
}

export function PostCard({ account, workspaceId, kind, media: files, caption }: Props) {
  const [ratios, setRatios] = useState<Record<string, number>>({})
  const onRatio = (src: string, value: number) => setRatios((before) => ({ ...before, [src]: value }))
  const isReel = kind === 'reel'
  // While a post is written, it may still have files of another type.
  const media = kind === 'image' || isReel ? files.slice(0, 1) : files
  // The first file decides the ratio of a carousel.
  const natural = ratios[media[0]?.src ?? ''] ?? 1
  const ratio = isReel ? REEL_RATIO : Math.min(WIDEST, Math.max(TALLEST, natural))
  const name = (
    <span className="flex min-w-0 items-center gap-2">
      <AccountPicture account={account} workspaceId={workspaceId} />
      <bdi className="min-w-0 truncate text-sm font-semibold">{account.username}</bdi>
    </span>
  )
  const picture = <Files media={media} kind={kind} caption={caption} onRatio={onRatio} />
  if (isReel)
    return (
      <article
        aria-label={t('preview')}
        className="group/reel relative mx-auto w-full max-w-64 overflow-hidden rounded-lg border bg-surface-3"
        style={{ aspectRatio: ratio }}
      >
        {picture}
        {/* The controls of a playing video need the place. */}
        <div className="pointer-events-none absolute inset-x-0 bottom-0 flex flex-col gap-1.5 group-has-[video[controls]]/reel:hidden bg-linear-to-t from-[oklch(0.1_0_0/0.85)] to-transparent px-3 pt-10 pb-14 text-[oklch(1_0_0)]">
          {name}
          {caption && (
            <p dir="auto" className="line-clamp-2 text-sm break-words">
              {caption}
            </p>
          )}
        </div>
      </article>
    )
  return (
    <article
      aria-label={t('preview')}
      className="mx-auto w-full max-w-80 overflow-hidden rounded-lg border bg-surface-1"
    >
      <header className="flex items-center gap-2 px-3 py-2">
        <span className="min-w-0 flex-1">{name}</span>
        <Ellipsis aria-hidden size={16} className="shrink-0 text-ink-3" />
      </header>
      <div className="relative w-full bg-surface-3" style={{ aspectRatio: ratio }}>
        {picture}
      </div>
      <div aria-hidden className="flex items-center gap-3 px-3 pt-2.5 text-ink-2">
        <Heart size={20} />
        <MessageCircle size={20} />
        <Send size={20} />
        <Bookmark size={20} className="ms-auto" />
      </div>
      <div className={classes('px-3 pt-2 pb-3', caption === '' && 'text-ink-3')}>
        {caption ? (
          <Caption username={account.username} caption={caption} />
        ) : (
          <p className="text-sm">{t('posts.noCaption')}</p>
        )}
      </div>
    </article>
  )
}
