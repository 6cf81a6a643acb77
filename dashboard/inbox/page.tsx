/** Shows the inbox: the list of chats, the open chat, and its details. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ListedConversation } from '../../sdk/api.ts'
import { onChange, queryClient } from '../api/cache.ts'
import { recoverDelayed } from '../api/outbox.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { mayBeSignedIn } from '../api/shown-account.ts'
import { classes } from '../kit/classes.ts'
import { lazyComponent, lazyPopup } from '../kit/lazy.tsx'
import { Empty } from '../kit/states.tsx'
import { useIsRoomy } from '../kit/width.ts'
import { useCommands } from '../shell/commands-store.ts'
import { INBOX_COMMANDS } from './commands.ts'
import { draftOf, setDraft } from './draft.ts'
import { useDraftSync } from './draft-sync.ts'
import { Chat } from './parts/chat.tsx'
import { ConversationList } from './parts/list.tsx'
import {
  changesQuery,
  conversationRows,
  conversationsQuery,
  notesQuery,
  prefetchChat,
  refreshMentions,
} from './queries.ts'
import { t } from './texts.ts'
import { restoreDraft } from './undo-send.ts'
import { takeNext } from './use-actions.ts'
import { useOpenChat } from './use-open-chat.ts'
import { usePlace } from './use-place.ts'
import { useSelection } from './use-selection.ts'
import { partFilters, readView, searchOf, type ViewSearch, withoutHit } from './view.ts'

/**
 * Notes and changes belong to their chats, so the stream names the chat. Messages of a closed chat are read again when it
 * opens.
 */
function useLiveChats(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChange('conversation', (ids) => {
        const named = ids === 'many' ? [undefined] : ids
        for (const id of named) {
          void client.invalidateQueries({ queryKey: id === undefined ? ['note'] : notesQuery(id).queryKey })
          void client.invalidateQueries({
            queryKey: id === undefined ? ['change'] : changesQuery(id).queryKey,
          })
          void client.invalidateQueries({
            queryKey: id === undefined ? ['message'] : ['message', 'of', id],
            refetchType: 'none',
          })
        }
      }),
    [client],
  )
}

/** Preloads the chats next to the open chat. */
function usePrefetchedNeighbors(
  openId: string | undefined,
  hasRows: boolean,
  neighbor: (by: 1 | -1) => string | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each chat, as soon as there are rows
  useEffect(() => {
    if (openId === undefined) return
    for (const by of [-1, 1] as const) {
      const id = neighbor(by)
      if (id) prefetchChat(id)
    }
  }, [openId, hasRows])
}

