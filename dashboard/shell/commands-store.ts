/** The commands that can be given now: those of the frame and of what is shown in it. */
import { useMatches } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { tinykeys } from 'tinykeys'
import type { Command } from '../commands.ts'
import { setChangedKeys } from '../kit/changed-keys.ts'
import { keysOn } from './changed-keys.ts'
import { currentPreferences } from './preferences.ts'

/** A command as the palette, the key listener and the sheet see it. */
export type ActiveCommand = {
  id: string
  title: string
  keys?: string
  /** Before somebody changed them. */
  writtenKeys?: string
  scope: 'page' | 'frame' | 'go'
  run: () => void
}

type Source = () => ActiveCommand[]
let sources: readonly Source[] = []
const listeners = new Set<() => void>()
let version = 0

function changed(): void {
  version++
  for (const listener of listeners) listener()
}

const activeCommands = (): ActiveCommand[] => sources.flatMap((source) => source())

// A control names the keys of its command; what they are now is the command's to say.
setChangedKeys((keys) => activeCommands().findLast((one) => one.writtenKeys === keys)?.keys ?? keys)

/** Redraws when commands come or go. */
export function useActiveCommands(): ActiveCommand[] {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => version,
  )
  return activeCommands()
}

/**
 * Offers the commands of `table` as long as the component is shown. They are asked anew every time: `when` and `run` see the `at` of
 * the last drawing.
 */
export function useCommands<At, Key extends string>(
  table: readonly Command<At, Key>[],
  at: At,
  { scope = 'page', title }: { scope?: ActiveCommand['scope']; title: (key: Key) => string },
): void {
  const page = useMatches().at(-1)?.staticData.page ?? ''
  const current = useRef({ table, at, title, page })
  current.current = { table, at, title, page }
  const offered = table
    .filter((command) => command.when?.(at) ?? true)
    .map(({ id }) => id)
    .join()
  useLayoutEffect(() => {
    const source: Source = () => {
      const { table, at, title, page } = current.current
      return table
        .filter((command) => command.when?.(at) ?? true)
        .map(({ id, title: key, keys, run }) => ({
          id,
          title: title(key),
          ...(keys && { keys: scope === 'page' ? keysOn(page, keys) : keys, writtenKeys: keys }),
          scope,
          run: () => run(current.current.at),
        }))
    }
    sources = [...sources, source]
    changed()
    return () => {
      sources = sources.filter((one) => one !== source)
      changed()
    }
  }, [scope])
  // What could not be done before may be possible now: its keys are listened to, and the palette shows it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced when other commands are offered
  useLayoutEffect(changed, [offered])
}

const TYPING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'
const CONTROLS = 'a[href], button, summary, [role="button"], [role="tab"], [role="option"]'
/** They have the focus while they are open, and give it back as they close. */
export const POPUPS = '[role="dialog"], [role="menu"], [role="listbox"], [role="alertdialog"]'
const isPlain = (keys: string): boolean => !keys.includes('$mod') && !keys.includes('Alt+')

/** Whether the key before this one began a sequence such as `g i`: then this one is its end and no shortcut of its own. */
let endsSequence = false
let beganAt = Number.NEGATIVE_INFINITY
const SEQUENCE_MS = 1_000
const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta']

function watchSequences(firstKeys: ReadonlySet<string>): () => void {
  const onKeyDown = ({ key, timeStamp }: KeyboardEvent) => {
    if (MODIFIERS.includes(key)) return
    endsSequence = timeStamp - beganAt < SEQUENCE_MS
    beganAt = !endsSequence && firstKeys.has(key) ? timeStamp : Number.NEGATIVE_INFINITY
  }
  // Before those who ask.
  addEventListener('keydown', onKeyDown, { capture: true })
  return () => removeEventListener('keydown', onKeyDown, { capture: true })
}

/** Whether `keys` are a shortcut at this moment: not where somebody types, composes or answers a dialog. */
function mayFire(keys: string, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false
  if (!isPlain(keys)) return true
  if (endsSequence && !keys.includes(' ')) return false
  if (!currentPreferences().letters && keys !== 'Escape') return false
  const target = event.target as HTMLElement | null
  // On a link or a button Enter does what that does.
  if (keys === 'Enter' && target?.closest(CONTROLS)) return false
  return !target?.closest(TYPING) && !target?.closest(POPUPS)
}

/** Listens to the keyboard for every command that has keys: what is seen can be done by them at once. */
export function useKeyListener(): void {
  const commands = useActiveCommands()
  const bound = [...new Set(commands.flatMap(({ keys }) => keys ?? []))].sort().join('\n')
  useLayoutEffect(() => {
    if (bound === '') return
    const all = bound.split('\n')
    const sequences = all.filter((keys) => keys.includes(' '))
    const onKeys = (keys: string) => (event: KeyboardEvent) => {
      if (!mayFire(keys, event)) return
      // What was offered last is nearest to what is looked at.
      const command = activeCommands().findLast((one) => one.keys === keys)
      if (!command) return
      event.preventDefault()
      command.run()
    }
    const stops = [
      watchSequences(new Set(sequences.map((keys) => keys.split(' ')[0]!))),
      // Each by itself: a letter that rests at the end of a sequence would else stand in the sequence's way.
      ...all.map((keys) => tinykeys(window, { [keys]: onKeys(keys) })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [bound])
}
