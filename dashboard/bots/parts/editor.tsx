/** Edits one bot: an outline of its parts, and a phone that plays it. */
import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Bot } from '../../../sdk/api.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { moveFocus } from '../../kit/move-focus.ts'
import { Page, Section } from '../../kit/page.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { BOTS_COMMANDS } from '../commands.ts'
import { resultsQuery } from '../queries.ts'
import { changeNode, type From, insertNode, type Node, type NodeType, outlineOf } from '../script.ts'
import { t } from '../texts.ts'
import { Head, Running } from './editor-head.tsx'
import { Faults } from './faults.tsx'
import { formatStart } from './format.ts'
import { newNode } from './new-nodes.ts'
import { AddMenu, OutlineRow, Parts } from './outline.tsx'
import { Preview } from './preview.tsx'
import { RemoveBot, RemovePart } from './removals.tsx'
import { Requests } from './requests.tsx'
import { Results } from './results.tsx'
import { BotSettings } from './settings.tsx'
import { type Editor, useEditor } from './use-editor.ts'

/** The row of the settings of the whole bot. */
const SETTINGS = '(settings)'

/** Returns a function that moves the focus to a part, after the part has been drawn. */
function useFocusPart(): (id: string | undefined) => void {
  const [focus, setFocus] = useState<string>()
  useEffect(() => {
    if (focus === undefined) return
    document.getElementById(`part-${focus}`)?.focus()
    setFocus(undefined)
  }, [focus])
  return setFocus
}

/** Makes the save shortcut work in text fields too, where other shortcuts don't. */
function useSaveInFields({ isChanged, save }: Editor): void {
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
}

type BotOutlineProps = {
  bot: string
  /** The version whose results are shown; undefined for all. */
  version: number | undefined
  editor: Editor
  mayEdit: boolean
  /** The part whose form is open. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
  onRemove: (node: Node) => void
}

/** Shows the settings of the whole bot, its parts in order, and the unreachable parts. */
function BotOutline({ bot, version, editor, mayEdit, open, onOpen, onRemove }: BotOutlineProps) {
  const { draft, faults, change, changeScript } = editor
  const script = { start: draft.start, nodes: draft.nodes }
  const { chain, lost } = outlineOf(script)
  const { data } = useQuery(resultsQuery(bot, version))
  const results = useMemo(
    () =>
      data && data.starts > 0
        ? { of: new Map(data.nodes.map((node) => [node.id, node])), starts: data.starts }
        : undefined,
    [data],
  )
  const add = (from: From, type: NodeType) => {
    const node = newNode(type, draft.nodes)
    changeScript((before) => insertNode(before, from, node))
    onOpen(node.id)
  }
  const parts = {
    script,
    faults,
    mayEdit,
    results,
    open,
    onOpen,
    onAdd: add,
    onChange: (node: Node) => changeScript((before) => changeNode(before, node)),
    onScript: changeScript,
    onRemove,
  }
  const ownFaults = faults.filter(({ node, path }) => node === undefined && path !== '')
  return (
    <div className="min-w-0 flex-1">
      <Section title={t('outline')}>
        <div className="flex flex-col gap-2">
          <OutlineRow
            id={SETTINGS}
            icon={Play}
            title={formatStart(draft.entry)}
            kind={t('settings')}
            isOpen={open === SETTINGS}
            onToggle={() => onOpen(open === SETTINGS ? undefined : SETTINGS)}
            faults={ownFaults}
            tools={mayEdit && <AddMenu label={t('add.first')} onAdd={(type) => add(null, type)} />}
            form={
              mayEdit && (
                <BotSettings
                  draft={draft}
                  onChange={change}
                  faultAt={(path) =>
                    ownFaults.find((fault) => fault.path === path || fault.path.startsWith(`${path}[`))
                      ?.message
                  }
                />
              )
            }
          />
          <Parts {...parts} chain={chain} />
        </div>
      </Section>
      {lost.length > 0 && (
        <Section title={t('lost')} description={t('lost.text')}>
          <div className="flex flex-col gap-3">
            {lost.map((lostChain) => (
              <Parts key={lostChain.items[0]!.node.id} {...parts} chain={lostChain} />
            ))}
          </div>
        </Section>
      )}
    </div>
  )
}

type Props = {
  bot: Bot
  workspace: string
  mayEdit: boolean
  onGone: () => void
  onOpen: (id: string) => void
}

export function BotEditor({ bot, workspace, mayEdit, onGone, onOpen }: Props) {
  const editor = useEditor(bot)
  const { draft, isChanged, save } = editor
  const [open, setOpen] = useState<string>()
  const [leaving, setLeaving] = useState<Node>()
  const [isRemoving, setRemoving] = useState(false)
  const [version, setVersion] = useState<number>()
  const focusPart = useFocusPart()
  const { question, release } = useUnsaved(isChanged)
  useSaveInFields(editor)
  useCommands(
    BOTS_COMMANDS,
    {
      mayEdit,
      isOpen: true,
      createBot: () => {},
      move: (by) => moveFocus('[data-part]', by),
      save: mayEdit && isChanged ? () => void save() : undefined,
      showAll: onGone,
    },
    { title: t },
  )
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
      actions={
        <Head
          bot={bot}
          mayEdit={mayEdit}
          editor={editor}
          onRemove={() => setRemoving(true)}
          onOpen={onOpen}
        />
      }
    >
      <BackLink to={`/w/${workspace}/bots`}>{t('back')}</BackLink>
      {!mayEdit && (
        <div className="mb-4">
          <Callout>{t('viewer')}</Callout>
        </div>
      )}
      {editor.isClash && (
        <div className="mb-4">
          <Callout
            kind="warn"
            role="alert"
            action={
              <Button size="sm" onClick={editor.discard}>
                {t('clash.theirs')}
              </Button>
            }
          >
            {t('clash')}
          </Callout>
        </div>
      )}
      <Faults
        editor={editor}
        onOpen={(id = SETTINGS) => {
          setOpen(id)
          focusPart(id)
        }}
      />
      <Results bot={bot.id} version={version} onVersion={setVersion} />
      <div className="flex flex-col gap-8 lg:flex-row lg:items-start">
        <BotOutline
          bot={bot.id}
          version={version}
          editor={editor}
          mayEdit={mayEdit}
          open={open}
          onOpen={setOpen}
          onRemove={setLeaving}
        />
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
      {bot.nodes.some(({ type }) => type === 'request') && <Requests botId={bot.id} />}
      <RemovePart
        script={draft}
        node={leaving}
        onClose={() => setLeaving(undefined)}
        onRemove={({ start, nodes }) => {
          editor.changeScript(() => ({ start, nodes }))
          setLeaving(undefined)
          focusPart(start)
        }}
      />
      <RemoveBot
        bot={bot}
        open={isRemoving}
        onClose={() => setRemoving(false)}
        onRemoved={() => {
          release()
          onGone()
        }}
      />
      {question}
    </Page>
  )
}
