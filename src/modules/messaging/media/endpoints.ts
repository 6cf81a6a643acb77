import { reply, uploadEndpoint } from '../../../core/endpoint.ts'
import { uploadMedia } from './operations/upload-media.ts'
import { takeUploadPlace } from './operations/upload-places.ts'
import { MediaBody, UploadedMedia } from './schema.ts'

const MIB = 1024 * 1024
const MAX_FILE_BYTES = 16 * MIB
/** Base64 adds a third to the file; the rest is for writers that escape slashes or break lines. */
const MAX_BODY_BYTES = 24 * MIB

export const postMedia = uploadEndpoint({
  name: 'uploadMedia',
  method: 'POST',
  path: '/media',
  summary: 'Upload a file. You can send its id for about 30 days.',
  description:
    'Send the file as base64 in JSON, or as it is in multipart/form-data. A file has at most 16 MB; images at most 5 MB, and stickers at most 100 KB (animated 500 KB). A workspace can run 4 uploads at the same time, 2 of them over 10 MB.',
  tag: 'Messages',
  section: '4.2',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'media-upload',
  action: { title: 'Upload a file' },
  bodyLimit: MAX_BODY_BYTES,
  body: MediaBody,
  example: { fileBase64: 'JVBERi0xLjQKJeLjz9MK', mimeType: 'application/pdf', filename: 'menu.pdf' },
  replies: { 200: UploadedMedia },
  refuses: ['uploads_in_progress', 'meta_error', 'number_banned', 'sending_blocked', 'invalid_reference'],
  upload: { field: 'fileBase64', maxBytes: MAX_FILE_BYTES, admit: takeUploadPlace },
  handle: (request, { body, file }) =>
    request.answering(
      (media: { id: string }) => reply(200, media),
      (ctx) => uploadMedia(ctx, body, file),
    ),
})
