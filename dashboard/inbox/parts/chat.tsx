/** Shows one chat: its header, messages, composer, and details. */
import { useQuery } from '@tanstack/react-query'
import { CheckCheck, Ellipsis, PanelRight, RotateCcw, Search, UserRoundCheck } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import type { Conversation, Message } from '../../../sdk/api.ts'
import { ApiError } from '../../api/errors.ts'
import { sendMessage } from '../../api/outbox.ts'
import { reportViewing } from '../../api/presence.ts'
import { call } from '../../api/request.ts'
import { BackToList } from '../../kit/back-link.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { lazyComponent, lazyPopup } from '../../kit/lazy.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { useNow } from '../../kit/time.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { useIsRoomy } from '../../kit/width.ts'
import { canFind, canSnooze } from '../commands.ts'
import { draftOf, setDraft } from '../draft.ts'
import { newestMessageId } from '../held-answer.ts'
import { isDirect, nameOf, recipientOf } from '../person.ts'
import { contactQuery, conversationQuery, storeConversation, teamQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type ConversationPatch, type Snooze, snoozeText } from '../use-actions.ts'
import type { ViewSearch } from '../view.ts'
import { Composer } from './composer.tsx'
import { Assistant, TeamName } from './later.ts'
import { PresenceLine } from './presence.tsx'
import { Thread } from './thread.tsx'

export type ChatActions = {
  resolve: () => void
  resolveAndNext: () => void
  assignMe: () => void
  markUnread: () => void
  archive: () => void
  snooze: (snooze: Snooze) => void
  unsnooze: () => void
  change: (patch: ConversationPatch) => void
}

type Props = {
  id: string
  workspace: string
  /** The list to which Back leads. */
  list: Partial<ViewSearch>
  mayWrite: boolean
  me: string
  /** The message found by a search. */
  hit: string | undefined
  onLeaveHit: () => void
  actions: ChatActions
  field: RefObject<HTMLTextAreaElement | null>
  tagField: RefObject<HTMLInputElement | null>
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
  /** How often the member asked to find in this chat; 0 hides the search. */
  finding: number
  onFind: (isOpen: boolean) => void
  /** Shows a message in its place. */
  onHit: (id: string) => void
  /** Asks which macro to run. */
  onMacro: () => void
  /** Asks until when to snooze the chat. */
  onSnooze: () => void
  isSideOpen: boolean
  onSide: (isOpen: boolean) => void
}

const TemplatePicker = lazyPopup(() =>
  import('./template-picker.tsx').then((module) => module.TemplatePicker),
)
const SidePanel = lazyComponent(() => import('./side-panel.tsx').then((module) => module.SidePanel))
const FindBar = lazyComponent(() => import('./find/find-bar.tsx').then((module) => module.FindBar))

/** The time for which a chat must be visible to count as read. */
const READ_AFTER_MS = 1_000

/**
 * Marks a chat as read after it has been visible and in focus for a moment. Viewers, who can't answer, don't
 * mark it.
 */
function useRead(conversation: Conversation | undefined, mayWrite: boolean): void {
  const id = conversation?.id
  const unread = conversation?.unreadCount ?? 0
  useEffect(() => {
    if (!id || unread === 0 || !mayWrite) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      timer = setTimeout(() => {
        call('POST /conversations/{id}/read', { params: { id }, body: {} })
          .then((response) => storeConversation(response.conversation))
          // The operator may reject the mark; the chat still counts as read.
          .catch(() => {})
      }, READ_AFTER_MS)
    }
    watch()
    addEventListener('focus', watch)
    addEventListener('blur', watch)
    document.addEventListener('visibilitychange', watch)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', watch)
      removeEventListener('blur', watch)
      document.removeEventListener('visibilitychange', watch)
    }
  }, [id, unread, mayWrite])
}

