/** Shows the customer's details, and the state of the chat. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Ban, Plus, X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useState } from 'react'
import type { Api, Contact, Conversation } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { call } from '../../api/request.ts'
import { useTagColors } from '../../api/tags.ts'
import { Avatar } from '../../kit/avatar.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { ColorMark } from '../../kit/color-mark.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Select } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { DateOf, Time } from '../../kit/time.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { addressOf, isDirect, nameOf } from '../person.ts'
import { contactQuery, fieldsQuery, numbersQuery, teamQuery, teamsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { PRIORITIES } from '../view.ts'
import { SummarizeButton } from './assistant/summarize-button.tsx'

const CustomerOverview = lazyComponent(() =>
  import('../../customer/parts/overview.tsx').then((module) => module.CustomerOverview),
)

const CONSENT_TONES: Record<Contact['optInStatus'], Tone> = {
  unknown: 'plain',
  opted_in: 'good',
  opted_out: 'bad',
}
const STATES = ['open', 'pending', 'resolved'] as const
const UNASSIGNED = 'none'

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-h-8 items-center justify-between gap-3">
    <dt className="shrink-0 text-ink-3">{label}</dt>
    <dd className="min-w-0 text-end">{children}</dd>
  </div>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-b px-4 py-3">
    <h3 className="mb-1 text-sm font-semibold text-ink-2">{title}</h3>
    {children}
  </section>
)

function usePatchContact(id: string) {
  return useMutation({
    mutationFn: (body: Api['PATCH /contacts/{id}']['body']) =>
      call('PATCH /contacts/{id}', { params: { id }, body }),
    onSuccess: ({ contact }) => {
      queryClient.setQueryData(contactQuery(id).queryKey, contact)
      void queryClient.invalidateQueries({ queryKey: ['conversation', 'list'] })
    },
    onError: notifyError,
  })
}

type TagsProps = { contact: Contact; mayWrite: boolean; field: RefObject<HTMLInputElement | null> }

function Tags({ contact, mayWrite, field }: TagsProps) {
  const { mutate } = usePatchContact(contact.id)
  const colors = useTagColors()
  const [text, setText] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    const tag = text.trim()
    if (tag !== '' && !contact.tags.includes(tag)) mutate({ tags: [...contact.tags, tag] })
    setText('')
  }
  return (
    <Part title={t('side.tags')}>
      <ul className="flex flex-wrap gap-1.5">
        {contact.tags.map((tag) => (
          <li
            key={tag}
            className="flex h-7 max-w-full items-center gap-1 rounded-md bg-surface-3 px-2 text-sm has-[button]:pe-0"
          >
            {colors.has(tag) && <ColorMark color={colors.get(tag)!} />}
            <span className="truncate">{tag}</span>
            {mayWrite && (
              <IconButton
                icon={X}
                size="sm"
                label={t('side.tags.remove', { tag })}
                onClick={() => mutate({ tags: contact.tags.filter((other) => other !== tag) })}
              />
            )}
          </li>
        ))}
        {contact.tags.length === 0 && !mayWrite && <li className="text-ink-3">{t('side.tags.none')}</li>}
      </ul>
      {mayWrite && (
        <form onSubmit={add} className="mt-1.5 flex gap-1">
          <input
            ref={field}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            maxLength={100}
            aria-label={t('side.tags.add')}
            placeholder={t('side.tags.add')}
            className="h-8 min-w-0 flex-1 rounded-md border border-line bg-surface-2 px-2 text-sm pointer-coarse:h-11"
          />
          <IconButton icon={Plus} size="sm" label={t('side.tags.add')} type="submit" />
        </form>
      )}
    </Part>
  )
}

type ChatProps = {
  conversation: Conversation
  workspace: string
  mayWrite: boolean
  onChange: (patch: Api['PATCH /conversations/{id}']['body']) => void
  /** Shows the messages, if the panel covers them. */
  onLeave: () => void
}

