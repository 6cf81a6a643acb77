import type { ComponentProps } from 'react'
import { TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'type'>

export const ColorField = (props: Props) => (
  <TextField {...props} label={t('color')} type="color" inputClassName="max-w-24 p-1" />
)