function Head({
  conversation,
  workspace,
  list,
  mayWrite,
  me,
  actions,
  onFind,
  onMacro,
  onSnooze,
  onSide,
  isSideOpen,
}: Omit<Props, 'id'> & { conversation: Conversation }) {
  const { data: team = [] } = useQuery(teamQuery)
  const { state, isArchived, assignedAgentId, isSnoozed, snoozedUntil } = conversation
  const now = useNow()
  const assignee = team.find((member) => member.id === assignedAgentId)
  const isResolved = state === 'resolved'
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b ps-4 pe-2">
      <BackToList to={`/w/${workspace}/inbox`} search={list} label={t('thread.back')} className="sm:hidden" />
      <div className="min-w-0 flex-1">
        <h2 className="flex font-semibold">
          <span dir="auto" className="truncate">
            {nameOf(conversation)}
          </span>
        </h2>
        <div className="flex min-w-0 items-center gap-2">
          <p className="truncate text-xs text-ink-3">
            {isSnoozed && `${snoozeText(snoozedUntil, now)} · `}
            {isDirect(conversation) && `${t('row.direct')} · `}
            {assignee?.name ?? t('assignee.none')}
            {conversation.teamId && <TeamName id={conversation.teamId} />}
            {state !== 'open' && ` · ${t(`state.${state}`)}`}
          </p>
          <PresenceLine conversationId={conversation.id} workspace={workspace} />
        </div>
      </div>
      {canFind(conversation) && (
        <IconButton
          icon={Search}
          label={t('action.find')}
          onClick={() => onFind(true)}
          className={mayWrite ? (isSideOpen ? 'max-[1400px]:hidden' : 'max-md:hidden') : undefined}
        />
      )}
      {isArchived && <Badge>{t('filter.archived')}</Badge>}
      {mayWrite && (
        <>
          {assignedAgentId !== me && (
            <Button
              size="sm"
              icon={UserRoundCheck}
              onClick={actions.assignMe}
              className={isSideOpen ? 'max-[1400px]:hidden' : 'max-md:hidden'}
            >
              {t('action.assignMe')}
            </Button>
          )}
          <Button size="sm" icon={isResolved ? RotateCcw : CheckCheck} onClick={actions.resolve}>
            {t(isResolved ? 'action.reopen' : 'action.resolve')}
          </Button>
          <Menu
            align="end"
            entries={[
              ...(isResolved
                ? []
                : [{ label: t('action.resolveNext'), keys: 'Shift+e', onSelect: actions.resolveAndNext }]),
              { label: t('action.assignMe'), keys: 'i', onSelect: actions.assignMe },
              ...(canFind(conversation)
                ? [{ label: t('action.find'), keys: '$mod+f', onSelect: () => onFind(true) }]
                : []),
              { label: t('action.macro'), keys: 'm', onSelect: onMacro },
              { label: t('action.pending'), onSelect: () => actions.change({ state: 'pending' }) },
              ...(canSnooze(conversation)
                ? [{ label: t('action.snooze'), keys: 'z', onSelect: onSnooze }]
                : []),
              ...(isSnoozed ? [{ label: t('action.unsnooze'), onSelect: actions.unsnooze }] : []),
              { label: t('action.unread'), keys: 'u', onSelect: actions.markUnread },
              { label: t(isArchived ? 'action.unarchive' : 'action.archive'), onSelect: actions.archive },
            ]}
            trigger={<IconButton icon={Ellipsis} label={t('thread.more')} />}
          />
        </>
      )}
      <IconButton
        icon={PanelRight}
        label={t('thread.details')}
        pressed={isSideOpen}
        onClick={() => onSide(!isSideOpen)}
      />
    </header>
  )
}

/** Moves the focus to the messages, so that the keys of the chat work. */
const focusThread = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=log]')?.focus())
}

