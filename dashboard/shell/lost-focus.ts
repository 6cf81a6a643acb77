/**
 * Moves the focus when a key press removes the focused element: to the element in its place, or to the
 * nearest one.
 */

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [role=checkbox], [role=switch]'

/** An ancestor of the focused element, and the element's index in it. */
type Place = { around: Element; index: number }

/** Returns the places of `element`, from the innermost ancestor to the page. */
function placesOf(element: Element): Place[] {
  const places: Place[] = []
  for (let current = element; current.parentElement && current.id !== 'page'; current = current.parentElement)
    places.push({
      around: current.parentElement,
      index: [...current.parentElement.children].indexOf(current),
    })
  return places
}

/** Returns the nearest focusable element: following elements first, then preceding ones. */
function nearestIn({ around, index }: Place): HTMLElement | undefined {
  const children = [...around.children]
  for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
    const found = [child, ...child.querySelectorAll('*')].find(
      (candidate): candidate is HTMLElement => candidate.matches(FOCUSABLE) && candidate.checkVisibility(),
    )
    if (found) return found
  }
  return undefined
}

const TYPING = 'input:not([type=checkbox]), textarea, select'

type PressedElement = { element: Element; places: Place[]; path: string }

/**
 * Listens for lost focus; returns a function that stops it. Does nothing after a pointer action, because the
 * user sees the pointer.
 */
export function keepLostFocus(): () => void {
  const controller = new AbortController()
  const options = { capture: true, signal: controller.signal }
  const page = () => document.getElementById('page')
  let pressedControl: PressedElement | undefined
  const restoreFocus = () => {
    if (!pressedControl || pressedControl.element.isConnected || document.activeElement !== document.body)
      return
    // A new page moves the focus to its heading.
    const places = pressedControl.path === location.pathname ? pressedControl.places : []
    pressedControl = undefined
    for (const place of places) {
      const next = place.around.isConnected ? nearestIn(place) : undefined
      if (next) return next.focus()
    }
  }
  // Waits a frame longer than other code, which may know a better place for the focus.
  const observer = new MutationObserver(() => {
    if (pressedControl && !pressedControl.element.isConnected)
      requestAnimationFrame(() => requestAnimationFrame(restoreFocus))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  const forget = () => {
    pressedControl = undefined
  }
  addEventListener(
    'keydown',
    ({ key, target }) => {
      if (!(target instanceof Element) || target.id === 'page' || !page()?.contains(target)) return
      const isDone = key === 'Enter' || (key.length === 1 && !target.matches(TYPING))
      pressedControl = isDone
        ? { element: target, places: placesOf(target), path: location.pathname }
        : undefined
    },
    options,
  )
  addEventListener(
    'focusin',
    ({ target }) => {
      if (target !== pressedControl?.element && page()?.contains(target as Node)) forget()
    },
    options,
  )
  addEventListener('pointerdown', forget, options)
  addEventListener('wheel', forget, { ...options, passive: true })
  return () => {
    controller.abort()
    observer.disconnect()
  }
}
