import { call } from '../../api/request.ts'
import { ViewDialog, type ViewValues } from '../../inbox/parts/view-dialog.tsx'
import { t } from '../texts.ts'
import { conditionsOf, type LeadsView } from '../view.ts'

type Props = { open: boolean; view: LeadsView; onClose: () => void; onSaved: (id: string) => void }

/** Saves the current view under a name. */
export function SaveView({ view, onSaved, ...rest }: Props) {
  const save = (values: ViewValues) =>
    call('POST /views', {
      body: {
        ...values,
        ...(Object.keys(view.filters).length > 0 && {
          filter: { match: 'all', conditions: conditionsOf(view.filters) as never },
        }),
        ...(view.q.trim() && { q: view.q.trim() }),
        ...(view.sort && { sort: view.sort, dir: view.dir }),
      },
    })
  return (
    <ViewDialog
      {...rest}
      title={t('view.save')}
      values={{ name: '', shared: true }}
      save={save}
      onSaved={({ id }) => onSaved(id)}
    />
  )
}
