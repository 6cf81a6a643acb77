import type { ComponentProps } from 'react'
import { TextField } from '../../kit/field.tsx'
import { t } from '../words.ts'

/** Shows the colour of an item next to its name; an empty circle if it has none. */
export const ColourMark = ({ colour }: { colour: string | null }) => (
  <span
    aria-hidden
    className="size-3 shrink-0 rounded-full border border-edge"
    style={colour === null ? undefined : { backgroundColor: colour }}
  />
)

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'type'>

export const ColourField = (props: Props) => (
  <TextField {...props} label={t('colour')} type="color" inputClassName="max-w-24 p-1" />
)
