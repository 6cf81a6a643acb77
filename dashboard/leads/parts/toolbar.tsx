import { useQuery } from '@tanstack/react-query'
import { Bookmark, FileUp, Kanban, Plus, Rows3, Trash2, TriangleAlert } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { queryClient } from '../../api/cache.ts'
import { call } from '../../api/request.ts'
import { Count } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { Select } from '../../kit/select.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { attentionQuery } from '../attention-query.ts'
import { viewsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { isNarrowed, type LeadsView, SYSTEM_VIEWS } from '../view.ts'
import { FilterButton, FilterChips } from './filter.tsx'
import { OrderMenu } from './order-menu.tsx'

const SaveView = lazyPopup(() => import('./save-view.tsx').then((module) => module.SaveView))

type Props = {
  view: LeadsView
  onView: (patch: Partial<LeadsView>) => void
  mayWrite: boolean
  onCreate: () => void
  onImport: () => void
  onAttention: () => void
  searchField: RefObject<HTMLInputElement | null>
}

const isSaved = ({ view }: LeadsView): boolean => !view.startsWith('sys:')

/** Chooses, saves, and deletes the views of the workspace. */
function Views({ view, onView, mayWrite }: Props) {
  const { data: saved = [] } = useQuery(viewsQuery)
  const [asking, setAsking] = useState<'save' | 'delete'>()
  const chosen = saved.find(({ id }) => id === view.view)
  const remove = async () => {
    try {
      await call('DELETE /views/{id}', { params: { id: view.view } })
      onView({ view: 'sys:all', page: 1 })
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
    } catch (error) {
      notifyError(error)
    }
    setAsking(undefined)
  }
  return (
    <div className="flex items-center gap-1">
      <div className="w-36">
        <Select
          name={t('view.label')}
          value={view.view}
          onChange={(next) => onView({ view: next, page: 1 })}
          choices={[
            ...SYSTEM_VIEWS.map((value) => ({ value: value as string, label: t(`view.${value}`) })),
            ...saved.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      {mayWrite && !isSaved(view) && view.view === 'sys:all' && isNarrowed(view) && (
        <IconButton icon={Bookmark} label={t('view.save')} onClick={() => setAsking('save')} />
      )}
      {mayWrite && chosen && (
        <IconButton icon={Trash2} label={t('view.delete')} onClick={() => setAsking('delete')} />
      )}
      <SaveView
        open={asking === 'save'}
        view={view}
        onClose={() => setAsking(undefined)}
        onSaved={(id) => {
          setAsking(undefined)
          onView({ view: id, q: '', filters: {}, page: 1 })
        }}
      />
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(undefined)}
        title={t('view.delete.title', { name: chosen?.name ?? '' })}
        description={t('view.delete.text')}
        action={t('view.delete')}
        onConfirm={() => void remove()}
        danger
      />
    </div>
  )
}

/** Chooses the view and the layout, and adds leads. */
export function Toolbar(props: Props) {
  const { view, onView, mayWrite, onCreate, onImport, onAttention, searchField } = props
  const { data: attention = 0 } = useQuery(attentionQuery)
  return (
    // With little room, the title and the actions are in a row of their own.
    <header className="flex flex-wrap items-center gap-2 px-4 py-4 sm:px-6">
      <h1 className="me-2 text-lg font-semibold max-md:flex-1">{t('title')}</h1>
      <div className="flex flex-wrap items-center gap-2 max-md:order-last max-md:basis-full md:flex-1">
        <Views {...props} />
        {attention > 0 && (
          <Button icon={TriangleAlert} onClick={onAttention}>
            {t('action.attention')}
            <Count value={attention} label={t('attention.count', { count: attention })} />
          </Button>
        )}
        <FilterButton filters={view.filters} onChange={(filters) => onView({ filters, page: 1 })} />
        {view.layout === 'board' && <OrderMenu order={view.order} onOrder={(order) => onView({ order })} />}
        <SearchField
          label={t('search')}
          value={view.q}
          onChange={(q) => onView({ q, page: 1 })}
          field={searchField}
          className="min-w-40 flex-1"
        />
      </div>
      {mayWrite && <IconButton icon={FileUp} label={t('action.import')} onClick={onImport} />}
      <IconButton
        icon={view.layout === 'board' ? Rows3 : Kanban}
        label={t(view.layout === 'board' ? 'action.table' : 'action.board')}
        keys="v"
        onClick={() => onView({ layout: view.layout === 'board' ? 'table' : 'board' })}
      />
      {mayWrite && (
        <Button variant="primary" icon={Plus} keys="c" onClick={onCreate}>
          {t('action.new')}
        </Button>
      )}
      <FilterChips filters={view.filters} onChange={(filters) => onView({ filters, page: 1 })} />
    </header>
  )
}
