/** A short video with something to see, drawn and recorded by the browser. */
import type { BrowserContext } from 'playwright-core'

/** Returns a WebM in the shape of a reel: a circle that moves over a cloth. */
export async function drawVideo(context: BrowserContext): Promise<Buffer> {
  const page = await context.newPage()
  const base64: string = await page.evaluate(`new Promise((resolve) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 270, height: 480 })
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm;codecs=vp8' })
    const parts = []
    let frames = 0
    const draw = () => {
      pen.fillStyle = 'oklch(0.4 0.15 300)'
      pen.fillRect(0, 0, 270, 480)
      pen.fillStyle = 'oklch(0.85 0.13 85)'
      pen.beginPath()
      pen.arc(135, 60 + frames * 4, 40, 0, 7)
      pen.fill()
      frames += 1
      if (frames < 90) requestAnimationFrame(draw)
      else recorder.stop()
    }
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onstop = async () => {
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
      resolve(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
    }
    recorder.start()
    draw()
  })`)
  await page.close()
  return Buffer.from(base64, 'base64')
}
