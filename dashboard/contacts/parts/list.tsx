/** Lists contacts in rows, with search, filters, selection, and bulk tags. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FileUp, Plus, Users } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { tagsQuery, useTagColors } from '../../api/tags.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { TagBadge } from '../../kit/color-mark.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty } from '../../kit/states.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { CONTACTS_COMMANDS } from '../commands.ts'
import { contactsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CONSENTS, type ContactsView, filterOf, isNarrowed, readView, searchOf } from '../view.ts'
import { BulkTags } from './bulk-tags.tsx'
import { ConsentBadge, nameOf, numberOf } from './person.tsx'

const NewContact = lazyPopup(() => import('./new-contact.tsx').then((module) => module.NewContact))

const ANY = 'any'
const MAX_TAGS = 3
const NONE: Contact[] = []

type Cells = {
  workspace: string
  currentId: string | undefined
  selected: ReadonlySet<string>
  /** Undefined for members who can't change contacts. */
  onSelect: ((id: string) => void) | undefined
}

function Tags({ tags }: Pick<Contact, 'tags'>) {
  const colors = useTagColors()
  return (
    <span className="flex flex-wrap gap-1">
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <TagBadge key={tag} name={tag} color={colors.get(tag)} />
      ))}
      {tags.length > MAX_TAGS && <Badge>+{tags.length - MAX_TAGS}</Badge>}
    </span>
  )
}

function columnsOf({ workspace, currentId, selected, onSelect }: Cells): Column<Contact>[] {
  return [
    ...(onSelect
      ? [
          {
            id: 'select',
            title: <span className="sr-only">{t('action.select')}</span>,
            className: 'w-10',
            cell: (contact: Contact) => (
              <Checkbox
                label={<span className="sr-only">{t('row.select', { name: nameOf(contact) })}</span>}
                checked={selected.has(contact.id)}
                onChange={() => onSelect(contact.id)}
              />
            ),
          },
        ]
      : []),
    {
      id: 'name',
      title: t('field.name'),
      cell: (contact) => (
        <>
          <Link
            data-contact={contact.id}
            to={`/w/${workspace}/contacts/${contact.id}` as never}
            className={classes(
              '-mx-1 rounded-sm px-1 font-medium hover:underline',
              contact.id === currentId && 'outline-1 outline-accent',
            )}
          >
            {nameOf(contact)}
          </Link>
          {contact.e164 && nameOf(contact) !== contact.e164 && (
            <span className="block text-sm text-ink-2 sm:hidden">
              <bdi dir="ltr">{contact.e164}</bdi>
            </span>
          )}
        </>
      ),
    },
    {
      id: 'phone',
      title: t('field.phone'),
      cell: (contact) => <span dir="ltr">{numberOf(contact)}</span>,
      hideBelow: 'sm',
      className: 'whitespace-nowrap',
    },
    {
      id: 'consent',
      title: t('field.consent'),
      cell: ({ optInStatus, blocked }) => (
        <span className="flex flex-wrap gap-1">
          <ConsentBadge consent={optInStatus} />
          {blocked && <Badge tone="bad">{t('blocked')}</Badge>}
        </span>
      ),
    },
    { id: 'tags', title: t('field.tags'), cell: ({ tags }) => <Tags tags={tags} />, hideBelow: 'md' },
    {
      id: 'seen',
      title: t('field.seen'),
      cell: ({ lastSeenAt }) => lastSeenAt && <Time at={lastSeenAt} className="text-sm text-ink-2" />,
      hideBelow: 'md',
      className: 'whitespace-nowrap',
    },
    {
      id: 'since',
      title: t('field.since'),
      cell: ({ createdAt }) => <Time at={createdAt} className="text-sm text-ink-2" />,
      hideBelow: 'lg',
      className: 'whitespace-nowrap',
    },
  ]
}

type FiltersProps = { view: ContactsView; onView: (patch: Partial<ContactsView>) => void }

