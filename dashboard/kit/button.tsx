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
  /** The keys that do the same, shown in the button's tooltip. */
  keys?: string
  /** Something is under way: it cannot be pressed again, and says so. */
  busy?: boolean
  children: ReactNode
}

const stop = (event: SyntheticEvent): void => event.preventDefault()

type OnFocus = NonNullable<ButtonProps['onFocus']>

/** A button that was pressed, and rests now, keeps the focus until it is left: disabled as browsers know it, it would lose it. */
function useKeptFocus(
  { onClick, onFocus, onBlur }: Pick<ButtonProps, 'onFocus' | 'onBlur' | 'onClick'>,
  isResting: boolean,
) {
  const [isFocused, setFocused] = useState(false)
  const noting =
    (focused: boolean, next?: OnFocus): OnFocus =>
    (event) => {
      setFocused(focused)
      next?.(event)
    }
  return {
    disabled: isResting && !isFocused,
    'aria-disabled': isResting || undefined,
    onClick: isResting ? stop : onClick,
    onFocus: noting(true, onFocus),
    onBlur: noting(false, onBlur),
  }
}

/** What is said on it starts with a verb. */
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
  const kept = useKeptFocus(rest, Boolean(disabled || busy))
  const button = (
    <Base
      {...rest}
      {...kept}
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
  /** What it does, for who cannot see the icon, and in its tooltip. */
  label: string
  keys?: string
  size?: 'sm' | 'md'
  /** Whether what it switches is on. */
  pressed?: boolean
  /** Shows no tooltip: one that is open takes the first Escape. */
  plain?: boolean
}

/** A button of an icon alone. */
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
