/** Shows one post as it appears on the network, with its state and figures. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SocialLivePost, SocialPost } from '../../../sdk/api.ts'
import { Callout } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Fact } from '../../kit/facts.tsx'
import { DueIn } from '../../kit/zone-times.tsx'
import { accountQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { ExternalLink } from './external-link.tsx'
import { liveMediaOf, type Media, mediaOf } from './media.ts'
import { PostCard } from './post-card.tsx'
import { PostState } from './post-state.tsx'

export type OpenedPost = { own: SocialPost } | { live: SocialLivePost }

/** Returns the names and values of the facts; a value that is missing has none. */
function factsOf(post: OpenedPost, zone: string): [label: string, value: ReactNode][] {
  const timeOf = (time: string | null) => time && <DueIn key={time} at={time} zone={zone} />
  if ('own' in post) {
    const { status, scheduledAt, publishedAt } = post.own
    return [
      [t('detail.state'), <PostState key="state" post={post.own} />],
      [t('detail.scheduled'), status === 'scheduled' ? timeOf(scheduledAt) : null],
      [t('detail.published'), timeOf(publishedAt)],
    ]
  }
  const { publishedAt, likes, comments } = post.live
  return [
    [t('detail.published'), timeOf(publishedAt)],
    [t('detail.likes'), likes],
    [t('detail.comments'), comments],
  ]
}

type Props = {
  post: OpenedPost
  workspace: { id: string; name: string; timezone: string }
  /** Buttons for the post. */
  actions?: ReactNode
  onClose: () => void
}

export function PostDetail({ post, workspace, actions, onClose }: Props) {
  const { data: account } = useQuery(accountQuery)
  const shown = 'own' in post ? post.own : post.live
  const media: Media[] =
    'own' in post ? mediaOf(post.own, workspace.id) : liveMediaOf(post.live, workspace.id)
  const facts = factsOf(post, workspace.timezone).filter(([, value]) => value !== null)
  const failure = 'own' in post ? post.own.failure : null
  return (
    <Dialog open onClose={onClose} wide title={t(`kind.${shown.kind}`)}>
      <div className="grid items-start gap-6 sm:grid-cols-[minmax(0,20rem)_1fr]">
        <PostCard
          account={account ?? { username: workspace.name, socialAccountId: undefined }}
          workspaceId={workspace.id}
          kind={shown.kind}
          media={media}
          caption={shown.caption ?? ''}
        />
        <div className="flex min-w-0 flex-col gap-3">
          {failure && <Callout kind="bad">{t('posts.failed', { message: failure.message })}</Callout>}
          <dl className="flex flex-col">
            {facts.map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
            <Fact label={t('detail.kind')}>{t(`kind.${shown.kind}`)}</Fact>
            {media.length > 1 && (
              <Fact label={t('new.files')}>{t('posts.media', { count: media.length })}</Fact>
            )}
          </dl>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
          {shown.permalink && (
            <ExternalLink href={shown.permalink} className="self-start">
              {t('posts.see')}
            </ExternalLink>
          )}
        </div>
      </div>
    </Dialog>
  )
}
