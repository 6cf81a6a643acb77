/** Edits the options of a menu: their titles in order, and their targets. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { focusArrow } from '../../kit/move-focus.ts'
import { freshId, type Node, type NodeOf } from '../script.ts'
import { t } from '../texts.ts'
import { TargetField } from './fields.tsx'

const MAX = { buttons: 3, list: 10 } as const
const TITLE_MAX = { buttons: 20, list: 24 } as const
const DESCRIPTION_MAX = 72

type Choosing = NodeOf<'buttons'> | NodeOf<'list'>
type Option = Choosing['options'][number] & { description?: string }
type Props = {
  node: Choosing
  nodes: readonly Node[]
  onChange: (node: Node) => void
  faultAt: (path: string) => string | undefined
}

/** Returns the option with the description, or without it if empty. */
const withDescription = (option: Option, text: string): Option => ({
  ...option,
  description: text === '' ? undefined : text,
})

export function Options({ node, nodes, onChange, faultAt }: Props) {
  const { type } = node
  const options: Option[] = node.options
  const rows = useRef<HTMLDivElement>(null)
  const rowAt = (index: number) => rows.current?.children[index]
  /** Moves the focus to the row, because the pressed button is gone or disabled. */
  const focusRow = (index: number) =>
    requestAnimationFrame(() => rowAt(index)?.querySelector('input')?.focus())
  const replaceOptions = (next: Option[]) => onChange({ ...node, options: next } as Node)
  const change = (index: number, option: Option) => replaceOptions(options.with(index, option))
  const move = (index: number, by: 1 | -1) => {
    replaceOptions(options.toSpliced(index, 1).toSpliced(index + by, 0, options[index]!))
    requestAnimationFrame(() => focusArrow(rowAt(index + by), by === 1 ? 'down' : 'up'))
  }
  const remove = (index: number) => {
    replaceOptions(options.toSpliced(index, 1))
    focusRow(Math.min(index, options.length - 2))
  }
  const add = () => {
    const ids = options.map(({ id }) => id)
    replaceOptions([
      ...options,
      { id: freshId('choice', ids), title: t('option.new', { at: options.length + 1 }), next: null },
    ])
    focusRow(options.length)
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{t('options')}</legend>
      <div ref={rows} className="flex flex-col gap-3">
        {options.map((option, index) => {
          const number = index + 1
          const fault = (name: string) => faultAt(`options[${index}].${name}`)
          return (
            <div key={option.id} className="flex flex-col gap-3 rounded-md border bg-surface-2 p-3">
              <div className="flex items-end gap-1">
                <TextField
                  className="min-w-0 flex-1"
                  label={t('option.title', { at: number })}
                  maxLength={TITLE_MAX[type]}
                  value={option.title}
                  onChange={(event) => change(index, { ...option, title: event.target.value })}
                  error={fault('title')}
                />
                <IconButton
                  icon={ArrowUp}
                  data-move="up"
                  label={t('option.up', { at: number })}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  data-move="down"
                  label={t('option.down', { at: number })}
                  disabled={number === options.length}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  icon={Trash2}
                  label={t('option.remove', { at: number })}
                  disabled={options.length === 1}
                  onClick={() => remove(index)}
                />
              </div>
              {type === 'list' && (
                <TextField
                  label={t('option.description', { at: number })}
                  maxLength={DESCRIPTION_MAX}
                  value={option.description ?? ''}
                  onChange={(event) => change(index, withDescription(option, event.target.value))}
                  error={fault('description')}
                />
              )}
              <TargetField
                label={t('option.next', { at: number })}
                value={option.next}
                onChange={(next) => change(index, { ...option, next })}
                nodes={nodes}
                ownId={node.id}
                error={fault('next')}
              />
            </div>
          )
        })}
      </div>
      {faultAt('options') && (
        <p role="alert" className="text-sm text-bad">
          {faultAt('options')}
        </p>
      )}
      <Button
        size="sm"
        icon={Plus}
        className="self-start"
        disabled={options.length >= MAX[type]}
        onClick={add}
      >
        {t('option.add')}
      </Button>
    </fieldset>
  )
}
