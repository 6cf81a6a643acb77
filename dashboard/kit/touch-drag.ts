/**
 * Drags by finger. Browsers drag by mouse only, or each in its own way. A long press lifts the element, and a short
 * swipe scrolls as before. The drag is then the same as by mouse: the element receives the same events.
 */
import { scrollNear } from './drag-scroll.ts'

const LONG_PRESS_MS = 350
/** A finger that moves further before the long press ends scrolls the page. */
const MAX_TREMBLE_PX = 10

type Point = { clientX: number; clientY: number }
type Options = {
  /** Starts drags by the first movement instead of by a long press. */
  handle?: Element | undefined
  /** A copy of the element follows the finger. */
  hasCopy: boolean
}

const pointOf = ({ clientX, clientY }: Touch): Point => ({ clientX, clientY })

const distance = (a: Point, b: Point): number => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

/** Shows a copy of the element at the finger, without a name and out of the order of keys. */
function showCopy(element: HTMLElement, start: Point) {
  const { left, top, width, height } = element.getBoundingClientRect()
  const copy = element.cloneNode(true) as HTMLElement
  copy.ariaHidden = 'true'
  copy.inert = true
  copy.dataset.dragCopy = ''
  Object.assign(copy.style, {
    position: 'fixed',
    inset: 'auto',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    margin: '0',
    // Below the places to drop at the bottom of a board.
    zIndex: '65',
    opacity: '0.9',
    pointerEvents: 'none',
    listStyle: 'none',
    borderRadius: '0.5rem',
    boxShadow: 'var(--shadow-pop)',
  })
  document.body.append(copy)
  return {
    follow: ({ clientX, clientY }: Point) => {
      copy.style.translate = `${clientX - start.clientX}px ${clientY - start.clientY}px`
    },
    remove: () => copy.remove(),
  }
}

/** Stops the events that a browser sends besides the touch: they would end the drag. */
function stopOtherEvents() {
  const controller = new AbortController()
  const stop = (event: Event) => event.stopImmediatePropagation()
  const prevent = (event: Event) => {
    if (!event.isTrusted) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const options = { capture: true, signal: controller.signal }
  window.addEventListener('pointermove', stop, options)
  for (const kind of ['contextmenu', 'selectstart', 'dragstart'])
    window.addEventListener(kind, prevent, options)
  return () => controller.abort()
}

/** Plays a drag of the element from `start`; undefined if the element refuses it. */
function startDrag(element: HTMLElement, start: Point, hasCopy: boolean) {
  const dataTransfer = new DataTransfer()
  const send = (kind: string, target: Element, { clientX, clientY }: Point): boolean =>
    target.dispatchEvent(
      new DragEvent(kind, {
        bubbles: true,
        cancelable: true,
        composed: true,
        dataTransfer,
        clientX,
        clientY,
      }),
    )
  const copy = hasCopy ? showCopy(element, start) : undefined
  if (!send('dragstart', element, start)) {
    copy?.remove()
    return
  }
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10)
  let point = start
  let accepted: Element | undefined
  let frame = 0
  const endScroll = scrollNear(() => point)
  const reportPlace = () => {
    const over = document.elementFromPoint(point.clientX, point.clientY) ?? document.body
    accepted = send('dragover', over, point) ? undefined : over
  }
  const update = () => {
    reportPlace()
    frame = requestAnimationFrame(update)
  }
  update()
  return {
    moveTo: (next: Point) => {
      point = next
      copy?.follow(next)
    },
    /** Drops the element where the finger is, or puts it back. */
    end: (isDropped: boolean) => {
      cancelAnimationFrame(frame)
      endScroll()
      copy?.remove()
      reportPlace()
      if (isDropped && accepted) send('drop', accepted, point)
      send('dragend', element, point)
      // The library leaves an area at the start of the drag, which would swallow the next touch there. This removes it.
      send('dragenter', document.body, point)
    },
  }
}

/** Follows one touch until it ends. Its element may leave the page before that, and still receives its events. */
function followTouch(element: HTMLElement, event: TouchEvent, { handle, hasCopy }: Options): void {
  const target = event.target!
  const start = pointOf(event.touches[0]!)
  let drag: ReturnType<typeof startDrag>
  const endStop = stopOtherEvents()
  // Not the browser's own drag by a long press, where there is one.
  if (element.draggable) element.draggable = false
  const controller = new AbortController()
  const end = (isDropped: boolean) => {
    clearTimeout(timer)
    controller.abort()
    drag?.end(isDropped)
    drag = undefined
    endStop()
    if (element.getAttribute('draggable') === 'false') element.draggable = true
  }
  const lift = () => {
    clearTimeout(timer)
    drag = startDrag(element, start, hasCopy)
    if (!drag) end(false)
  }
  const timer = setTimeout(lift, LONG_PRESS_MS)
  const listen = (kind: string, listener: (event: TouchEvent) => void) =>
    target.addEventListener(kind, listener as EventListener, { passive: false, signal: controller.signal })
  listen('touchmove', (move) => {
    if (!move.cancelable) return end(false)
    const point = pointOf(move.touches[0]!)
    if (!drag && distance(point, start) > MAX_TREMBLE_PX) {
      if (!handle) return end(false)
      lift()
    }
    if (!drag) return
    move.preventDefault()
    drag.moveTo(point)
  })
  listen('touchend', (up) => {
    // No click follows a drag.
    if (drag) up.preventDefault()
    end(true)
  })
  listen('touchcancel', () => end(false))
  // A second finger.
  document.addEventListener('touchstart', () => end(false), { signal: controller.signal, capture: true })
}

/** Lets a finger drag the element, by its handle if it has one. Returns a function that ends it. */
export function dragByTouch(element: HTMLElement, options: Options): () => void {
  const area = (options.handle ?? element) as HTMLElement
  const controller = new AbortController()
  const { signal } = controller
  area.dataset.touchDrag = options.handle ? 'handle' : 'press'
  area.addEventListener(
    'touchstart',
    // A touch that stops a scroll can't be canceled, and drags nothing.
    (event) => event.cancelable && event.touches.length === 1 && followTouch(element, event, options),
    { passive: true, signal },
  )
  // Safari prevents a scroll only if this listener is there before the touch.
  area.addEventListener('touchmove', () => {}, { passive: false, signal })
  return () => controller.abort()
}
