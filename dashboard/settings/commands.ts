/** Defines the commands of the settings, for the palette and for keys. */
import type { Command } from '../commands.ts'
import type en from './en.json'

export type SettingsContext = { search: () => void }

export const SETTINGS_COMMANDS: readonly Command<
  SettingsContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [{ id: 'settings-search', title: 'action.search', keys: '/', run: (context) => context.search() }]
