/** Stores the currently available commands: those of the frame and of its content. */
import { useMatches } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { tinykeys } from 'tinykeys'
import type { Command } from '../commands.ts'
import { setChangedKeys } from '../kit/changed-keys.ts'
import { keysOn } from './changed-keys.ts'
import { currentPreferences } from './preferences.ts'

/** A command for the palette, the key listener, and the shortcut sheet. */
export type ActiveCommand = {
  id: string
  title: string
  keys?: string
  /** The default keys, before a member changed them. */
  writtenKeys?: string
  scope: 'page' | 'frame' | 'go'
  run: () => void
}

type Source = () => ActiveCommand[]
let sources: readonly Source[] = []
const listeners = new Set<() => void>()
let version = 0

function notifyListeners(): void {
  version++
  for (const listener of listeners) listener()
}

const activeCommands = (): ActiveCommand[] => sources.flatMap((source) => source())

// A control names its command's default keys; the command knows the current keys.
setChangedKeys((keys) => activeCommands().findLast((command) => command.writtenKeys === keys)?.keys ?? keys)

/** Redraws when commands are added or removed. */
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
 * Offers the commands of `table` while the component is shown. `when` and `run` are called with the `context`
 * of the last drawing.
 */
export function useCommands<Context, Key extends string>(
  table: readonly Command<Context, Key>[],
  context: Context,
  { scope = 'page', title }: { scope?: ActiveCommand['scope']; title: (key: Key) => string },
): void {
  const page = useMatches().at(-1)?.staticData.page ?? ''
  const current = useRef({ table, context, title, page })
  current.current = { table, context, title, page }
  const offeredIds = table
    .filter((command) => command.when?.(context) ?? true)
    .map(({ id }) => id)
    .join()
  useLayoutEffect(() => {
    const source: Source = () => {
      const { table, context, title, page } = current.current
      return table
        .filter((command) => command.when?.(context) ?? true)
        .map(({ id, title: key, keys, run }) => ({
          id,
          title: title(key),
          ...(keys && { keys: scope === 'page' ? keysOn(page, keys) : keys, writtenKeys: keys }),
          scope,
          run: () => run(current.current.context),
        }))
    }
    sources = [...sources, source]
    notifyListeners()
    return () => {
      sources = sources.filter((other) => other !== source)
      notifyListeners()
    }
  }, [scope])
  // A command may have become possible: the keys and the palette must include it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced when other commands are offered
  useLayoutEffect(notifyListeners, [offeredIds])
}

/** Runs a command as soon as it is offered. Returns a function that stops waiting. */
export function runWhenOffered(id: string): () => void {
  const check = () => {
    const command = activeCommands().findLast((candidate) => candidate.id === id)
    if (!command) return
    listeners.delete(check)
    command.run()
  }
  listeners.add(check)
  check()
  return () => listeners.delete(check)
}

const TYPING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'
const CONTROLS = 'a[href], button, summary, [role="button"], [role="tab"], [role="option"]'
/** Popups have the focus while they are open, and return it when they close. */
export const POPUPS = '[role="dialog"], [role="menu"], [role="listbox"], [role="alertdialog"]'
const isPlain = (keys: string): boolean => !keys.includes('$mod') && !keys.includes('Alt+')

/**
 * True if the previous key began a sequence such as `g i`: then this key ends it and is no shortcut itself.
 */
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
  // Before the listeners that read it.
  addEventListener('keydown', onKeyDown, { capture: true })
  return () => removeEventListener('keydown', onKeyDown, { capture: true })
}

let isPopupOpening = false
/** Tells whether a popup of the frame is open: until it is loaded and has the focus, letters belong to it. */
export const setPopupOpening = (isOpen: boolean): void => {
  isPopupOpening = isOpen
}

/**
 * Returns whether `keys` are a shortcut now: not while the user types, uses an input method, or has a popup
 * open.
 */
function mayFire(keys: string, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false
  if (!isPlain(keys)) return true
  if (isPopupOpening && keys !== 'Escape') return false
  if (endsSequence && !keys.includes(' ')) return false
  if (!currentPreferences().letters && keys !== 'Escape') return false
  const target = event.target as HTMLElement | null
  // A popup that closes keeps the focus until its animation ends; its keys belong to the page again.
  const isInPopup = target?.closest(POPUPS)?.matches('[data-closed]') === false
  // On a link or a button, Enter activates it.
  if (keys === 'Enter' && target?.closest(CONTROLS)) return false
  return !target?.closest(TYPING) && !isInPopup
}

/** Listens for the keys of every command; a command has keys as soon as it is visible. */
export function useKeyListener(): void {
  const commands = useActiveCommands()
  const keyList = [...new Set(commands.flatMap(({ keys }) => keys ?? []))].sort().join('\n')
  useLayoutEffect(() => {
    if (keyList === '') return
    const boundKeys = keyList.split('\n')
    const sequences = boundKeys.filter((keys) => keys.includes(' '))
    const onKeys = (keys: string) => (event: KeyboardEvent) => {
      if (!mayFire(keys, event)) return
      // The command offered last is nearest to the focus of the user.
      const command = activeCommands().findLast((candidate) => candidate.keys === keys)
      if (!command) return
      event.preventDefault()
      command.run()
    }
    const stops = [
      watchSequences(new Set(sequences.map((keys) => keys.split(' ')[0]!))),
      // Each in its own listener: otherwise an ignored letter at the end of a sequence would block the
      // sequence.
      // `mayFire` decides about fields: the library would ignore Ctrl+K there.
      ...boundKeys.map((keys) =>
        tinykeys(window, { [keys]: onKeys(keys) }, { ignore: ({ repeat }) => repeat }),
      ),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [keyList])
}
