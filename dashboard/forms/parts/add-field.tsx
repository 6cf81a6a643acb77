/** Adds a field of a kind. */
import { Plus } from 'lucide-react'
import { Button } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../texts.ts'
import { KINDS, type Kind } from './draft.ts'
import { KIND_ICONS } from './kind-icons.ts'

export const AddField = ({ onAdd }: { onAdd: (kind: Kind) => void }) => (
  <Menu
    isSheet
    align="start"
    trigger={<Button icon={Plus}>{t('field.add')}</Button>}
    entries={KINDS.map((kind) => ({
      label: t(`kind.${kind}`),
      icon: KIND_ICONS[kind],
      onSelect: () => onAdd(kind),
    }))}
  />
)
