/** Shows the actions as rows in order: added from a menu, moved and removed with buttons. */
import {
  ArrowDown,
  ArrowUp,
  Bot,
  CircleStop,
  ClipboardList,
  Clock,
  FilePen,
  Globe,
  LayoutTemplate,
  type LucideIcon,
  MessageSquare,
  MessageSquareMore,
  MoveRight,
  Plus,
  Star,
  StickyNote,
  Tag,
  Tags,
  UserPlus,
  UserRound,
  X,
} from 'lucide-react'
import { useRef, useState } from 'react'
import type { Issue } from '../../api/errors.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { type Direction, focusArrow } from '../../kit/move-focus.ts'
import { errorAt, moveItem, type Row, rowOf } from '../draft.ts'
import type { Catalog } from '../fields.ts'
import { formatType } from '../format.ts'
import type { Action, ActionType, Trigger } from '../queries.ts'
import { t } from '../texts.ts'
import { ActionFields } from './action-fields.tsx'

const MAX = 20

/** New actions by group, each with its initial values. */
const NEW: readonly { id: 'messages' | 'chat' | 'customer' | 'lead' | 'flow'; actions: readonly Action[] }[] =
  [
    {
      id: 'messages',
      actions: [
        { type: 'send_text', text: '' },
        { type: 'send_template', templateId: '' },
        { type: 'request_review' },
      ],
    },
    {
      id: 'chat',
      actions: [
        { type: 'assign_conversation', member: null },
        { type: 'set_conversation', state: 'open' },
        { type: 'start_bot', botId: '' },
        { type: 'add_note', text: '', on: 'conversation' },
      ],
    },
    {
      id: 'customer',
      actions: [
        { type: 'add_tags', tags: [], on: 'contact' },
        { type: 'remove_tags', tags: [], on: 'contact' },
        { type: 'set_field', field: '', value: null },
      ],
    },
    {
      id: 'lead',
      actions: [
        { type: 'create_lead' },
        { type: 'set_stage', stage: '' },
        { type: 'assign_lead', member: null },
        { type: 'create_task', taskType: 'call', dueInMinutes: 60, priority: 'normal' },
      ],
    },
    {
      id: 'flow',
      actions: [
        { type: 'wait', minutes: 60 },
        { type: 'stop_if', conditions: { match: 'all', conditions: [] } },
        { type: 'call_webhook', url: '' },
      ],
    },
  ]

const ICONS: Record<ActionType, LucideIcon> = {
  send_text: MessageSquare,
  send_template: LayoutTemplate,
  assign_conversation: UserRound,
  assign_lead: UserRound,
  add_tags: Tag,
  remove_tags: Tags,
  set_field: FilePen,
  set_stage: MoveRight,
  create_lead: UserPlus,
  create_task: ClipboardList,
  add_note: StickyNote,
  set_conversation: MessageSquareMore,
  request_review: Star,
  start_bot: Bot,
  call_webhook: Globe,
  wait: Clock,
  stop_if: CircleStop,
}

type Props = {
  rows: readonly Row<Action>[]
  catalog: Catalog
  trigger: Trigger
  workspace: WorkspaceSession['workspace']
  issues: readonly Issue[]
  /** `index` is that of the changed row; undefined if the order changed. */
  onChange: (rows: Row<Action>[], index?: number) => void
}

export function Actions({ rows, catalog, trigger, workspace, issues, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const focusStep = (index: number, selector: string) =>
    requestAnimationFrame(() =>
      (
        list.current?.children[index]?.querySelector<HTMLElement>(`${selector}:not(:disabled)`) ??
        list.current?.children[index]?.querySelector<HTMLElement>('button:not(:disabled)')
      )?.focus(),
    )
  const move = (index: number, to: number, direction: Direction) => {
    onChange(moveItem(rows, index, to))
    setAnnouncement(t('step.moved', { from: index + 1, to: to + 1 }))
    requestAnimationFrame(() => focusArrow(list.current?.children[to], direction))
  }
  const add = (action: Action) => {
    onChange([...rows, rowOf(structuredClone(action))])
    focusStep(rows.length, 'textarea, input, [role=combobox]')
  }
  const entries: MenuEntry[] = NEW.flatMap(({ id, actions }): MenuEntry[] => [
    { heading: t(`kind.${id}`) },
    ...actions
      .filter(({ type }) => type !== 'request_review' || workspace.modules.includes('reviews'))
      .map((action) => ({
        label: formatType(action.type),
        icon: ICONS[action.type],
        onSelect: () => add(action),
      })),
  ])
  const stepsError = errorAt(issues, 'actions')
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 && (
        <p
          className={stepsError ? 'text-sm text-bad' : 'text-sm text-ink-3'}
          role={stepsError ? 'alert' : undefined}
        >
          {stepsError ?? t('steps.none')}
        </p>
      )}
      <ol ref={list} aria-label={t('steps')} className="flex flex-col gap-3">
        {rows.map(({ key, value: action }, index) => {
          const Icon = ICONS[action.type]
          const [number, name] = [index + 1, formatType(action.type)]
          const path = `actions[${index}]`
          const stepIssue = issues.find((issue) => issue.path === path)?.message
          return (
            <li
              key={key}
              aria-label={t('step', { number, name })}
              className="rounded-lg border bg-surface-1 p-3"
            >
              <header className="mb-2 flex items-center gap-2">
                <span
                  aria-hidden
                  className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent tabular-nums"
                >
                  {number}
                </span>
                {Icon && <Icon aria-hidden size={16} className="shrink-0 text-ink-3" />}
                <h3 className="min-w-0 flex-1 truncate font-medium">{name}</h3>
                <IconButton
                  icon={ArrowUp}
                  size="sm"
                  data-move="up"
                  label={t('step.up', { number })}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1, 'up')}
                />
                <IconButton
                  icon={ArrowDown}
                  size="sm"
                  data-move="down"
                  label={t('step.down', { number })}
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, index + 1, 'down')}
                />
                <IconButton
                  icon={X}
                  size="sm"
                  label={t('step.remove', { number })}
                  onClick={() => {
                    onChange(rows.filter((row) => row.key !== key))
                    focusStep(Math.min(index, rows.length - 2), 'button')
                  }}
                />
              </header>
              {stepIssue && (
                <p role="alert" className="mb-2 text-sm text-bad">
                  {stepIssue}
                </p>
              )}
              <ActionFields
                action={action}
                catalog={catalog}
                trigger={trigger}
                path={path}
                issues={issues}
                onChange={(next) =>
                  onChange(
                    rows.map((row) => (row.key === key ? { key, value: next } : row)),
                    index,
                  )
                }
              />
            </li>
          )
        })}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {rows.length < MAX ? (
        <div>
          <Menu trigger={<Button icon={Plus}>{t('step.add')}</Button>} entries={entries} />
        </div>
      ) : (
        <p className="text-sm text-ink-3">{t('steps.max')}</p>
      )}
    </div>
  )
}
