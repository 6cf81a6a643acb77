import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * Returns a function with a constant identity that runs the latest `handle`, so that memoized components can
 * receive it. For event handlers only, never while drawing.
 */
export function useStable<Args extends unknown[]>(handle: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(handle)
  useLayoutEffect(() => {
    latest.current = handle
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
