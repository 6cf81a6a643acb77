/** A finger on the screen: real touch events, from which the browser derives scrolling and long presses. */
import type { Locator, Page } from 'playwright-core'

type Point = { x: number; y: number }

/** A finger moves in small steps. */
const STEP_PX = 8

export async function fingerOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  let at: Point = { x: 0, y: 0 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    async press(point: Point) {
      at = point
      await send('touchStart', [at])
    },
    async moveTo(to: Point) {
      const from = at
      const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP_PX))
      for (let step = 1; step <= steps; step += 1) {
        at = {
          x: Math.round(from.x + ((to.x - from.x) * step) / steps),
          y: Math.round(from.y + ((to.y - from.y) * step) / steps),
        }
        await send('touchMove', [at])
      }
    },
    lift: () => send('touchEnd', []),
  }
}

/** Returns a point of the element, from its corner at the left and at the top. */
export async function pointIn(place: Locator, { x, y }: Point): Promise<Point> {
  const box = (await place.boundingBox())!
  return { x: Math.round(box.x + x), y: Math.round(box.y + y) }
}

/** Returns the middle of the element, which is in view. */
export async function middleOf(place: Locator): Promise<Point> {
  const { width, height } = (await place.boundingBox())!
  return pointIn(place, { x: width / 2, y: height / 2 })
}
