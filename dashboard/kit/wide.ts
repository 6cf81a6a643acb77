import { useSyncExternalStore } from 'react'

const mediaOf = (query: string) => ({
  subscribe(listener: () => void) {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  },
  read: () => matchMedia(query).matches,
})
const wide = mediaOf('(min-width: 900px)')
const roomy = mediaOf('(min-width: 1200px)')

/** Whether there is room for more than one pane. */
export const useIsWide = (): boolean => useSyncExternalStore(wide.subscribe, wide.read)

/** Whether there is room for what only helps beside what is written. */
export const useIsRoomy = (): boolean => useSyncExternalStore(roomy.subscribe, roomy.read)
