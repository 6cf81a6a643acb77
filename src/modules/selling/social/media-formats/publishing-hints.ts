/**
 * Properties of a file to which the network will object, or that it will change (docs/formats.md section 14).
 */
import type { PostFile } from './describe-file.ts'

const PHOTO_RATIO = { least: 4 / 5, max: 1.91 }
const PHOTO_WIDTH = { least: 320, max: 1440 }
const VIDEO_RATIO = { least: 0.01, max: 10 }
const VIDEO_SECONDS = { least: 3, max: 15 * 60 }
const MAX_VIDEO_WIDTH = 1920
const UPRIGHT = 9 / 16
const CMYK_COMPONENTS = 4

const sizeOf = ({ width, height }: PostFile): string => `${width} × ${height} pixels`
const ratioOf = ({ width, height }: PostFile): string => `${(width / height).toFixed(2)}:1`

function photoHints(photo: PostFile & { kind: 'image' }): string[] {
  const ratio = photo.width / photo.height
  const hints: string[] = []
  if (ratio < PHOTO_RATIO.least || ratio > PHOTO_RATIO.max)
    hints.push(
      `The aspect ratio is ${ratioOf(photo)}. The network accepts photos from 4:5 (0.80:1) to 1.91:1. Crop it first.`,
    )
  if (photo.width < PHOTO_WIDTH.least)
    hints.push(
      `The size is ${sizeOf(photo)}. The network requires photos at least ${PHOTO_WIDTH.least} pixels wide.`,
    )
  if (photo.width > PHOTO_WIDTH.max)
    hints.push(
      `The size is ${sizeOf(photo)}. The network scales photos down to ${PHOTO_WIDTH.max} pixels wide.`,
    )
  if (photo.components === CMYK_COMPONENTS)
    hints.push('The colors are CMYK. The network shows sRGB, so they may look different there.')
  return hints
}

function videoHints(video: PostFile & { kind: 'video' }): string[] {
  const ratio = video.width / video.height
  const { durationSeconds } = video
  const hints: string[] = []
  if (ratio < VIDEO_RATIO.least || ratio > VIDEO_RATIO.max)
    hints.push(`The aspect ratio is ${ratioOf(video)}. The network accepts videos from 0.01:1 to 10:1.`)
  else if (Math.abs(ratio - UPRIGHT) > 0.01)
    hints.push(`The aspect ratio is ${ratioOf(video)}. A reel fills the screen at 9:16.`)
  if (video.width > MAX_VIDEO_WIDTH)
    hints.push(
      `The size is ${sizeOf(video)}. The network accepts videos up to ${MAX_VIDEO_WIDTH} pixels wide.`,
    )
  if (durationSeconds < VIDEO_SECONDS.least || durationSeconds > VIDEO_SECONDS.max)
    hints.push(
      `The duration is ${Math.round(durationSeconds)} seconds. A reel can last from ${VIDEO_SECONDS.least} seconds to 15 minutes.`,
    )
  return hints
}

/** Returns sentences for the author of the post; none if there is no objection. */
export const publishingHints = (file: PostFile): string[] =>
  file.kind === 'image' ? photoHints(file) : videoHints(file)
