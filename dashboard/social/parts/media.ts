/** The pictures and videos of posts, in the order in which the network shows them. */
import type { SocialLivePost, SocialPost } from '../../../sdk/api.ts'
import { fileAddress } from './thumbnail.tsx'

export type Media = {
  src: string
  kind: 'image' | 'video'
  /** The address that plays, if `src` is only the still picture of a video. */
  film?: string
}
export type PostKind = SocialLivePost['kind']

export const isVideoKind = (kind: PostKind): boolean => kind === 'reel' || kind === 'video'

/** Returns the files of a post that was created here. */
export const mediaOf = ({ media, kind }: Pick<SocialPost, 'media' | 'kind'>, workspaceId: string): Media[] =>
  media.map((id) => ({ src: fileAddress(id, workspaceId), kind: isVideoKind(kind) ? 'video' : 'image' }))

/** A file at the network. A video has a still picture at the address, and plays at another one. */
const networkFile = (id: string, kind: Media['kind'], workspaceId: string): Media => ({
  src: fileAddress(id, workspaceId),
  kind,
  ...(kind === 'video' && { film: fileAddress(`${id}.video`, workspaceId) }),
})

/** Returns the files of a post on the network. */
export function liveMediaOf(post: SocialLivePost, workspaceId: string): Media[] {
  const { socialMediaId, files, postId, kind } = post
  if (files.length > 1)
    return files.map((file, i) => networkFile(`${socialMediaId}.${i + 1}`, file.kind, workspaceId))
  const hasPicture = post.mediaUrl !== null || post.thumbnailUrl !== null || postId !== null
  return hasPicture ? [networkFile(socialMediaId, isVideoKind(kind) ? 'video' : 'image', workspaceId)] : []
}
