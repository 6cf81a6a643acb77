import {
  AlignLeft,
  AtSign,
  Calendar,
  ChevronsUpDown,
  CircleDot,
  Hash,
  ListChecks,
  type LucideIcon,
  Phone,
  SquareCheck,
  Type,
} from 'lucide-react'
import type { Kind } from './draft.ts'

/** The icons of the kinds of fields. */
export const KIND_ICONS: Record<Kind, LucideIcon> = {
  text: Type,
  paragraph: AlignLeft,
  number: Hash,
  email: AtSign,
  phone: Phone,
  choice: CircleDot,
  choices: ListChecks,
  dropdown: ChevronsUpDown,
  date: Calendar,
  consent: SquareCheck,
}
