/** Stores the member's preferences in this browser. */
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../api/storage.ts'

export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'comfortable' | 'compact'
  /** True if single letters are shortcuts. */
  letters: boolean
  /** Changed letters of shortcuts: `page:letter` and its new letter. */
  keys: Record<string, string>
  /** For how long sending a message can be undone; 0: it is sent immediately. */
  undoSeconds: UndoSeconds
  /**
   * `sound`: a customer's message plays a sound. `notices`: it shows a desktop notification while no page is
   * visible.
   */
  sound: boolean
  notices: boolean
}

export const UNDO_SECONDS = [0, 3, 5, 10] as const
export type UndoSeconds = (typeof UNDO_SECONDS)[number]

const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'comfortable',
  letters: true,
  keys: {},
  undoSeconds: 0,
  sound: false,
  notices: false,
}
let preferences: Preferences = { ...DEFAULTS, ...readStored<Partial<Preferences>>('preferences') }
const listeners = new Set<() => void>()

/** The color of the phone's bars around the installed app, as in index.html. */
const BAR_COLORS = { light: '#ffffff', dark: '#0e1014' }

export function applyPreferences(): void {
  const { dataset } = document.documentElement
  if (preferences.theme === 'system') delete dataset.theme
  else dataset.theme = preferences.theme
  dataset.density = preferences.density
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const ofSystem = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = BAR_COLORS[preferences.theme === 'system' ? ofSystem : preferences.theme]
  }
}

export function setPreferences(patch: Partial<Preferences>): void {
  preferences = { ...preferences, ...patch }
  writeStored('preferences', preferences)
  applyPreferences()
  for (const listener of listeners) listener()
}

export const currentPreferences = (): Preferences => preferences

export const usePreferences = (): Preferences =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentPreferences)
