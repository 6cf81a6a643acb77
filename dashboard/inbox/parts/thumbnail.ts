/** Draws a small picture of a chosen photo or video in the browser. */

/** The edge of a thumbnail, in pixels of the file: twice the size that is shown. */
const EDGE = 96
/** A video that shows nothing by then gets no thumbnail. */
const VIDEO_MS = 3_000

type Picture = { source: CanvasImageSource; width: number; height: number; close: () => void }

async function openPhoto(file: File): Promise<Picture> {
  const source = await createImageBitmap(file)
  return { source, width: source.width, height: source.height, close: () => source.close() }
}

/** Opens the first picture of a video. */
async function openVideo(file: File): Promise<Picture> {
  const address = URL.createObjectURL(file)
  const source = document.createElement('video')
  const close = () => {
    source.removeAttribute('src')
    URL.revokeObjectURL(address)
  }
  try {
    await new Promise((resolve, reject) => {
      source.addEventListener('loadeddata', resolve, { once: true })
      source.addEventListener('error', reject, { once: true })
      setTimeout(reject, VIDEO_MS)
      source.muted = true
      source.preload = 'auto'
      source.src = address
    })
  } catch (error) {
    close()
    throw error
  }
  return { source, width: source.videoWidth, height: source.videoHeight, close }
}

/** Draws the middle of a picture as a square. */
async function draw({ source, width, height }: Picture): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = EDGE
  canvas.height = EDGE
  const side = Math.min(width, height)
  const [x, y] = [(width - side) / 2, (height - side) / 2]
  canvas.getContext('2d')?.drawImage(source, x, y, side, side, 0, 0, EDGE, EDGE)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
}

/** Returns the address of a thumbnail; undefined for other files, and for those that the browser can't show. */
export async function createThumbnail(file: File): Promise<string | undefined> {
  const open = file.type.startsWith('image/')
    ? openPhoto
    : file.type.startsWith('video/')
      ? openVideo
      : undefined
  if (!open) return undefined
  try {
    const picture = await open(file)
    const drawn = await draw(picture)
    picture.close()
    return drawn ? URL.createObjectURL(drawn) : undefined
  } catch {
    return undefined
  }
}
