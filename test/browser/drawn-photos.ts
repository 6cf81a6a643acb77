/** Photos with something to see, drawn by the browser: woven cloth in a color, with a border and a name. */
import type { BrowserContext } from 'playwright-core'

type Drawing = { hue: number; name: string; width?: number; height?: number }

/** Returns a JPEG. */
export async function drawPhoto(
  context: BrowserContext,
  { hue, name, width = 1080, height = 1080 }: Drawing,
): Promise<Buffer> {
  const page = await context.newPage()
  await page.setViewportSize({ width, height })
  await page.setContent(`<style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; font: 600 ${width / 12}px Georgia, serif;
      color: oklch(.97 .03 ${hue + 40}); background:
      radial-gradient(circle at 50% 45%, oklch(.62 .19 ${hue} / .85), oklch(.3 .12 ${hue}) 75%),
      repeating-linear-gradient(45deg, oklch(.5 .16 ${hue}) 0 9px, oklch(.42 .15 ${hue}) 9px 18px); background-blend-mode: overlay; }
    main { display: grid; place-items: center; width: 84%; height: 84%; text-align: center;
      border: 14px double oklch(.82 .13 85); outline: 6px dotted oklch(.75 .14 75); outline-offset: 16px }
  </style><main>${name}</main>`)
  const photo = await page.screenshot({ type: 'jpeg', quality: 80 })
  await page.close()
  return photo
}