/** Sends a failed message again, as a new message. */
function resend(conversation: Conversation, by: Pick<Props, 'workspace' | 'me'>, message: Message): void {
  const isText = message.type === 'text'
  const payload = { type: message.type, [message.type]: message.content }
  sendMessage({
    workspace: by.workspace,
    conversationId: conversation.id,
    writer: by.me,
    since: newestMessageId(conversation.id),
    body: {
      ...recipientOf(conversation),
      type: message.type,
      ...(isText ? { text: message.text ?? '' } : { payload }),
    } as Parameters<typeof sendMessage>[0]['body'],
    preview: message.text ?? '',
    ...(isText && { restore: { text: message.text ?? '' } }),
  })
}

export function Chat(props: Props) {
  const { id, workspace, mayWrite, me, hit, onLeaveHit, actions, field, tagField } = props
  const { isPicking, onPicking, isSideOpen, onSide } = props
  const isRoomy = useIsRoomy()
  const { data: conversation, error, refetch } = useQuery(conversationQuery(id))
  const { data: contact } = useQuery({
    ...contactQuery(conversation?.contact.id ?? ''),
    enabled: conversation !== undefined,
  })
  // The answer goes to the chat of its message, even if another chat is opened meanwhile.
  const [replyTarget, setReplyTo] = useState<Message>()
  const replyTo = replyTarget?.conversationId === id ? replyTarget : undefined
  const onReply = useStable((message: Message) => {
    setReplyTo(message)
    field.current?.focus()
  })
  const onResend = useStable((message: Message) => {
    if (conversation) resend(conversation, { workspace, me }, message)
  })
  useRead(conversation, mayWrite)
  useEffect(() => reportViewing(workspace, id), [workspace, id])
  if (!conversation) {
    if (error instanceof ApiError && error.status === 404) return <Empty title={t('thread.notFound')} />
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={6} />
  }
  const side = (
    <SidePanel
      conversation={conversation}
      workspace={workspace}
      mayWrite={mayWrite}
      onChange={actions.change}
      onLeave={() => isRoomy || onSide(false)}
      tagField={tagField}
    />
  )
  return (
    <>
      <section className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Head {...props} conversation={conversation} />
        {props.finding > 0 && canFind(conversation) && (
          <FindBar
            key={`find ${id}`}
            conversationId={id}
            request={props.finding}
            onHit={props.onHit}
            onClose={() => {
              props.onFind(false)
              focusThread()
            }}
          />
        )}
        {mayWrite && canFind(conversation) && (
          <Assistant
            key={`assistant ${id}`}
            conversation={conversation}
            workspace={workspace}
            field={field}
            draftOf={draftOf}
            setDraft={setDraft}
          />
        )}
        <Thread
          key={id}
          conversation={conversation}
          workspace={workspace}
          hit={hit}
          onLeaveHit={onLeaveHit}
          onReply={mayWrite && !isDirect(conversation) ? onReply : undefined}
          onResend={mayWrite && !isDirect(conversation) ? onResend : undefined}
        />
        {mayWrite ? (
          <Composer
            key={`composer ${id}`}
            conversation={conversation}
            contact={contact}
            workspace={workspace}
            me={me}
            field={field}
            replyTo={replyTo}
            onReplyTo={setReplyTo}
            onTemplate={() => onPicking(true)}
            onSentAndResolve={() => {
              if (conversation.state !== 'resolved') actions.resolve()
            }}
          />
        ) : (
          <div className="border-t p-3">
            <Callout>{t('composer.viewer')}</Callout>
          </div>
        )}
      </section>
      {isSideOpen && isRoomy && (
        <aside aria-label={t('side.title')} className="flex w-80 shrink-0 flex-col border-s">
          {side}
        </aside>
      )}
      <Drawer open={isSideOpen && !isRoomy} onClose={() => onSide(false)} title={t('side.title')}>
        {side}
      </Drawer>
      <TemplatePicker
        key={`template ${id}`}
        open={isPicking}
        onClose={() => onPicking(false)}
        conversation={conversation}
        workspace={workspace}
        me={me}
      />
    </>
  )
}
