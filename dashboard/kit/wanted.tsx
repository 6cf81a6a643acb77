import { cloneElement, type KeyboardEvent, type ReactElement, type SyntheticEvent, useState } from 'react'

type Trigger = ReactElement<Record<string, unknown>>

/** The button of a popup until its first use, which loads and draws the popup. */
export function useWanted(trigger: Trigger, opens: 'menu' | 'dialog' | 'listbox', onWanted?: () => void) {
  const [isWanted, setWanted] = useState(false)
  const openOn =
    (name: string, isAsked: (event: SyntheticEvent) => boolean = () => true) =>
    (event: SyntheticEvent) => {
      ;(trigger.props[name] as ((event: SyntheticEvent) => void) | undefined)?.(event)
      if (!isAsked(event)) return
      setWanted(true)
      onWanted?.()
    }
  const closed = cloneElement(trigger, {
    'aria-haspopup': opens,
    'aria-expanded': isWanted,
    onClick: openOn('onClick'),
    onKeyDown: openOn('onKeyDown', (event) => {
      const isArrow = /^Arrow(Down|Up)$/.test((event as KeyboardEvent).key)
      if (isArrow) event.preventDefault()
      return isArrow
    }),
  })
  return { isWanted, closed }
}
