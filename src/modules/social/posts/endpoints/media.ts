import { endpoint, reply } from '../../../../core/endpoint.ts'
import { takeUploadPlace } from '../../../media/operations/upload-places.ts'
import { socialFeature } from '../../gates.ts'
import { AddedMedia, MAX_VIDEO_BYTES, MediaByUrl, MediaUpload } from '../media-schema.ts'
import { addMediaByUrl, addUploadedMedia } from '../operations/add-media.ts'

const MIB = 1024 * 1024
/** Base64 adds a third to the file; the rest is for writers that escape slashes or break lines. */
const MAX_UPLOAD_BODY_BYTES = 140 * MIB

const face = {
  method: 'POST',
  tag: 'Social network',
  section: '4.6',
  scope: 'social:write',
  role: 'agent',
  bucket: 'social-media',
  gates: [socialFeature],
} as const

export const postSocialMedia = endpoint({
  ...face,
  path: '/social/media',
  name: 'addSocialMedia',
  summary: 'Add a photo for posts from a public https address.',
  description:
    'Downloads a JPEG of at most 8 MB. Private and internal addresses are refused, redirects are not followed, and the file ' +
    'is taken for what its own bytes are. The network later fetches our copy. `hints` says what it will object to.',
  body: MediaByUrl,
  example: { url: 'https://shop.example/saree.jpg', for: 'image' },
  replies: { 201: AddedMedia },
  refuses: [],
  handleOutside: async (ctx, { body }) => reply(201, await addMediaByUrl(ctx, body)),
})

export const postSocialMediaUpload = endpoint({
  ...face,
  path: '/social/media/upload',
  name: 'uploadSocialMedia',
  summary: 'Upload a photo or a video for posts; reels need a video.',
  description:
    'A JPEG of at most 8 MB, or a video as MP4 or MOV of at most 100 MB, in base64. At most 4 uploads of a workspace run at ' +
    'once, 2 of them over 10 MB.',
  bodyLimit: MAX_UPLOAD_BODY_BYTES,
  body: MediaUpload,
  example: { fileBase64: '/9j/4AAQSkZJRgABAQ==' },
  replies: { 201: AddedMedia },
  refuses: ['uploads_in_progress'],
  upload: { field: 'fileBase64', maxBytes: MAX_VIDEO_BYTES, admit: takeUploadPlace },
  handleUpload: async (ctx, { file }) => reply(201, await addUploadedMedia(ctx, file)),
})