function Filters({ view, onView }: FiltersProps) {
  const { data: tags = [] } = useQuery(tagsQuery)
  return (
    <>
      <div className="w-36 max-sm:order-2 max-sm:w-auto max-sm:flex-1">
        <Select
          name={t('filter.tag')}
          value={view.tag || ANY}
          onChange={(tag) => onView({ tag: tag === ANY ? '' : tag })}
          choices={[
            { value: ANY, label: t('filter.tag.any') },
            ...tags.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      </div>
      <div className="w-36 max-sm:order-2 max-sm:w-auto max-sm:flex-1">
        <Select
          name={t('filter.consent')}
          value={view.consent ?? ANY}
          onChange={(consent) => onView({ consent: CONSENTS.find((candidate) => candidate === consent) })}
          choices={[
            { value: ANY as string, label: t('filter.consent.any') },
            ...CONSENTS.map((value) => ({ value: value as string, label: t(`consent.${value}`) })),
          ]}
        />
      </div>
    </>
  )
}

export function ContactList({ workspace }: { workspace: string }) {
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'agent')
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const view = useMemo(() => readView(address), [address])
  const navigate = useNavigate()
  const query = useInfiniteQuery(contactsQuery(filterOf(view)))
  const contacts = query.data?.pages.flatMap((page) => page.contacts) ?? NONE
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [currentId, setCurrentId] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const current = contacts.find(({ id }) => id === currentId)

  const onView = (patch: Partial<ContactsView>) => {
    setSelected(new Set())
    void navigate({
      to: '.',
      search: searchOf({ ...view, ...patch }),
      replace: patch.search !== undefined,
    } as never)
  }
  const open = ({ id }: Contact) => void navigate({ to: `/w/${workspace}/contacts/${id}` } as never)
  const toImport = () => void navigate({ to: `/w/${workspace}/contacts/import` } as never)
  const toggle = (id: string) =>
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  useCommands(
    CONTACTS_COMMANDS,
    {
      contact: current,
      mayWrite,
      create: () => setAdding(true),
      importFile: toImport,
      open: () => current && open(current),
      select: () => current && toggle(current.id),
      search: () => searchField.current?.focus(),
      move: (by) => {
        const next = contacts[contacts.findIndex(({ id }) => id === currentId) + by] ?? current
        if (!next) return
        setCurrentId(next.id)
        document.querySelector(`[data-contact="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
      },
    },
    { title: t },
  )
  const chosen = contacts.filter(({ id }) => selected.has(id))
  const areAll = contacts.length > 0 && chosen.length === contacts.length
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-2 px-4 py-4 sm:px-6">
        <h1 className="me-2 min-w-fit text-lg font-semibold max-sm:flex-1">{t('title')}</h1>
        <Filters view={view} onView={onView} />
        <SearchField
          label={t('search')}
          value={view.search}
          onChange={(search) => onView({ search })}
          field={searchField}
          className="min-w-40 flex-1 max-sm:order-1 max-sm:basis-full"
        />
        {mayWrite && (
          <Button icon={FileUp} onClick={toImport}>
            {t('action.import')}
          </Button>
        )}
        {mayWrite && (
          <Button variant="primary" icon={Plus} keys="c" onClick={() => setAdding(true)}>
            {t('action.new')}
          </Button>
        )}
      </header>
      <div className="pane flex min-h-0 flex-1 flex-col px-4 pb-4 sm:px-6">
        <LoadedRows
          query={query}
          rows={contacts}
          empty={
            isNarrowed(view) ? (
              <Empty
                icon={Users}
                title={t('empty.filtered')}
                action={
                  <Button onClick={() => onView({ search: '', tag: '', consent: undefined })}>
                    {t('filter.clear')}
                  </Button>
                }
              />
            ) : (
              <Empty
                icon={Users}
                title={t('empty')}
                action={mayWrite && <Button onClick={toImport}>{t('action.import')}</Button>}
              >
                {t('empty.text')}
              </Empty>
            )
          }
        >
          {mayWrite && (
            <Checkbox
              label={t('select.all', { count: contacts.length })}
              checked={areAll}
              onChange={() => setSelected(new Set(areAll ? [] : contacts.map(({ id }) => id)))}
            />
          )}
          <Table
            label={t('title')}
            columns={columnsOf({
              workspace,
              currentId,
              selected,
              onSelect: mayWrite ? toggle : undefined,
            })}
            rows={contacts}
            keyOf={({ id }) => id}
          />
          <LoadMore query={query}>{t('more')}</LoadMore>
        </LoadedRows>
      </div>
      {chosen.length > 0 && (
        <BulkTags
          contacts={chosen}
          onDone={() => setSelected(new Set())}
          onClear={() => setSelected(new Set())}
        />
      )}
      <NewContact open={isAdding} onClose={() => setAdding(false)} onCreated={open} />
    </div>
  )
}
