/** Photos and videos in a workspace, ready for its posts. */
import type { TestWorkspace } from './boot.ts'
import { jpegOf, mp4Of } from './post-files.ts'

async function upload(shop: Pick<TestWorkspace, 'post'>, file: Buffer): Promise<string> {
  const { status, body, text } = await shop.post('/social/media/upload', {
    fileBase64: file.toString('base64'),
  })
  if (status !== 201) throw new Error(`the upload was answered ${status}: ${text}`)
  return body.media.mediaId
}

/** Uploads a photo and returns its id. */
export const photoId = (shop: Pick<TestWorkspace, 'post'>): Promise<string> => upload(shop, jpegOf())
/** Uploads a video for a reel and returns its id. */
export const videoId = (shop: Pick<TestWorkspace, 'post'>): Promise<string> => upload(shop, mp4Of())
