import { Button as Base } from '@base-ui/react/button'
import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, type SyntheticEvent, useState } from 'react'
import { classes } from './classes.ts'
import { Tooltip } from './tooltip.tsx'

const VARIANTS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-surface-1 text-ink-1 border border-edge hover:bg-surface-3',
  ghost: 'text-ink-2 hover:bg-surface-3 hover:text-ink-1',
  danger: 'bg-bad text-on-bad hover:opacity-90',
} as const
const SIZES = { sm: 'h-7 px-2.5 text-sm', md: 'h-9 px-3.5' } as const
const BASE =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none ' +
  'transition-colors duration-120 disabled:opacity-50 data-disabled:opacity-50 aria-disabled:opacity-50 pointer-coarse:min-h-11'

export type ButtonProps = ComponentProps<typeof Base> & {
  variant?: keyof typeof VARIANTS
  size?: keyof typeof SIZES
  icon?: LucideIcon
  /** The shortcut of the same action, shown in the button's tooltip. */
  keys?: string
  /** The action is running: the button can't be pressed again, and shows progress. */
  busy?: boolean
  children: ReactNode
}

const stop = (event: SyntheticEvent): void => event.preventDefault()

type OnFocus = NonNullable<ButtonProps['onFocus']>

/**
 * Keeps the focus on a pressed button that is now disabled, until the user leaves it: the `disabled`
 * attribute would lose the focus.
 */
function useKeptFocus(
  { onClick, onFocus, onBlur }: Pick<ButtonProps, 'onFocus' | 'onBlur' | 'onClick'>,
  isResting: boolean,
) {
  const [isFocused, setFocused] = useState(false)
  const trackFocus =
    (focused: boolean, next?: OnFocus): OnFocus =>
    (event) => {
      setFocused(focused)
      next?.(event)
    }
  return {
    disabled: isResting && !isFocused,
    'aria-disabled': isResting || undefined,
    onClick: isResting ? stop : onClick,
    onFocus: trackFocus(true, onFocus),
    onBlur: trackFocus(false, onBlur),
  }
}

/** A button. Its label starts with a verb. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Icon,
  keys,
  busy,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const focusProps = useKeptFocus(rest, Boolean(disabled || busy))
  const button = (
    <Base
      {...rest}
      {...focusProps}
      aria-busy={busy || undefined}
      className={classes(BASE, VARIANTS[variant], SIZES[size], className as string)}
    >
      {busy ? <Spinner /> : Icon && <Icon aria-hidden size={size === 'sm' ? 14 : 16} />}
      {children}
    </Base>
  )
  return keys ? (
    <Tooltip label={children} keys={keys}>
      {button}
    </Tooltip>
  ) : (
    button
  )
}

export type IconButtonProps = Omit<ComponentProps<typeof Base>, 'children'> & {
  icon: LucideIcon
  /** The action, for screen readers and for the tooltip. */
  label: string
  keys?: string
  size?: 'sm' | 'md'
  /** The state of a toggle button: true if it is on. */
  pressed?: boolean
  /** Shows no tooltip, because an open tooltip takes the first Escape. */
  plain?: boolean
}

/** A button with only an icon. */
export function IconButton({
  icon: Icon,
  label,
  keys,
  size = 'md',
  pressed,
  plain,
  className,
  ...rest
}: IconButtonProps) {
  const button = (
    <Base
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={classes(
        'inline-flex shrink-0 items-center justify-center rounded-md text-ink-2 transition-colors duration-120 hover:bg-surface-3 hover:text-ink-1 disabled:opacity-50 pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        size === 'sm' ? 'size-7' : 'size-9',
        pressed && 'bg-accent-soft text-accent',
        className as string,
      )}
    >
      <Icon aria-hidden size={size === 'sm' ? 15 : 18} />
    </Base>
  )
  return plain ? (
    button
  ) : (
    <Tooltip label={label} keys={keys}>
      {button}
    </Tooltip>
  )
}

const Spinner = () => (
  <span
    aria-hidden
    className="turn inline-block size-3.5 rounded-full border-2 border-current border-t-transparent"
  />
)
