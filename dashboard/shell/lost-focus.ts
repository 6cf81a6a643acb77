/** What is taken away by a key takes the focus along: what stands in its place has it then, or the nearest beside that. */

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [role=checkbox], [role=switch]'

/** An element that holds what had the focus, and the place in it. */
type Place = { around: Element; at: number }

/** Where `element` stands, from within to the page. */
function placesOf(element: Element): Place[] {
  const places: Place[] = []
  for (let one = element; one.parentElement && one.id !== 'page'; one = one.parentElement)
    places.push({ around: one.parentElement, at: [...one.parentElement.children].indexOf(one) })
  return places
}

/** What follows comes first, then what is before, the nearest first. */
function nearestIn({ around, at }: Place): HTMLElement | undefined {
  const children = [...around.children]
  for (const child of [...children.slice(at), ...children.slice(0, at).reverse()]) {
    const found = [child, ...child.querySelectorAll('*')].find(
      (one): one is HTMLElement => one.matches(FOCUSABLE) && one.checkVisibility(),
    )
    if (found) return found
  }
  return undefined
}

const TYPING = 'input:not([type=checkbox]), textarea, select'

type Pressed = { element: Element; places: Place[]; path: string }

/** Listens until it is told to end. Whoever has a pointer sees where they are: nothing is done for them. */
export function keepLostFocus(): () => void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  const page = () => document.getElementById('page')
  let pressed: Pressed | undefined
  const give = () => {
    if (!pressed || pressed.element.isConnected || document.activeElement !== document.body) return
    // Another page has a heading for it.
    const places = pressed.path === location.pathname ? pressed.places : []
    pressed = undefined
    for (const place of places) {
      const next = place.around.isConnected ? nearestIn(place) : undefined
      if (next) return next.focus()
    }
  }
  // After whoever knows better: a frame is theirs.
  const observer = new MutationObserver(() => {
    if (pressed && !pressed.element.isConnected) requestAnimationFrame(() => requestAnimationFrame(give))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  const forget = () => {
    pressed = undefined
  }
  addEventListener(
    'keydown',
    ({ key, target }) => {
      if (!(target instanceof Element) || target.id === 'page' || !page()?.contains(target)) return
      const isDone = key === 'Enter' || (key.length === 1 && !target.matches(TYPING))
      pressed = isDone ? { element: target, places: placesOf(target), path: location.pathname } : undefined
    },
    options,
  )
  addEventListener(
    'focusin',
    ({ target }) => {
      if (target !== pressed?.element && page()?.contains(target as Node)) forget()
    },
    options,
  )
  addEventListener('pointerdown', forget, options)
  addEventListener('wheel', forget, { ...options, passive: true })
  return () => {
    ending.abort()
    observer.disconnect()
  }
}
