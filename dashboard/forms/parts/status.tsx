import { Badge, type Tone } from '../../kit/badge.tsx'
import type { Flow } from '../queries.ts'
import { t } from '../texts.ts'
import { CATEGORIES } from './draft.ts'

const TONES: Record<Flow['status'], Tone> = {
  draft: 'warn',
  published: 'good',
  deprecated: 'plain',
  blocked: 'bad',
  throttled: 'warn',
}

export const FormStatus = ({ status }: { status: Flow['status'] }) => (
  <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
)

/** Returns the labels of the categories; the operator may have others. */
export const categoryNames = ({ categories }: Pick<Flow, 'categories'>): string =>
  categories
    .map((name) => {
      const category = CATEGORIES.find((candidate) => candidate === name)
      return category ? t(`category.${category}`) : name
    })
    .join(', ')