function Chat({ conversation, workspace, mayWrite, onChange, onLeave }: ChatProps) {
  const { data: team = [] } = useQuery(teamQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const { data: numbers = [] } = useQuery(numbersQuery)
  const number = numbers.find(({ id }) => id === conversation.phoneNumberId)
  return (
    <Part title={t('side.chat')}>
      <dl>
        <Row label={t('side.assignee')}>
          <Select
            quiet
            name={t('side.assignee')}
            disabled={!mayWrite}
            value={conversation.assignedAgentId ?? UNASSIGNED}
            onChange={(id) => onChange({ assignedAgentId: id === UNASSIGNED ? null : id })}
            choices={[
              { value: UNASSIGNED, label: t('assignee.none') },
              ...team.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Row>
        {teams.length > 0 && (
          <Row label={t('side.team')}>
            <Select
              quiet
              name={t('side.team')}
              disabled={!mayWrite}
              value={conversation.teamId ?? UNASSIGNED}
              onChange={(id) => onChange({ teamId: id === UNASSIGNED ? null : id })}
              choices={[
                { value: UNASSIGNED, label: t('team.none') },
                ...teams.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Row>
        )}
        <Row label={t('side.priority')}>
          <Select
            quiet
            name={t('side.priority')}
            disabled={!mayWrite}
            value={conversation.priority}
            onChange={(priority) => onChange({ priority })}
            choices={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
          />
        </Row>
        <Row label={t('side.state')}>
          <Select
            quiet
            name={t('side.state')}
            disabled={!mayWrite}
            value={conversation.state}
            onChange={(state) => onChange({ state })}
            choices={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
          />
        </Row>
        {number && (
          <Row label={t('side.number')}>
            <span dir="ltr" title={number.displayName}>
              {number.number}
            </span>
          </Row>
        )}
      </dl>
      {mayWrite && !isDirect(conversation) && (
        <SummarizeButton conversationId={conversation.id} workspace={workspace} onSummarize={onLeave} />
      )}
    </Part>
  )
}

/** Returns the value of a custom field as text. */
const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function Block({ contact, name }: { contact: Contact; name: string }) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call(contact.blocked ? 'POST /contacts/{id}/unblock' : 'POST /contacts/{id}/block', {
        params: { id: contact.id },
      }),
    onSuccess: ({ contact: changed }) => {
      queryClient.setQueryData(contactQuery(contact.id).queryKey, changed)
      setAsking(false)
    },
    onError: notifyError,
  })
  const action = t(contact.blocked ? 'side.unblock' : 'side.block')
  return (
    <div className="p-4">
      <Button
        variant="ghost"
        size="sm"
        icon={Ban}
        onClick={() => (contact.blocked ? mutate() : setAsking(true))}
        busy={isPending}
      >
        {action}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('side.block.title', { name })}
        description={t('side.block.text')}
        action={action}
        onConfirm={() => mutate()}
        busy={isPending}
        danger
      />
    </div>
  )
}

type Props = ChatProps & { tagField: RefObject<HTMLInputElement | null> }

export function SidePanel({ conversation, workspace, mayWrite, onChange, onLeave, tagField }: Props) {
  const { data: contact, isPending, error, refetch } = useQuery(contactQuery(conversation.contact.id))
  const { data: definitions = [] } = useQuery(fieldsQuery)
  const name = nameOf(conversation)
  if (isPending) return <SkeletonRows rows={5} />
  if (!contact) return <Failed error={error} onRetry={() => void refetch()} />
  const labelOf = (key: string) => definitions.find((field) => field.key === key)?.label ?? key
  const fields = Object.entries(contact.attributes)
  return (
    <div className="pane min-h-0 flex-1">
      <div className="flex flex-col items-center gap-2 border-b px-4 py-5 text-center">
        <Avatar name={name} size="lg" />
        <h2 className="text-md font-semibold">{name}</h2>
        <div className="flex gap-1.5">
          <Badge tone={CONSENT_TONES[contact.optInStatus]}>{t(`consent.${contact.optInStatus}`)}</Badge>
          {contact.blocked && <Badge tone="bad">{t('side.blocked')}</Badge>}
        </div>
      </div>
      <Part title={t('side.contact')}>
        <dl>
          <Row label={t(isDirect(conversation) ? 'side.username' : 'side.phone')}>
            <span dir="ltr">{addressOf(conversation) ?? '—'}</span>
          </Row>
          {contact.lastSeenAt && (
            <Row label={t('side.seen')}>
              <Time at={contact.lastSeenAt} />
            </Row>
          )}
          <Row label={t('side.since')}>
            <DateOf at={contact.createdAt} />
          </Row>
        </dl>
      </Part>
      <Chat
        conversation={conversation}
        workspace={workspace}
        mayWrite={mayWrite}
        onChange={onChange}
        onLeave={onLeave}
      />
      <Tags key={contact.id} contact={contact} mayWrite={mayWrite} field={tagField} />
      {fields.length > 0 && (
        <Part title={t('side.fields')}>
          <dl>
            {fields.map(([key, value]) => (
              <Row key={key} label={labelOf(key)}>
                {formatValue(value)}
              </Row>
            ))}
          </dl>
        </Part>
      )}
      <CustomerOverview
        key={`overview ${contact.id}`}
        contact={contact}
        workspace={workspace}
        mayWrite={mayWrite}
        level={3}
        chatId={conversation.id}
      />
      {mayWrite && <Block contact={contact} name={name} />}
    </div>
  )
}
