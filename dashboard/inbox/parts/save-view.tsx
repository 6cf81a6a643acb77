/** Asks for the name of a new saved view, or for a new name of a saved view. */
import type { SavedView } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { t } from '../texts.ts'
import { savedFilterOf, type ViewSearch } from '../view.ts'
import { ViewDialog, type ViewValues } from './view-dialog.tsx'

type Props = {
  open: boolean
  /** The view in the list. */
  view: ViewSearch
  /** The view to rename; undefined to save the view in the list as a new one. */
  saved: SavedView | undefined
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function SaveView({ view, saved, ...rest }: Props) {
  const save = (values: ViewValues) =>
    saved
      ? call('PATCH /views/{id}', { params: { id: saved.id }, body: values })
      : call('POST /views', { body: { page: 'inbox', ...values, ...savedFilterOf(view) } })
  return (
    <ViewDialog
      {...rest}
      title={t(saved ? 'view.change' : 'view.save')}
      description={saved ? undefined : t('view.save.text')}
      values={{ name: saved?.name ?? '', shared: saved?.shared ?? false }}
      save={save}
    />
  )
}
