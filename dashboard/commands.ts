/**
 * Defines the commands of every page, except opening pages. The palette, the keys, and the `?` sheet use
 * these values.
 */
import type en from './shell/en.json'
import type { Preferences } from './shell/preferences.ts'

export type Command<At, Key extends string = string> = {
  id: string
  title: Key
  /** In tinykeys syntax; single letters are off while the user types. */
  keys?: string
  /** Returns whether the command is possible now. */
  when?: (at: At) => boolean
  run: (at: At) => void
}

/** The state that commands of the frame act on. */
export type FrameAt = {
  /** True if the sandbox phone is available. */
  mayPlay: boolean
  preferences: Preferences
  openPalette: () => void
  openKeys: () => void
  togglePhone: () => void
  setPreferences: (patch: Partial<Preferences>) => void
  signOut: () => void
}

export const FRAME_COMMANDS: readonly Command<FrameAt, Extract<keyof typeof en, `command.${string}`>>[] = [
  { id: 'palette', title: 'command.palette', keys: '$mod+k', run: (at) => at.openPalette() },
  { id: 'keys', title: 'command.keys', keys: 'Shift+?', run: (at) => at.openKeys() },
  {
    id: 'phone',
    title: 'command.phone',
    keys: 'g p',
    when: (at) => at.mayPlay,
    run: (at) => at.togglePhone(),
  },
  {
    id: 'dark',
    title: 'command.dark',
    when: (at) => at.preferences.theme !== 'dark',
    run: (at) => at.setPreferences({ theme: 'dark' }),
  },
  {
    id: 'light',
    title: 'command.light',
    when: (at) => at.preferences.theme !== 'light',
    run: (at) => at.setPreferences({ theme: 'light' }),
  },
  {
    id: 'system',
    title: 'command.system',
    when: (at) => at.preferences.theme !== 'system',
    run: (at) => at.setPreferences({ theme: 'system' }),
  },
  {
    id: 'compact',
    title: 'command.compact',
    when: (at) => at.preferences.density === 'comfortable',
    run: (at) => at.setPreferences({ density: 'compact' }),
  },
  {
    id: 'comfortable',
    title: 'command.comfortable',
    when: (at) => at.preferences.density === 'compact',
    run: (at) => at.setPreferences({ density: 'comfortable' }),
  },
  { id: 'sign-out', title: 'command.signOut', run: (at) => at.signOut() },
]
