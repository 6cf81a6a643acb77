import { useSyncExternalStore } from 'react'

const mediaOf = (query: string) => ({
  subscribe(listener: () => void) {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  },
  read: () => matchMedia(query).matches,
})

/** True if the sandbox phone is next to the page (`data-beside` in styles.css, which has the same widths). */
let isBeside = false
const listeners = new Set<() => void>()

/**
 * Sets whether the sandbox phone is next to the page. The frame calls this when the phone opens or closes.
 */
export function setPhoneBeside(next: boolean): void {
  if (next === isBeside) return
  isBeside = next
  for (const listener of listeners) listener()
}

/** Tracks the window's width, and the sandbox phone next to the page. */
const widthOf = (alone: string, beside: string) => {
  const medias = { alone: mediaOf(`(min-width: ${alone})`), beside: mediaOf(`(min-width: ${beside})`) }
  return {
    subscribe(listener: () => void) {
      const ends = [medias.alone.subscribe(listener), medias.beside.subscribe(listener)]
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        for (const end of ends) end()
      }
    },
    read: () => medias[isBeside ? 'beside' : 'alone'].read(),
  }
}
const wide = widthOf('900px', '1468px')
const roomy = widthOf('1200px', '1600px')

/** Returns whether there is room for more than one pane. */
export const useIsWide = (): boolean => useSyncExternalStore(wide.subscribe, wide.read)

/** Returns whether there is room for optional content next to the main content. */
export const useIsRoomy = (): boolean => useSyncExternalStore(roomy.subscribe, roomy.read)
