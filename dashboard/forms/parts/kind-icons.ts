import {
  AlignLeft,
  CalendarDays,
  ChevronDown,
  CircleCheck,
  CircleDot,
  Hash,
  ListChecks,
  type LucideIcon,
  Mail,
  Phone,
  Type,
} from 'lucide-react'
import type { Kind } from './draft.ts'

/** The icons of the kinds of fields. */
export const KIND_ICONS: Record<Kind, LucideIcon> = {
  text: Type,
  paragraph: AlignLeft,
  number: Hash,
  email: Mail,
  phone: Phone,
  choice: CircleDot,
  choices: ListChecks,
  dropdown: ChevronDown,
  date: CalendarDays,
  consent: CircleCheck,
}
