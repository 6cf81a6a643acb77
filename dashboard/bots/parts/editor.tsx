/** One bot: what it says as an outline of parts, and a phone that plays it. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Ellipsis, Play, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Bot } from '../../../sdk/api.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Menu } from '../../kit/menu.tsx'
import { moveFocus } from '../../kit/move-focus.ts'
import { Page, Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { BOTS_COMMANDS } from '../commands.ts'
import { botsQuery, changeBot, removeBot } from '../queries.ts'
import {
  changeNode,
  type From,
  insertNode,
  type Node,
  type NodeType,
  outlineOf,
  removeNode,
} from '../script.ts'
import { t } from '../words.ts'
import { beginsWords, wordsOf } from './in-words.ts'
import { newNode } from './new-nodes.ts'
import { AddMenu, OutlineRow, Parts } from './outline.tsx'
import { Preview } from './preview.tsx'
import { BotSettings } from './settings.tsx'
import { type Editor, useEditor } from './use-editor.ts'

/** The row of what holds for all of the bot. */
const SETTINGS = '(settings)'

type Props = { bot: Bot; workspace: string; mayEdit: boolean; onGone: () => void }

/** Version, and how many chats it is in. */
function Running({ bot }: { bot: Bot }) {
  const { data } = useInfiniteQuery(botsQuery)
  const running = data?.pages.flatMap((page) => page.bots).find(({ id }) => id === bot.id)?.running
  return (
    <>
      {t('version', { version: bot.version })} {running !== undefined && t('running', { count: running })}
    </>
  )
}

function Head({ bot, mayEdit, editor, onRemove }: Omit<Props, 'workspace' | 'onGone'> & HeadProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: (enabled: boolean) => changeBot(bot.id, { enabled }),
    onSuccess: (_, enabled) => notify({ title: t(enabled ? 'switched.on' : 'switched.off'), kind: 'good' }),
    onError: notifyError,
  })
  if (!mayEdit)
    return <Badge tone={bot.enabled ? 'good' : 'plain'}>{t(bot.enabled ? 'state.on' : 'state.off')}</Badge>
  return (
    <>
      <Switch label={t('switch')} checked={bot.enabled} onChange={mutate} disabled={isPending} />
      <Button
        variant="primary"
        keys="$mod+s"
        disabled={!editor.isChanged}
        busy={editor.isSaving}
        onClick={() => void editor.save()}
      >
        {t('save')}
      </Button>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={t('menu')} />}
        entries={[
          { label: t('discard'), onSelect: editor.discard, disabled: !editor.isChanged },
          { label: t('remove'), icon: Trash2, danger: true, onSelect: onRemove },
        ]}
      />
    </>
  )
}
type HeadProps = { editor: Editor; onRemove: () => void }

