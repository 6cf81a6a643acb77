/** Holds the state of a bot in the editor: the draft, the server's errors, and saving. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Bot } from '../../../sdk/api.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { notify } from '../../kit/toasts.tsx'
import { type BotPatch, changeBot } from '../queries.ts'
import type { Node, Script } from '../script.ts'
import { t } from '../texts.ts'
import { formatNode } from './format.ts'

const KEYS = ['name', 'entry', 'idleMinutes', 'fallback', 'start', 'nodes'] as const
export type Draft = Pick<Bot, (typeof KEYS)[number]>
/** An error of a node, or of the settings of the whole bot. `path` is the field's path in it. */
export type Fault = { node: string | undefined; path: string; message: string }

const draftOf = ({ name, entry, idleMinutes, fallback, start, nodes }: Bot): Draft => ({
  name,
  entry,
  idleMinutes,
  fallback,
  start,
  nodes,
})
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const patchOf = (bot: Bot, draft: Draft): BotPatch =>
  Object.fromEntries(KEYS.filter((key) => !isSame(bot[key], draft[key])).map((key) => [key, draft[key]]))

/** Fields that are changed and saved together. */
const PARTS: readonly (keyof Draft)[][] = [
  ['name'],
  ['entry'],
  ['idleMinutes'],
  ['fallback'],
  ['start', 'nodes'],
]
const partOf = (bot: Draft, keys: readonly (keyof Draft)[]): unknown[] => keys.map((key) => bot[key])

/**
 * Merges the draft with a version that a teammate saved meanwhile: takes each part from the one who changed
 * it, and from here if both did.
 */
function mergedWith(saved: Bot, before: Bot, draft: Draft) {
  const isMine = (keys: (keyof Draft)[]) => !isSame(partOf(draft, keys), partOf(before, keys))
  const changedParts = PARTS.filter(isMine)
  return {
    draft: {
      ...draftOf(saved),
      ...Object.fromEntries(changedParts.flat().map((key) => [key, draft[key]])),
    } as Draft,
    isClash: changedParts.some((keys) => {
      const savedPart = partOf(saved, keys)
      return !isSame(savedPart, partOf(before, keys)) && !isSame(savedPart, partOf(draft, keys))
    }),
  }
}

const AT_NODE = /^nodes\[(\d+)\]\.?(.*)$/

/** The server names nodes by ID, which members do not see here. */
const NAMED = /(Loops back to |Can't be reached from |Unknown node: )([\w-]+)/
const nameNodes = (message: string, nodes: readonly Node[]): string =>
  message.replace(NAMED, (match, before: string, id: string) => {
    const node = nodes.find((candidate) => candidate.id === id)
    return node ? `${before}“${formatNode(node)}”` : match
  })

/** Returns the server's errors by node; the server numbers nodes in the order in which they were sent. */
function faultsIn(error: unknown, nodes: readonly Node[]): Fault[] {
  const issues = error instanceof ApiError ? error.issues : []
  const faults = issues.map(({ path, message }): Fault => {
    const [, index, rest] = AT_NODE.exec(path) ?? []
    return index === undefined
      ? { node: undefined, path, message }
      : { node: nodes[Number(index)]?.id, path: rest ?? '', message: nameNodes(message, nodes) }
  })
  return faults.length > 0 ? faults : [{ node: undefined, path: '', message: messageOf(error) }]
}

export function useEditor(bot: Bot) {
  const [base, setBase] = useState(bot)
  const [draft, setDraft] = useState<Draft>(() => draftOf(bot))
  const [faults, setFaults] = useState<Fault[]>([])
  // Both changed the same part: saving would replace the teammate's version.
  const [isClash, setClash] = useState(false)
  const isChanged = !isSame(draft, draftOf(base))
  if (bot.updatedAt > base.updatedAt) {
    const merged = mergedWith(bot, base, draft)
    setBase(bot)
    setDraft(merged.draft)
    setClash((before) => before || merged.isClash)
  }
  // A second press of the shortcut waits for the first one.
  const running = useRef<Promise<boolean>>(undefined)
  const { mutateAsync, isPending } = useMutation({
    mutationFn: () => changeBot(base.id, patchOf(base, draft)),
    onSuccess: (saved) => {
      setBase(saved)
      setDraft(draftOf(saved))
      setFaults([])
      setClash(false)
      notify({ title: t('saved'), kind: 'good' })
    },
    onError: (error) => setFaults(faultsIn(error, draft.nodes)),
  })
  return {
    draft,
    faults,
    isChanged,
    isClash: isClash && isChanged && !isPending,
    isSaving: isPending,
    change: (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch })),
    changeScript: (change: (script: Script) => Script) =>
      setDraft((before) => ({ ...before, ...change({ start: before.start, nodes: before.nodes }) })),
    /** Returns whether it was saved; otherwise the errors are shown at their places. */
    save: () => {
      running.current ??= mutateAsync()
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          running.current = undefined
        })
      return running.current
    },
    discard: () => {
      setDraft(draftOf(base))
      setFaults([])
      setClash(false)
    },
  }
}
export type Editor = ReturnType<typeof useEditor>
