import { useRef } from 'react'

/** What stays: an entry of a menu is gone with it, and what opened the menu is not. */
function lastingOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/** Whether the focus is elsewhere by now: popups give it back when they have closed, and somebody may have gone on meanwhile. */
function isElsewhere(popup: HTMLElement | null): boolean {
  const active = document.activeElement
  if (!active || active === document.body || active.closest('[data-base-ui-focus-guard]')) return false
  return !popup?.contains(active)
}

/**
 * What has the focus again when a dialog closes: what had it as the dialog opened. A field of the dialog that takes it by itself does
 * so before Base UI looks who had it. False: nothing, the focus is elsewhere.
 */
export function useReturnFocus(open: boolean) {
  const popup = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  if (open && !wasOpen.current) opener.current = lastingOf(document.activeElement)
  wasOpen.current = open
  const finalFocus = (): HTMLElement | boolean =>
    isElsewhere(popup.current) ? false : opener.current?.isConnected ? opener.current : true
  return { popup, finalFocus }
}

/** The same of choices, a menu, or a pane: its button, which is not the one of before where it was loaded to open first. */
export function useButtonFocus() {
  const popup = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const finalFocus = (): HTMLElement | null | false => (isElsewhere(popup.current) ? false : button.current)
  return { popup, button, finalFocus }
}
