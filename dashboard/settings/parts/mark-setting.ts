/** Leads from a search result to its field. */

const NAMES = '#page [data-part] :is(h1, h2, h3, legend, label, label > span)'
/** A section may still be reading its data. */
const PATIENCE_MS = 8_000
const MARKED_MS = 2_500

const findNamed = (name: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(NAMES)].find(
    (element) => element.textContent.trim() === name && element.checkVisibility(),
  )

/** Returns the control of a label, or of the switch with this text. */
function controlOf(element: HTMLElement): HTMLElement | undefined {
  const label = element.closest('label')
  const named = label?.htmlFor ? document.getElementById(label.htmlFor) : null
  return (
    named ?? label?.querySelector<HTMLElement>('[role=switch], [role=checkbox], input, button') ?? undefined
  )
}

function mark(element: HTMLElement): void {
  const control = controlOf(element)
  const around = element.closest('h2') ? element.closest('section') : element.parentElement
  const shown =
    (element.closest('label')?.contains(control ?? null) ? element.closest('label') : around) ?? element
  shown.scrollIntoView({ block: element.closest('h2') ? 'start' : 'center' })
  shown.dataset.marked = ''
  setTimeout(() => delete shown.dataset.marked, MARKED_MS)
  if (!control) element.tabIndex = -1
  ;(control ?? element).focus({ preventScroll: true })
}

/**
 * Marks the field or the part with this name for a moment and moves the focus to it, as soon as it is drawn.
 * Returns a function that stops waiting.
 */
export function markSetting(name: string): () => void {
  const timers: ReturnType<typeof setTimeout>[] = []
  const observer = new MutationObserver(() => check())
  const end = () => {
    observer.disconnect()
    for (const timer of timers) clearTimeout(timer)
  }
  const check = (): boolean => {
    const element = findNamed(name)
    if (!element) return false
    end()
    mark(element)
    return true
  }
  if (!check()) {
    observer.observe(document.body, { childList: true, subtree: true })
    timers.push(setTimeout(end, PATIENCE_MS))
  }
  return end
}
