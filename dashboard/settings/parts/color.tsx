import type { ComponentProps } from 'react'
import { TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'

/** Shows the color of an item next to its name; an empty circle if it has none. */
export const ColorMark = ({ color }: { color: string | null }) => (
  <span
    aria-hidden
    className="size-3 shrink-0 rounded-full border border-edge"
    style={color === null ? undefined : { backgroundColor: color }}
  />
)

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'type'>

export const ColorField = (props: Props) => (
  <TextField {...props} label={t('color')} type="color" inputClassName="max-w-24 p-1" />
)