/** Moves the focus to the row of a closed or keyboard-selected chat as soon as the row exists. */
const focusRow = (id: string | undefined): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-conversation="${id}"]`)?.focus())
}

/**
 * Requests the list before anything is drawn. A visitor who is not signed in goes to sign-in, and nothing is
 * read.
 */
export function readAhead(search: Record<string, unknown>): void {
  const view = readView(search)
  if (mayBeSignedIn() && view.view !== 'mentions')
    for (const filter of partFilters(view))
      if (filter) void queryClient.prefetchInfiniteQuery(conversationsQuery(filter))
}

/**
 * Decides whether to show the details: next to the chat unless they were closed, and over it only on request.
 * A window that becomes narrow does not cover the composer.
 */
function useSide(): [boolean, (isOpen: boolean) => void] {
  const isRoomy = useIsRoomy()
  const [chosen, setChosen] = useState({ isRoomy, isOpen: isRoomy })
  const isOpen = chosen.isRoomy === isRoomy ? chosen.isOpen : isRoomy
  return [isOpen, (open) => setChosen({ isRoomy, isOpen: open })]
}

const AssignFinder = lazyPopup(() =>
  import('./parts/assign-finder.tsx').then((module) => module.AssignFinder),
)
const BulkBar = lazyComponent(() => import('./parts/bulk-bar.tsx').then((module) => module.BulkBar))
const MacroFinder = lazyPopup(() => import('./parts/macro-finder.tsx').then((module) => module.MacroFinder))
const SnoozeFinder = lazyPopup(() =>
  import('./parts/snooze-finder.tsx').then((module) => module.SnoozeFinder),
)

/** The list of each workspace as it was last. */
const lastViews = new Map<string, ViewSearch>()

/** Returns the list that the address names. A chat that was opened from elsewhere is beside the list as it was last. */
function useView(workspace: string, openId: string | undefined): ViewSearch {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  return useMemo(() => {
    const named = readView(search)
    const isNamed = !openId || Object.keys(searchOf(named)).length > 0
    const view = isNamed ? named : (lastViews.get(workspace) ?? named)
    lastViews.set(workspace, view)
    return view
  }, [workspace, openId, search])
}

type Shown = { rows: readonly ListedConversation[]; list: string }

export const lists = [conversationRows]
export const changeRules = { notification: refreshMentions }

export default function InboxPage() {
  const { workspace, conversation: openId } = useParams({ strict: false }) as {
    workspace: string
    conversation?: string
  }
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'agent')
  const view = useView(workspace, openId)
  const [{ rows, list }, setShown] = useState<Shown>({ rows: [], list: '' })
  const [currentId, setCurrentId] = useState(openId)
  const [isPicking, setPicking] = useState(false)
  const [isAssigning, setAssigning] = useState(false)
  const [isSnoozing, setSnoozing] = useState(false)
  const [isRunning, setRunning] = useState(false)
  /** How often the member asked to find in the open chat; 0 hides the search. */
  const [finding, setFinding] = useState(0)
  const [isSideOpen, setSideOpen] = useSide()
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const selection = useSelection(ids)
  const field = useRef<HTMLTextAreaElement>(null)
  const tagField = useRef<HTMLInputElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  useLiveChats()
  useEffect(() => recoverDelayed(restoreDraft), [])
  useDraftSync(workspace, session.member.id, mayWrite)
  const neighbor = usePlace(openId, ids, list)
  usePrefetchedNeighbors(openId, rows.length > 0, neighbor)
  useEffect(() => {
    if (openId) setCurrentId(openId)
    // The template picker was open for the previous chat.
    setPicking(false)
    setFinding(0)
  }, [openId])

  const onView = (patch: Partial<ViewSearch>) => {
    const next = { ...view, ...patch }
    lastViews.set(workspace, next)
    void navigate({ to: '.', search: searchOf(next), replace: patch.search !== undefined } as never)
  }
  const open = (id: string | undefined) =>
    void navigate({
      to: `/w/${workspace}/inbox${id ? `/${id}` : ''}`,
      search: id ? withoutHit : searchOf(view),
    } as never)
  const close = () => {
    open(undefined)
    focusRow(openId)
  }
  const { conversation, actions, raisePriority } = useOpenChat({
    openId,
    rows,
    member: session.member,
    close,
    openNext: () => {
      const next = neighbor(1) ?? neighbor(-1)
      if (next) open(next)
      else close()
    },
  })
  const takeAndOpen = async () => {
    const next = await takeNext()
    if (next) open(next)
  }
  const startWriting = (mode: 'reply' | 'note') => {
    if (openId) setDraft(openId, { ...draftOf(openId), mode })
    requestAnimationFrame(() => field.current?.focus())
  }
  useCommands(
    INBOX_COMMANDS,
    {
      ...actions,
      conversation: conversation(),
      mayWrite,
      raisePriority,
      chooseAssignee: () => setAssigning(true),
      takeNext: () => void takeAndOpen(),
      chooseMacro: () => setRunning(true),
      findInChat: () => setFinding((times) => times + 1),
      chooseSnooze: () => setSnoozing(true),
      editTags: () => {
        setSideOpen(true)
        requestAnimationFrame(() => tagField.current?.focus())
      },
      writeReply: () => startWriting('reply'),
      writeNote: () => startWriting('note'),
      chooseTemplate: () => setPicking(true),
      move: (by) => {
        const next =
          ids[currentId === undefined || !ids.includes(currentId) ? 0 : ids.indexOf(currentId) + by]
        if (!next) return
        setCurrentId(next)
        focusRow(next)
      },
      canOpen: currentId !== undefined && currentId !== openId,
      openCurrent: () => currentId && open(currentId),
      isSelecting: selection.selected.size > 0,
      toggleSelected: (isRange) => currentId && selection.toggle(currentId, isRange),
      clearSelection: selection.clear,
      openNeighbor: (by) => {
        const next = neighbor(by)
        if (next) open(next)
      },
      focusSearch: () => searchField.current?.focus(),
      close,
    },
    { title: t },
  )
  const chosen = rows.filter(({ id }) => selection.selected.has(id))
  return (
    <div className="flex min-h-0 flex-1">
      <h1 className="sr-only">{t('list.label')}</h1>
      <section
        aria-label={t('list.label')}
        className={classes(
          // The chat keeps 22.5 rem (360 px), also next to the details (20 rem).
          'flex min-h-0 w-full flex-col border-e sm:w-[min(16rem,calc(100%-22.5rem))] sm:shrink-0 md:w-80 lg:w-[min(24rem,calc(100%-42.5rem))]',
          openId && 'max-sm:hidden',
        )}
      >
        <ConversationList
          workspace={workspace}
          view={view}
          onView={onView}
          openId={openId}
          currentId={currentId}
          selected={selection.selected}
          onSelect={mayWrite ? selection.toggle : undefined}
          onTakeNext={mayWrite ? () => void takeAndOpen() : undefined}
          searchField={searchField}
          onRows={setShown}
        />
        {chosen.length > 0 && <BulkBar chosen={chosen} me={session.member.id} onClear={selection.clear} />}
      </section>
      <div
        data-detail={openId && true}
        className={classes('flex min-h-0 min-w-0 flex-1', !openId && 'max-sm:hidden')}
      >
        {openId ? (
          <Chat
            id={openId}
            workspace={workspace}
            list={searchOf(view)}
            mayWrite={mayWrite}
            me={session.member.id}
            hit={typeof search.message === 'string' ? search.message : undefined}
            onLeaveHit={() => void navigate({ to: '.', search: withoutHit, replace: true } as never)}
            actions={actions}
            field={field}
            tagField={tagField}
            isPicking={isPicking}
            onPicking={setPicking}
            finding={finding}
            onFind={(isOpen) => setFinding((times) => (isOpen ? times + 1 : 0))}
            onHit={(message) =>
              void navigate({
                to: '.',
                search: (now: Record<string, unknown>) => ({ ...now, message }),
                replace: true,
              } as never)
            }
            onMacro={() => setRunning(true)}
            onSnooze={() => setSnoozing(true)}
            isSideOpen={isSideOpen}
            onSide={setSideOpen}
          />
        ) : (
          <Empty icon={MessagesSquare} title={t('none.title')}>
            {t('none.text')}
          </Empty>
        )}
      </div>
      <AssignFinder
        open={isAssigning}
        onClose={() => setAssigning(false)}
        conversation={conversation()}
        onChoose={actions.change}
      />
      <MacroFinder open={isRunning} onClose={() => setRunning(false)} conversation={conversation()} />
      <SnoozeFinder
        open={isSnoozing}
        onClose={() => setSnoozing(false)}
        workspace={workspace}
        conversation={conversation()}
        onSnooze={actions.snooze}
        onEnd={actions.unsnooze}
      />
    </div>
  )
}
