/** The pictures and videos of posts, in the order in which the network shows them. */
import type { SocialLivePost, SocialPost } from '../../../sdk/api.ts'
import { fileAddress } from './thumbnail.tsx'

export type Media = { src: string; kind: 'image' | 'video' }
export type PostKind = SocialLivePost['kind']

export const isVideoKind = (kind: PostKind): boolean => kind === 'reel' || kind === 'video'

/** Returns the files of a post that was created here. */
export const mediaOf = ({ media, kind }: Pick<SocialPost, 'media' | 'kind'>, workspaceId: string): Media[] =>
  media.map((id) => ({ src: fileAddress(id, workspaceId), kind: isVideoKind(kind) ? 'video' : 'image' }))

/** Returns the files of a post on the network. Its videos are still pictures, unless Parley has the file. */
export function liveMediaOf(post: SocialLivePost, workspaceId: string): Media[] {
  const { socialMediaId, files, postId, kind } = post
  if (files.length > 1)
    return files.map((file, i) => ({
      src: fileAddress(`${socialMediaId}.${i + 1}`, workspaceId),
      kind: file.kind,
    }))
  const hasPicture = post.mediaUrl !== null || post.thumbnailUrl !== null || postId !== null
  return hasPicture
    ? [{ src: fileAddress(socialMediaId, workspaceId), kind: isVideoKind(kind) ? 'video' : 'image' }]
    : []
}
