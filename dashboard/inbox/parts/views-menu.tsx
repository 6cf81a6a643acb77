/** Shows the saved views, and the actions for them. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Bookmark, Pencil, Plus, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../../api/cache.ts'
import { call } from '../../api/request.ts'
import type { Command } from '../../commands.ts'
import { IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { viewsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { isSameList, savedFilterOf, unfiltered, VIEWS, type ViewSearch, viewOf } from '../view.ts'

const SaveView = lazyPopup(() => import('./save-view.tsx').then((module) => module.SaveView))

type Props = { view: ViewSearch; onView: (view: ViewSearch) => void }
/** The number of views with their own key. */
const KEYS = 9

/** Returns all tabs of the list in order: the fixed views, then the saved views. */
export function useTabs() {
  const { data: saved = [] } = useQuery(viewsQuery)
  return {
    saved,
    viewAt: (tab: string, now: ViewSearch): ViewSearch => {
      const savedView = saved.find(({ id }) => id === tab)
      if (savedView) return viewOf(savedView)
      const view = VIEWS.find((name) => name === tab) ?? 'all'
      // Filters stay when the tab changes; the filters of a saved view go with it.
      return now.saved ? { ...unfiltered(now), view } : { ...now, view }
    },
  }
}

/** `1` to `9` choose the tabs in order; the palette offers all of them by name. */
export function useTabKeys({ view, onView }: Props): void {
  const { saved, viewAt } = useTabs()
  const tabs = [
    ...VIEWS.map((id) => ({ id: id as string, name: t(`tab.${id}`) })),
    ...saved.map(({ id, name }) => ({ id, name })),
  ]
  useCommands(
    tabs.map(
      ({ id, name }, index): Command<Props> => ({
        id: `inbox-view-${id} ${name}`,
        title: t('view.show', { name }),
        ...(index < KEYS && { keys: String(index + 1) }),
        run: ({ view, onView }) => onView(viewAt(id, view)),
      }),
    ),
    { view, onView },
    { title: (name) => name },
  )
}

export function ViewsMenu({ view, onView, mayWrite }: Props & { mayWrite: boolean }) {
  const { saved } = useTabs()
  const [asking, setAsking] = useState<'save' | 'rename' | 'delete'>()
  const chosen = saved.find(({ id }) => id === view.saved)
  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
  const update = useMutation({
    mutationFn: () => call('PATCH /views/{id}', { params: { id: view.saved }, body: savedFilterOf(view) }),
    onSuccess: async () => {
      await refresh()
      notify({ title: t('view.updated', { name: chosen?.name ?? '' }) })
    },
    onError: notifyError,
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /views/{id}', { params: { id: view.saved } }),
    onSuccess: () => {
      onView(unfiltered({ ...view, view: 'all' }))
      return refresh()
    },
    onError: notifyError,
    onSettled: () => setAsking(undefined),
  })
  if (!mayWrite && saved.length === 0) return null
  const isChanged = chosen !== undefined && !isSameList(view, viewOf(chosen))
  const name = chosen?.name ?? ''
  const writing: MenuEntry[] = [
    ...(saved.length > 0 ? ['line' as const] : []),
    { label: t('view.save.menu'), icon: Plus, onSelect: () => setAsking('save') },
    ...(chosen
      ? [
          {
            label: t('view.update', { name }),
            icon: Save,
            disabled: !isChanged,
            onSelect: () => update.mutate(),
          },
          { label: t('view.rename', { name }), icon: Pencil, onSelect: () => setAsking('rename') },
          {
            label: t('view.delete', { name }),
            icon: Trash2,
            danger: true,
            onSelect: () => setAsking('delete'),
          },
        ]
      : []),
  ]
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton icon={Bookmark} label={t('view.menu')} pressed={chosen !== undefined || undefined} />
        }
        entries={[
          ...saved.map(
            (savedView): MenuEntry => ({
              label: savedView.name,
              checked: savedView.id === view.saved,
              onSelect: () => onView(viewOf(savedView)),
            }),
          ),
          ...(mayWrite ? writing : []),
        ]}
      />
      <SaveView
        open={asking === 'save' || asking === 'rename'}
        view={view}
        saved={asking === 'rename' ? chosen : undefined}
        onClose={() => setAsking(undefined)}
        onSaved={(savedView) => {
          setAsking(undefined)
          if (asking === 'save') onView(viewOf(savedView))
        }}
      />
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(undefined)}
        title={t('view.delete.title', { name })}
        description={t(chosen?.shared ? 'view.delete.shared' : 'view.delete.text')}
        action={t('view.delete.action')}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        danger
      />
    </>
  )
}
