import { useSyncExternalStore } from 'react'

const query = '(min-width: 900px)'

/** Whether there is room for more than one pane. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
