/**
 * Defines the commands of every page, except opening pages. The palette, the keys, and the `?` sheet use
 * these values.
 */
import type en from './shell/en.json'
import type { Preferences } from './shell/preferences.ts'

export type Command<Context, Key extends string = string> = {
  id: string
  title: Key
  /** In tinykeys syntax; single letters are off while the user types. */
  keys?: string
  /** Returns whether the command is possible now. */
  when?: (context: Context) => boolean
  run: (context: Context) => void
}

/** Returns the commands that move the keyboard selection in a list. */
export const moveCommands = (
  list: string,
): readonly Command<{ move: (by: 1 | -1) => void }, 'action.next' | 'action.previous'>[] => [
  { id: `${list}-next`, title: 'action.next', keys: 'j', run: (context) => context.move(1) },
  { id: `${list}-previous`, title: 'action.previous', keys: 'k', run: (context) => context.move(-1) },
]

/** Returns the command that opens the form for a new entry, for members who may create one. */
export const createCommand = <Key extends string>(
  id: string,
  title: Key,
): Command<{ mayWrite: boolean; create: () => void }, Key> => ({
  id,
  title,
  keys: 'c',
  when: (context) => context.mayWrite,
  run: (context) => context.create(),
})

/** The state that commands of the frame act on. */
export type FrameContext = {
  /** True if the sandbox phone is available. */
  mayPlay: boolean
  preferences: Preferences
  openPalette: () => void
  openKeys: () => void
  togglePhone: () => void
  setPreferences: (patch: Partial<Preferences>) => void
  /** Undefined on a page that can't be pinned. */
  togglePin: (() => void) | undefined
  signOut: () => void
}

export const FRAME_COMMANDS: readonly Command<FrameContext, Extract<keyof typeof en, `command.${string}`>>[] =
  [
    { id: 'palette', title: 'command.palette', keys: '$mod+k', run: (context) => context.openPalette() },
    { id: 'keys', title: 'command.keys', keys: 'Shift+?', run: (context) => context.openKeys() },
    {
      id: 'phone',
      title: 'command.phone',
      keys: 'g p',
      when: (context) => context.mayPlay,
      run: (context) => context.togglePhone(),
    },
    {
      id: 'dark',
      title: 'command.dark',
      when: (context) => context.preferences.theme !== 'dark',
      run: (context) => context.setPreferences({ theme: 'dark' }),
    },
    {
      id: 'light',
      title: 'command.light',
      when: (context) => context.preferences.theme !== 'light',
      run: (context) => context.setPreferences({ theme: 'light' }),
    },
    {
      id: 'system',
      title: 'command.system',
      when: (context) => context.preferences.theme !== 'system',
      run: (context) => context.setPreferences({ theme: 'system' }),
    },
    {
      id: 'compact',
      title: 'command.compact',
      when: (context) => context.preferences.density === 'comfortable',
      run: (context) => context.setPreferences({ density: 'compact' }),
    },
    {
      id: 'comfortable',
      title: 'command.comfortable',
      when: (context) => context.preferences.density === 'compact',
      run: (context) => context.setPreferences({ density: 'comfortable' }),
    },
    {
      id: 'pin',
      title: 'command.pin',
      keys: 'g .',
      when: (context) => context.togglePin !== undefined,
      run: (context) => context.togglePin?.(),
    },
    { id: 'sign-out', title: 'command.signOut', run: (context) => context.signOut() },
  ]
