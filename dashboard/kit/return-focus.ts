import { useRef } from 'react'

/** What stays: an entry of a menu is gone with it, and what opened the menu is not. */
function lastingOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/**
 * What has the focus again when a dialog closes: what had it as the dialog opened. A field of the dialog that takes it by itself does
 * so before Base UI looks who had it.
 */
export function useReturnFocus(open: boolean): () => HTMLElement | true {
  const opener = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  if (open && !wasOpen.current) opener.current = lastingOf(document.activeElement)
  wasOpen.current = open
  return () => (opener.current?.isConnected ? opener.current : true)
}

/** What has the focus again when a menu closes: its button, unless a dialog that an entry opened has it by now. */
export function focusAfterMenu(button: HTMLElement | null): HTMLElement | null | false {
  const dialog = document.activeElement?.closest('[role=dialog]')
  return dialog && !dialog.contains(button) ? false : button
}
