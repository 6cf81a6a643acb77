/** Files for posts in the API (spec 2.9, 4.6). */
import { z } from 'zod'
import { Id } from '../../../../core/ids.ts'

const MIB = 1024 * 1024
/** Spec 8.2. */
export const MAX_PHOTO_BYTES = 8 * MIB
/** The limit for a reel's video that is uploaded to Parley (DECISIONS.md). */
export const MAX_VIDEO_BYTES = 100 * MIB

/** The uses of a photo. */
const PHOTO_USES = ['image', 'carousel'] as const

/** Body of `POST /social/media`. */
export const MediaByUrl = z.strictObject({
  url: z
    .string('Must be text.')
    .min(1, 'Must not be empty.')
    .max(2_048, 'Must be at most 2048 characters.')
    .meta({
      description: 'Public https address of a JPEG of at most 8 MB. Redirects are not followed.',
      example: 'https://shop.example/saree.jpg',
    }),
  for: z
    .enum(
      PHOTO_USES,
      `Must be one of ${PHOTO_USES.join(', ')}. Upload a reel's video with POST /social/media/upload.`,
    )
    .default('image')
    .meta({ description: 'Kind of post that the photo is for.' }),
})
export type MediaByUrl = z.output<typeof MediaByUrl>

/** Body of `POST /social/media/upload`. */
export const MediaUpload = z.strictObject({
  fileBase64: z.string('Must be the file in base64.').meta({
    description: 'The file in base64, without a `data:` prefix: a JPEG, or an MP4 or MOV video.',
    example: '/9j/4AAQSkZJRgABAQ==',
  }),
})

/** A file for posts (spec 2.9). */
const PostMedia = z
  .object({
    mediaId: Id.meta({ description: 'Id for `media` of `POST /social/posts`.' }),
    size: z.number().int().meta({ description: 'Size of the file in bytes.' }),
    mime: z.string().meta({ example: 'image/jpeg' }),
    kind: z.enum(['image', 'video']),
    width: z.number().int().meta({ description: 'Size in pixels, as it is shown.' }),
    height: z.number().int().meta({ description: 'Size in pixels, as it is shown.' }),
  })
  .meta({
    id: 'SocialMedia',
    description: 'A photo or video for posts.',
    fields: { mime: 'Media type, such as `image/jpeg`.', kind: 'Whether it is a photo or a video.' },
  })

/** The answer after adding a file. */
export const AddedMedia = z.object({
  media: PostMedia,
  hints: z.array(z.string()).meta({
    description:
      'Problems that the network will report, such as aspect ratio or size. Empty if there are none.',
  }),
})
export type AddedMedia = z.output<typeof AddedMedia>
