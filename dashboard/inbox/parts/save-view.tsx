/** A name for what the list shows, or another one for a view that is saved. */
import type { SavedView } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { questionOf, type ViewSearch } from '../view.ts'
import { t } from '../words.ts'
import { type Named, ViewDialog } from './view-dialog.tsx'

type Props = {
  open: boolean
  /** What is shown. */
  view: ViewSearch
  /** The view that gets another name; undefined: what is shown is saved as a new one. */
  saved: SavedView | undefined
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function SaveView({ view, saved, ...rest }: Props) {
  const save = (values: Named) =>
    saved
      ? call('PATCH /views/{id}', { params: { id: saved.id }, body: values })
      : call('POST /views', { body: { page: 'inbox', ...values, ...questionOf(view) } })
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