/** What keeps it from being saved, with the way to each. */
function Faults({ editor, onOpen }: { editor: Editor; onOpen: (id: string) => void }) {
  const { faults, draft } = editor
  if (faults.length === 0) return null
  return (
    <div className="mb-4">
      <Callout kind="bad" role="alert">
        <p className="font-medium">{t('faults', { count: faults.length })}</p>
        <ul>
          {faults.map(({ node: id, path, message }) => {
            const node = draft.nodes.find((one) => one.id === id)
            const name = node ? wordsOf(node) : t('settings')
            const isOfSettings = id === undefined && path === ''
            return (
              <li key={`${id} ${path} ${message}`}>
                {isOfSettings ? (
                  message
                ) : (
                  <button
                    type="button"
                    className="min-h-6 text-start underline hover:no-underline"
                    onClick={() => onOpen(id ?? SETTINGS)}
                  >
                    {t('fault.at', { name, fault: message })}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      </Callout>
    </div>
  )
}

export function BotEditor({ bot, workspace, mayEdit, onGone }: Props) {
  const editor = useEditor(bot)
  const [open, setOpen] = useState<string>()
  const [focus, setFocus] = useState<string>()
  const [leaving, setLeaving] = useState<Node>()
  const [isRemoving, setRemoving] = useState(false)
  const { draft, faults, isChanged, change, changeScript, save } = editor
  const { question, release } = useUnsaved(isChanged)
  const script = { start: draft.start, nodes: draft.nodes }
  const { chain, lost } = outlineOf(script)
  // What is shown has to be drawn before it can have the focus.
  useEffect(() => {
    if (focus === undefined) return
    document.getElementById(`part-${focus}`)?.focus()
    setFocus(undefined)
  }, [focus])
  // Shortcuts rest in fields, but for this one.
  useEffect(() => {
    if (!isChanged) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && event.key === 's'
      if (!isSave || !(event.target as HTMLElement | null)?.matches('input, textarea')) return
      event.preventDefault()
      void save()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
  useCommands(
    BOTS_COMMANDS,
    {
      mayEdit,
      isOpen: true,
      make: () => {},
      move: (by) => moveFocus('[data-part]', by),
      save: mayEdit && isChanged ? () => void save() : undefined,
      showAll: onGone,
    },
    { title: t },
  )
  const removal = useMutation({
    mutationFn: () => removeBot(bot.id),
    onSuccess: () => {
      notify({ title: t('removed', { name: bot.name }), kind: 'good' })
      release()
      onGone()
    },
    onError: notifyError,
  })
  const add = (from: From, type: NodeType) => {
    const node = newNode(type, draft.nodes)
    changeScript((before) => insertNode(before, from, node))
    setOpen(node.id)
  }
  const without = leaving && removeNode(script, leaving.id)
  const removeLeaving = () => {
    if (!leaving || !without) return
    changeScript(() => without)
    setLeaving(undefined)
    setFocus(without.start)
  }
  const shown = {
    script,
    faults,
    mayEdit,
    open,
    onOpen: setOpen,
    onAdd: add,
    onChange: (node: Node) => changeScript((before) => changeNode(before, node)),
    onScript: changeScript,
    onRemove: setLeaving,
  }
  const ownFaults = faults.filter(({ node, path }) => node === undefined && path !== '')
  return (
    <Page
      wide
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto">{draft.name}</span>
          {isChanged && <Badge tone="warn">{t('unsaved')}</Badge>}
        </span>
      }
      description={<Running bot={bot} />}
      actions={<Head bot={bot} mayEdit={mayEdit} editor={editor} onRemove={() => setRemoving(true)} />}
    >
      <BackLink to={`/w/${workspace}/bots`}>{t('back')}</BackLink>
      {!mayEdit && (
        <div className="mb-4">
          <Callout>{t('viewer')}</Callout>
        </div>
      )}
      <Faults
        editor={editor}
        onOpen={(id) => {
          setOpen(id)
          setFocus(id)
        }}
      />
      <div className="flex flex-col gap-8 lg:flex-row lg:items-start">
        <div className="min-w-0 flex-1">
          <Section title={t('outline')}>
            <div className="flex flex-col gap-2">
              <OutlineRow
                id={SETTINGS}
                icon={Play}
                title={beginsWords(draft.entry)}
                kind={t('settings')}
                isOpen={open === SETTINGS}
                onToggle={() => setOpen(open === SETTINGS ? undefined : SETTINGS)}
                faults={ownFaults}
                tools={mayEdit && <AddMenu label={t('add.first')} onAdd={(type) => add(null, type)} />}
                form={
                  mayEdit && (
                    <BotSettings
                      draft={draft}
                      onChange={change}
                      faultAt={(path) => ownFaults.find((fault) => fault.path === path)?.message}
                    />
                  )
                }
              />
              <Parts {...shown} chain={chain} />
            </div>
          </Section>
          {lost.length > 0 && (
            <Section title={t('lost')} description={t('lost.text')}>
              <div className="flex flex-col gap-3">
                {lost.map((one) => (
                  <Parts key={one.items[0]!.node.id} {...shown} chain={one} />
                ))}
              </div>
            </Section>
          )}
        </div>
        {mayEdit && (
          <div className="w-full shrink-0 lg:sticky lg:top-0 lg:w-88">
            <Preview
              bot={bot.id}
              first={bot.entry.keywords[0]}
              isChanged={isChanged}
              isSaving={editor.isSaving}
              save={save}
            />
          </div>
        )}
      </div>
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('remove.node.title', { name: leaving ? wordsOf(leaving) : '' })}
        description={
          without && draft.nodes.length - without.nodes.length > 1
            ? t('remove.node.text', { count: draft.nodes.length - without.nodes.length - 1 })
            : undefined
        }
        action={t('remove.node.action')}
        onConfirm={removeLeaving}
        danger
      />
      <Confirm
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('remove.title', { name: bot.name })}
        description={t('remove.text')}
        action={t('remove')}
        onConfirm={() => removal.mutate()}
        busy={removal.isPending}
        danger
      />
      {question}
    </Page>
  )
}
