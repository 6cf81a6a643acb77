/**
 * Moves the focus to the heading after a change of page within the tab; if the focus stays elsewhere,
 * announces the heading.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { POPUPS } from './commands-store.ts'

const findVisible = (around: ParentNode, selector: string): HTMLElement | undefined =>
  [...around.querySelectorAll<HTMLElement>(selector)].find((candidate) => candidate.checkVisibility())

type Heading = { element: HTMLElement | undefined; text: string | null | undefined }

/**
 * Returns the heading of the item open next to a list, otherwise of the page. Returns none while the open
 * item is loading.
 */
function readHeading(): Heading {
  const open = findVisible(document, '#page [data-detail]')
  const ofOpen = open && findVisible(open, 'h2')
  const isWaited = !ofOpen && open?.querySelector('[data-loading]')
  const element = ofOpen ?? (isWaited ? undefined : findVisible(document, '#page h1'))
  return { element, text: element?.textContent }
}

/** Returns whether the focus is in a useful place on the new page. */
function isKept(active: Element | null, before: Heading): boolean {
  const page = document.getElementById('page')
  if (!active || active === page || active === before.element) return false
  return page?.contains(active) === true && active.checkVisibility()
}

/** Returns the row of the item that was left, in the list of all items. */
const rowOf = (left: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLAnchorElement>('#page a')].find(
    (link) => link.pathname.endsWith(left) && link.checkVisibility(),
  )

const hasFocus = (element: HTMLElement | undefined): boolean => element === document.activeElement

function focusOn(element: HTMLElement): void {
  if (!element.matches('a')) element.tabIndex = -1
  element.focus()
}

type Change = { left: string; to: string; before: Heading; announce: (text: string) => void }

/**
 * Follows the drawing until the page is complete, or the user moves the focus. Returns a function that stops
 * it.
 */
function followPage({ left, to, before, announce }: Change): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const end = () => controller.abort()
  const isBack = left.startsWith(`${to}/`)
  let last = before
  /** The heading that got the focus, until a field of a part that loaded later takes it. */
  let focused: HTMLElement | undefined
  let frame: number | undefined
  const checkHeading = () => {
    frame = undefined
    const active = document.activeElement
    if (active?.closest(POPUPS)) return
    const now = readHeading()
    const { element, text } = now
    const isNew = element !== last.element || text !== last.text
    // After returning from an item to its list, the focus goes to the item's row, which may be drawn later.
    const row = isBack ? rowOf(left) : undefined
    if (element && isNew && (active === element || isKept(active, last))) announce(text ?? '')
    else if (element && isNew) {
      focusOn(row ?? element)
      focused = element
    } else if (focused && isKept(active, { element: focused, text })) {
      announce(text ?? '')
      focused = undefined
    } else if (row && active === element) focusOn(row)
    if (element) last = now
    const isAwaited = document.querySelector('#page [data-loading]') || (isBack && hasFocus(element))
    if (element && !isAwaited) end()
  }
  // Popups return the focus after they are removed.
  const scheduleCheck = () => {
    frame ??= requestAnimationFrame(checkHeading)
  }
  const observer = new MutationObserver(scheduleCheck)
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  signal.addEventListener('abort', () => {
    observer.disconnect()
    if (frame !== undefined) cancelAnimationFrame(frame)
  })
  addEventListener('pointerdown', end, { signal })
  addEventListener('keydown', ({ key }) => key === 'Tab' && end(), { signal })
  scheduleCheck()
  return end
}

/** Part of the frame, so that screen readers know it before its first announcement. */
export function PageFocus() {
  const router = useRouter()
  const [announcement, announce] = useState('')
  useEffect(() => {
    let before = readHeading()
    let end = () => {}
    const stops = [
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (!pathChanged) return
        end()
        before = readHeading()
        announce('')
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        if (fromLocation && pathChanged)
          end = followPage({
            left: fromLocation.pathname,
            to: toLocation.pathname,
            before,
            announce,
          })
      }),
      () => end(),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
  return (
    <p aria-live="polite" className="sr-only">
      {announcement}
    </p>
  )
}
