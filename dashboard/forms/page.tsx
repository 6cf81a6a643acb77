/** Shows the in-chat forms: designs, states, and answers. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ClipboardList, Plus } from 'lucide-react'
import { useRef } from 'react'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { EditorFrame, ListFrame } from '../kit/list-frame.tsx'
import { LoadedRows } from '../kit/loaded-rows.tsx'
import { SearchField } from '../kit/search-field.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { FORM_COMMANDS } from './commands.ts'
import { FormDetail } from './detail.tsx'
import { FormEditor } from './editor.tsx'
import { formatCounts } from './parts/format-counts.ts'
import { categoryNames, FormStatus } from './parts/status.tsx'
import { type Flow, formQuery, formsQuery } from './queries.ts'
import { t } from './texts.ts'

const NEW = 'new'

/** The page that designs a form; `id`: the draft to change, or the form to copy. */
function Design({ id, isCopy, listPath }: { id: string | undefined; isCopy: boolean; listPath: string }) {
  const navigate = useNavigate()
  const {
    data: form,
    isLoadingError,
    error,
    refetch,
  } = useQuery({ ...formQuery(id ?? ''), enabled: Boolean(id) })
  const back = id === undefined ? listPath : `${listPath}/${id}`
  return (
    <EditorFrame
      title={form ? t(isCopy ? 'copy.title' : 'edit.title', { name: form.name }) : t('create.title')}
      description={t('create.text')}
      back={back}
      backLabel={t('back')}
    >
      {isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : id !== undefined && !form ? (
        <SkeletonRows />
      ) : (
        <FormEditor
          form={form}
          isCopy={isCopy}
          onSaved={(saved) => void navigate({ to: `${listPath}/${saved.id}` })}
        />
      )}
    </EditorFrame>
  )
}

function Row({ form, to, isOpen, q }: { form: Flow; to: string; isOpen: boolean; q: string }) {
  return (
    <li>
      <Link
        to={to}
        search={(q ? { q } : {}) as never}
        aria-current={isOpen ? 'page' : undefined}
        className={classes(
          'flex flex-col gap-1 border-b px-4 py-2.5 focus-visible:-outline-offset-2',
          isOpen ? 'bg-accent-soft' : 'hover:bg-surface-2',
        )}
      >
        <span className="flex items-center gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {form.name}
          </span>
          <FormStatus status={form.status} />
        </span>
        <span className="text-xs text-ink-3">{categoryNames(form)}</span>
        {(form.published || form.sent > 0) && (
          <span className="text-xs text-ink-2 tabular-nums">{formatCounts(form)}</span>
        )}
      </Link>
    </li>
  )
}

export default function FormsPage() {
  const { workspace, form: openId } = useParams({ strict: false }) as { workspace: string; form?: string }
  const { q, change, copy } = useSearch({ strict: false }) as { q?: unknown; change?: string; copy?: string }
  const search = typeof q === 'string' || typeof q === 'number' ? String(q) : ''
  const listPath = `/w/${workspace}/forms`
  const mayWrite = hasRole(useWorkspaceSession(workspace).member.role, 'agent')
  const navigate = useNavigate()
  const query = useQuery(formsQuery)
  const searchField = useRef<HTMLInputElement>(null)
  const create = () => void navigate({ to: `${listPath}/${NEW}` })
  useCommands(FORM_COMMANDS, { mayWrite, create, search: () => searchField.current?.focus() }, { title: t })
  const source = change ?? copy
  if (openId === NEW && mayWrite)
    return <Design key={source ?? NEW} id={source} isCopy={change === undefined} listPath={listPath} />
  const words = search.trim().toLowerCase()
  const forms = (query.data ?? []).filter(({ name }) => name.toLowerCase().includes(words))
  const createButton = mayWrite && (
    <Button variant="primary" icon={Plus} keys="c" onClick={create}>
      {t('create')}
    </Button>
  )
  return (
    <ListFrame
      title={t('title')}
      open={openId !== undefined && openId !== NEW}
      actions={createButton}
      filters={
        <SearchField
          label={t('search')}
          field={searchField}
          value={search}
          onChange={(text) =>
            void navigate({
              to: '.',
              search: (before: object) => ({ ...before, q: text || undefined }),
              replace: true,
            } as never)
          }
        />
      }
      list={
        <LoadedRows
          query={query}
          rows={forms}
          empty={
            <Empty
              icon={ClipboardList}
              title={t(words ? 'empty.filtered' : 'empty')}
              action={words ? undefined : createButton}
            >
              {t(words ? 'empty.filtered.text' : 'empty.text')}
            </Empty>
          }
        >
          <ul aria-label={t('title')}>
            {forms.map((form) => (
              <Row
                key={form.id}
                form={form}
                to={`${listPath}/${form.id}`}
                isOpen={form.id === openId}
                q={search}
              />
            ))}
          </ul>
        </LoadedRows>
      }
      detail={
        openId && openId !== NEW ? (
          <FormDetail
            key={openId}
            id={openId}
            workspace={workspace}
            listPath={listPath}
            mayWrite={mayWrite}
            onChange={() => void navigate({ to: `${listPath}/${NEW}`, search: { change: openId } } as never)}
            onCopy={() => void navigate({ to: `${listPath}/${NEW}`, search: { copy: openId } } as never)}
            onGone={() => void navigate({ to: listPath })}
          />
        ) : (
          <Empty icon={ClipboardList} title={t('choose')} />
        )
      }
    />
  )
}
