import type { SpooledFile } from '../../../../core/spool.ts'
import { fileReader } from './file-reader.ts'
import { type JpegFacts, readJpeg } from './jpeg.ts'
import { type Mp4Facts, readMp4 } from './mp4.ts'

/** A file for a post, as its own bytes describe it. */
export type PostFile =
  | ({ kind: 'image'; mime: 'image/jpeg' } & JpegFacts)
  | ({ kind: 'video'; mime: 'video/mp4' | 'video/quicktime' } & Mp4Facts)

const isJpeg = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff
const isMovie = (head: Buffer): boolean => head.toString('latin1', 4, 8) === 'ftyp'
const isQuickTime = (head: Buffer): boolean => head.toString('latin1', 8, 12) === 'qt  '

/** Reads a file's headers; returns undefined if it is neither a JPEG nor an MP4 or MOV with a video. */
export async function describeFile(
  file: Pick<SpooledFile, 'head' | 'pieces'>,
): Promise<PostFile | undefined> {
  const { head } = file
  if (!isJpeg(head) && !isMovie(head)) return undefined
  const reader = fileReader(file.pieces())
  try {
    if (isJpeg(head)) {
      const facts = await readJpeg(reader)
      return facts && { kind: 'image', mime: 'image/jpeg', ...facts }
    }
    const facts = await readMp4(reader)
    return facts && { kind: 'video', mime: isQuickTime(head) ? 'video/quicktime' : 'video/mp4', ...facts }
  } finally {
    await reader.close()
  }
}
