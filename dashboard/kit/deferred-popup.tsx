import { cloneElement, type KeyboardEvent, type ReactElement, type SyntheticEvent, useState } from 'react'

type Trigger = ReactElement<Record<string, unknown>>

/** The button of a popup until its first use, which loads and draws the popup. */
export function useDeferredPopup(
  trigger: Trigger,
  opens: 'menu' | 'dialog' | 'listbox',
  onOpen?: () => void,
) {
  const [isOpened, setOpened] = useState(false)
  const openOn =
    (name: string, isOpening: (event: SyntheticEvent) => boolean = () => true) =>
    (event: SyntheticEvent) => {
      ;(trigger.props[name] as ((event: SyntheticEvent) => void) | undefined)?.(event)
      if (!isOpening(event)) return
      setOpened(true)
      onOpen?.()
    }
  const closed = cloneElement(trigger, {
    'aria-haspopup': opens,
    'aria-expanded': isOpened,
    onClick: openOn('onClick'),
    onKeyDown: openOn('onKeyDown', (event) => {
      const isArrow = /^Arrow(Down|Up)$/.test((event as KeyboardEvent).key)
      if (isArrow) event.preventDefault()
      return isArrow
    }),
  })
  return { isOpened, closed }
}
