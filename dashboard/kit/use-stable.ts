import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function that stays the same one and does what the latest drawing says. For what people do, never while something is drawn: so
 * that parts which are drawn only when something of theirs changes may have it.
 */
export function useStable<Args extends unknown[]>(handle: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(handle)
  useLayoutEffect(() => {
    latest.current = handle
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
