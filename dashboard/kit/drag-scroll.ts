/** Scrolls while something is dragged near an edge, as browsers do for a drag by mouse. */

const EDGE_PX = 56
const MAX_STEP_PX = 14

type Point = { clientX: number; clientY: number }

/** Returns the pixels to scroll by in one frame: more, the nearer the edge. */
function stepAt(at: number, from: number, to: number): number {
  // A small area keeps a middle that rests.
  const edge = Math.min(EDGE_PX, (to - from) / 4)
  const near = (gap: number) => (gap >= edge ? 0 : Math.ceil(MAX_STEP_PX * (1 - Math.max(0, gap) / edge)))
  return near(to - at) - near(at - from)
}

/** Returns the elements around the point that can scroll, from the inside. */
function* scrollAreasAt({ clientX, clientY }: Point): Generator<HTMLElement> {
  let element = document.elementFromPoint(clientX, clientY)
  for (; element; element = element.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(element)
    if (/auto|scroll/.test(overflowX + overflowY) && element instanceof HTMLElement) yield element
  }
}

/** Scrolls in every frame, until the returned function ends it. */
export function scrollNear(readPoint: () => Point): () => void {
  /** Snapping would pull a scrolled element back. It returns when the drag ends. */
  const snaps = new Map<HTMLElement, string>()
  const scrollBy = (element: HTMLElement, left: number, top: number): boolean => {
    if (left !== 0 && !snaps.has(element)) {
      snaps.set(element, element.style.scrollSnapType)
      element.style.scrollSnapType = 'none'
    }
    const before = element.scrollLeft + element.scrollTop
    element.scrollBy({ left, top, behavior: 'instant' })
    return element.scrollLeft + element.scrollTop !== before
  }
  let frame = 0
  const update = () => {
    const point = readPoint()
    let isAcross = false
    let isDown = false
    for (const element of scrollAreasAt(point)) {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const across = stepAt(point.clientX, Math.max(left, 0), Math.min(right, innerWidth))
      const down = stepAt(point.clientY, Math.max(top, 0), Math.min(bottom, innerHeight))
      if (across !== 0 && !isAcross) isAcross = scrollBy(element, across, 0)
      if (down !== 0 && !isDown) isDown = scrollBy(element, 0, down)
    }
    frame = requestAnimationFrame(update)
  }
  frame = requestAnimationFrame(update)
  return () => {
    cancelAnimationFrame(frame)
    for (const [element, snap] of snaps) element.style.scrollSnapType = snap
  }
}
