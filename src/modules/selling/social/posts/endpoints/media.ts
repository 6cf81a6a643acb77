import { outsideEndpoint, reply, uploadEndpoint } from '../../../../../core/endpoint.ts'
import { takeUploadPlace } from '../../../../messaging/media/operations/upload-places.ts'
import { socialFeature } from '../../gates.ts'
import { AddedMedia, MAX_VIDEO_BYTES, MediaByUrl, MediaUpload } from '../media-schema.ts'
import { addMediaByUrl, addUploadedMedia } from '../operations/add-media.ts'

const MIB = 1024 * 1024
/** Base64 adds a third to the file; the rest is for writers that escape slashes or break lines. */
const MAX_UPLOAD_BODY_BYTES = 140 * MIB

const shared = {
  method: 'POST',
  tag: 'Photo network',
  section: '4.6',
  scope: 'social:write',
  role: 'agent',
  bucket: 'social-media',
  gates: [socialFeature],
} as const

export const postSocialMedia = outsideEndpoint({
  ...shared,
  path: '/social/media',
  name: 'addSocialMedia',
  summary: 'Add a photo for posts from a public https address.',
  description:
    'Downloads a JPEG of at most 8 MB. Parley rejects private and internal addresses, does not follow redirects, and detects the type of the file from its bytes. The network later downloads the copy from Parley. `hints` list problems that the network will report.',
  body: MediaByUrl,
  example: { url: 'https://shop.example/saree.jpg', for: 'image' },
  replies: { 201: AddedMedia },
  refuses: [],
  handle: async (ctx, { body }) => reply(201, await addMediaByUrl(ctx, body)),
})

export const postSocialMediaUpload = uploadEndpoint({
  ...shared,
  path: '/social/media/upload',
  name: 'uploadSocialMedia',
  summary: 'Upload a photo or a video for posts. Reels need a video.',
  description:
    'Send the file in base64: a JPEG of at most 8 MB, or an MP4 or MOV video of at most 100 MB. A workspace can run 4 uploads at the same time, 2 of them over 10 MB.',
  bodyLimit: MAX_UPLOAD_BODY_BYTES,
  body: MediaUpload,
  example: { fileBase64: '/9j/4AAQSkZJRgABAQ==' },
  replies: { 201: AddedMedia },
  refuses: ['uploads_in_progress'],
  upload: { field: 'fileBase64', maxBytes: MAX_VIDEO_BYTES, admit: takeUploadPlace },
  handle: async (ctx, { file }) => reply(201, await addUploadedMedia(ctx, file)),
})
