import { classes } from './classes.ts'

const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')
const SIGNS: Record<string, string> = {
  $mod: isMac ? '⌘' : 'Ctrl',
  Shift: '⇧',
  Alt: isMac ? '⌥' : 'Alt',
  Enter: '↵',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

/** Returns `$mod+Shift+Enter` and `g i` as key labels. */
const keySigns = (keys: string): string[][] =>
  keys
    .split(' ')
    .map((chord) => chord.split('+').map((key) => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key)))

/** Shows the keys of a shortcut. */
export function Keys({ keys, inverse }: { keys: string; inverse?: boolean }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {keySigns(keys).map((chord) => (
        <kbd
          key={chord.join('+')}
          className={classes(
            'rounded-sm px-1 font-sans text-xs leading-4',
            inverse ? 'bg-surface-1/20' : 'border border-line bg-surface-2 text-ink-3',
          )}
        >
          {chord.join(isMac ? '' : ' ')}
        </kbd>
      ))}
    </span>
  )
}
