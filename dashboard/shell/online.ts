import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Returns whether the browser has a network. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
