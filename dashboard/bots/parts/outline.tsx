/**
 * Shows a bot as an outline from start to end: each part is a row that expands to its form, followed by the
 * next part.
 */
import {
  ArrowDown,
  ArrowUp,
  Bot,
  CircleStop,
  CornerDownRight,
  GitFork,
  Globe,
  List,
  type LucideIcon,
  MessageCircle,
  Plus,
  SquareMousePointer,
  TextCursorInput,
  Trash2,
  UserRound,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { Menu } from '../../kit/menu.tsx'
import { type Direction, focusArrow } from '../../kit/move-focus.ts'
import {
  type Chain,
  type From,
  type Item,
  isStep,
  mayMoveUp,
  mayRemove,
  moveUp,
  type Node,
  type NodeType,
  type Script,
  stepBelow,
} from '../script.ts'
import { t } from '../texts.ts'
import { exitLabel, formatNode } from './format.ts'
import { TYPES } from './new-nodes.ts'
import { NodeForm } from './node-form.tsx'
import { type NodeResult, ResultLine } from './results.tsx'
import type { Fault } from './use-editor.ts'

const ICONS: Record<NodeType, LucideIcon> = {
  message: MessageCircle,
  buttons: SquareMousePointer,
  list: List,
  ask: TextCursorInput,
  condition: GitFork,
  action: Zap,
  request: Globe,
  ai: Bot,
  handover: UserRound,
  end: CircleStop,
}

export type OutlineProps = {
  script: Script
  faults: readonly Fault[]
  mayEdit: boolean
  /** The results of the parts, and of how many starts; undefined if the bot did not start. */
  results: { of: ReadonlyMap<string, NodeResult>; starts: number } | undefined
  /** The part whose form is open. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
  onAdd: (from: From, type: NodeType) => void
  onChange: (node: Node) => void
  onScript: (change: (script: Script) => Script) => void
  onRemove: (node: Node) => void
}

/** A menu to add a part at a place. */
export const AddMenu = ({ label, onAdd }: { label: string; onAdd: (type: NodeType) => void }) => (
  <Menu
    align="end"
    trigger={<IconButton icon={Plus} size="sm" label={label} />}
    entries={[
      { heading: t('add.heading') },
      ...TYPES.map((type) => ({
        icon: ICONS[type],
        label: (
          <>
            {t(`type.${type}`)} <span className="text-ink-3">· {t(`about.${type}`)}</span>
          </>
        ),
        onSelect: () => onAdd(type),
      })),
    ]}
  />
)

type RowProps = {
  id: string
  icon: LucideIcon
  title: string
  kind: string
  isOpen: boolean
  onToggle: () => void
  faults: readonly Fault[]
  tools?: ReactNode
  result?: ReactNode
  /** Left out for members who can only read. */
  form: ReactNode
}

/** A row that expands to its form. */
export function OutlineRow(props: RowProps) {
  const { id, icon: Icon, title, kind, isOpen, onToggle, faults, tools, result, form } = props
  // While the form is open, errors of fields appear at the fields.
  const shown = isOpen ? faults.filter(({ path }) => path === '' || path === 'id') : faults
  const label = (
    <>
      <Icon aria-hidden size={18} className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium">
          {title}
        </span>
        <span className="block text-sm text-ink-3">{kind}</span>
        {result}
      </span>
    </>
  )
  return (
    <div
      className={classes(
        'rounded-lg border bg-surface-1',
        faults.length > 0 && 'border-bad',
        isOpen && faults.length === 0 && 'border-edge',
      )}
    >
      <div className="flex flex-wrap items-center">
        {form ? (
          <button
            type="button"
            id={`part-${id}`}
            data-part
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex min-h-13 min-w-0 flex-1 basis-40 items-center gap-3 rounded-lg px-3 py-1.5 text-start hover:bg-surface-2"
          >
            {label}
          </button>
        ) : (
          <div className="flex min-h-13 min-w-0 flex-1 items-center gap-3 px-3 py-1.5">{label}</div>
        )}
        {tools && <div className="ms-auto flex items-center gap-0.5 pe-1.5">{tools}</div>}
      </div>
      {shown.length > 0 && (
        <ul className="px-3 pb-2 text-sm text-bad">
          {shown.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {isOpen && form && <div className="flex flex-col gap-4 border-t p-3">{form}</div>}
    </div>
  )
}

const focusMover = (id: string, direction: Direction) =>
  requestAnimationFrame(() => focusArrow(document.getElementById(`part-${id}`)?.parentElement, direction))

function Part({ item, ...props }: OutlineProps & { item: Item }) {
  const { script, faults, mayEdit, results, open, onOpen, onAdd, onChange, onScript, onRemove } = props
  const { node, branches } = item
  const name = formatNode(node)
  const nextNode = stepBelow(script, node.id)
  const own = faults.filter((fault) => fault.node === node.id)
  const result = results?.of.get(node.id)
  return (
    <li className="flex flex-col gap-2">
      <OutlineRow
        id={node.id}
        icon={ICONS[node.type]}
        title={name}
        kind={t(`type.${node.type}`)}
        isOpen={open === node.id}
        onToggle={() => onOpen(open === node.id ? undefined : node.id)}
        faults={own}
        result={result && <ResultLine result={result} starts={results!.starts} />}
        tools={
          mayEdit && (
            <>
              {isStep(node) && (
                <>
                  <IconButton
                    icon={ArrowUp}
                    size="sm"
                    label={t('move.up', { name })}
                    data-move="up"
                    disabled={!mayMoveUp(script, node.id)}
                    onClick={() => {
                      onScript((before) => moveUp(before, node.id))
                      focusMover(node.id, 'up')
                    }}
                  />
                  <IconButton
                    icon={ArrowDown}
                    size="sm"
                    label={t('move.down', { name })}
                    data-move="down"
                    disabled={nextNode === undefined}
                    onClick={() => {
                      if (nextNode) onScript((before) => moveUp(before, nextNode))
                      focusMover(node.id, 'down')
                    }}
                  />
                </>
              )}
              <IconButton
                icon={Trash2}
                size="sm"
                label={t('remove.node', { name })}
                disabled={!mayRemove(script, node.id)}
                onClick={() => onRemove(node)}
              />
              {isStep(node) && (
                <AddMenu
                  label={t('add.after', { name })}
                  onAdd={(type) => onAdd({ id: node.id, key: 'next' }, type)}
                />
              )}
            </>
          )
        }
        form={
          mayEdit && (
            <NodeForm
              key={node.id}
              node={node}
              nodes={script.nodes}
              onChange={onChange}
              faultAt={(path) => own.find((fault) => fault.path === path)?.message}
            />
          )
        }
      />
      {branches.length > 0 && (
        <ul className="ms-2 flex flex-col gap-3 border-s ps-2 sm:ms-4 sm:ps-4">
          {branches.map(({ exit, chain }) => {
            const title = exitLabel(node, exit.key)
            return (
              <li key={exit.key} className="flex flex-col gap-2">
                <div className="flex min-h-8 items-center gap-2">
                  <span
                    dir="auto"
                    className="min-w-0 truncate rounded-md bg-accent-soft px-2 py-0.5 text-sm font-medium text-accent"
                  >
                    {title}
                  </span>
                  {mayEdit && (
                    <AddMenu
                      label={t('add.under', { name: title })}
                      onAdd={(type) => onAdd({ id: node.id, key: exit.key }, type)}
                    />
                  )}
                </div>
                <Parts {...props} chain={chain} toPerson={node.type === 'ai'} />
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

/** Shows parts in sequence, and how the sequence ends. */
export function Parts({ chain, toPerson, ...props }: OutlineProps & { chain: Chain; toPerson?: boolean }) {
  const { items, last } = chain
  const target = props.script.nodes.find(({ id }) => id === last?.to)
  return (
    <>
      {items.length > 0 && (
        <ol className="flex flex-col gap-2">
          {items.map((item) => (
            <Part key={item.node.id} {...props} item={item} />
          ))}
        </ol>
      )}
      {last && (
        <p className="flex min-h-6 items-center gap-2 ps-3 text-sm text-ink-3">
          <CornerDownRight aria-hidden size={15} className="shrink-0" />
          {target ? (
            <button
              type="button"
              className="min-h-6 min-w-0 truncate text-accent hover:underline"
              onClick={() => document.getElementById(`part-${target.id}`)?.focus()}
            >
              {t('goes.on', { name: formatNode(target) })}
            </button>
          ) : last.to !== null ? (
            t('next.missing')
          ) : (
            t(toPerson && items.length === 0 ? 'ends.person' : 'ends')
          )}
        </p>
      )}
    </>
  )
}
