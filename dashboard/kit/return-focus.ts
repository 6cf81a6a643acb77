import { useRef } from 'react'

/** Returns the element that stays: an entry disappears with its menu, but the menu's button does not. */
function persistentElement(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/**
 * Returns whether the focus is elsewhere: popups return the focus after they close, and the user may have
 * moved it meanwhile.
 */
function isElsewhere(popup: HTMLElement | null): boolean {
  const active = document.activeElement
  if (!active || active === document.body || active.closest('[data-base-ui-focus-guard]')) return false
  return !popup?.contains(active)
}

/**
 * Returns the element that gets the focus when a dialog closes: the one that had it when the dialog opened,
 * read before a field of the dialog takes it. Returns false if the focus is elsewhere.
 */
export function useReturnFocus(open: boolean) {
  const popup = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  if (open && !wasOpen.current) opener.current = persistentElement(document.activeElement)
  wasOpen.current = open
  const finalFocus = (): HTMLElement | boolean =>
    isElsewhere(popup.current) ? false : opener.current?.isConnected ? opener.current : true
  return { popup, finalFocus }
}

/**
 * Returns the button of a select, menu, or popover for the focus. The button is a new element if the popup
 * was loaded to open first.
 */
export function useButtonFocus() {
  const popup = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const finalFocus = (): HTMLElement | null | false => (isElsewhere(popup.current) ? false : button.current)
  return { popup, button, finalFocus }
}
