/**
 * Updates cached data with the changes that the stream names (docs/decisions/dashboard-pages.md). Rows of lists
 * are read by ID and moved to their place; other lists are read again as a whole. Both are paced, and a
 * hidden tab reads nothing.
 */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { type Order, type Page, patchRows, type Row } from './patch-rows.ts'
import { type Ids, mergeIds, throttle } from './throttle.ts'

export type Changed = Record<string, Ids>
/** Reads the changes of one kind; `changed` has all changes of the same frame. */
export type ChangeRule = (ids: Ids, changed: Changed) => void | Promise<void>

/** Reads rows of a list by ID. */
export type RowSource = {
  /** Lists with the same name are read together. */
  name: string
  read: (ids: readonly string[]) => Promise<readonly Row[]>
  /** Returns whether a row belongs to this list; by default, every row does. */
  holds?: (row: never) => boolean
  order: Order
}
export type ListRule = {
  /** The kind of its rows in the live stream: `conversation`. */
  kind: string
  /** The name of the rows in a page: `conversations`. */
  rows: string
  /** A row of the list contains the whole item. */
  isThing?: true
  /** Returns undefined if this list is read as a whole. */
  source: (queryKey: QueryKey) => RowSource | undefined
}

/** The time between reads of rows of a kind, and between reads of its whole lists, while changes arrive. */
export const ROWS_MS = 1_500
export const LISTS_MS = 4_000
/** The maximum number of IDs in one read. */
const MAX_IDS = 100

type CachedList = Page & { pages?: Page[] }

export function openChanges({ client, isHidden }: { client: QueryClient; isHidden: () => boolean }) {
  const rules = new Map<string, Set<ChangeRule>>()
  const always = new Map<string, Set<ChangeRule>>()
  const lists = new Map<string, ListRule>()
  const pacers = new Map<string, { rows: (ids: Ids) => void; whole: (ids: Ids) => void }>()
  let missedChanges: Changed | 'reset' | undefined

  const listsOf = (kind: string): Query[] => client.getQueryCache().findAll({ queryKey: [kind, 'list'] })
  const refetch = (query: Query): void =>
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true })

  /** Moves the changed rows to their place in every visible list; returns the rows that were read. */
  async function patchLists(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const rule = lists.get(kind)!
    const reads = new Map<string, Promise<readonly Row[]>>()
    const found = new Map<string, Row>()
    const patchOne = async (query: Query): Promise<void> => {
      const source = rule.source(query.queryKey)
      if (!source || query.state.data === undefined) return
      // A response that is still on its way may be older than this change.
      if (query.state.fetchStatus !== 'idle') return pacerOf(kind).rows(ids)
      const pendingRead = reads.get(source.name) ?? source.read(ids)
      reads.set(source.name, pendingRead)
      const rows = await pendingRead
      for (const row of rows) found.set(row.id, row)
      const fresh = rows.filter((row) => source.holds?.(row as never) ?? true)
      const data = query.state.data as CachedList
      const pages = patchRows(data.pages ?? [data], { rows: rule.rows, ids, fresh, order: source.order })
      if (!pages) refetch(query)
      else client.setQueryData(query.queryKey, data.pages ? { ...data, pages } : pages[0])
    }
    await Promise.all(
      listsOf(kind)
        .filter((query) => query.isActive())
        .map((query) => patchOne(query).catch(() => refetch(query))),
    )
    return found
  }

  const isWhole = (query: Query): boolean => !lists.get(query.queryKey[0] as string)?.source(query.queryKey)

  function pacerOf(kind: string) {
    const existing = pacers.get(kind)
    if (existing) return existing
    const pacer = {
      rows: throttle(ROWS_MS, async (ids) => {
        const named = ids === 'many' || ids.length > MAX_IDS ? undefined : ids
        const found = named ? await patchLists(kind, named) : undefined
        for (const query of listsOf(kind)) {
          if (isWhole(query)) continue
          if (!named) refetch(query)
          // A hidden list is read when it is shown.
          else if (!query.isActive()) query.invalidate()
        }
        for (const query of client.getQueryCache().findAll({ queryKey: [kind, 'one'] })) {
          const id = query.queryKey[2] as string
          if (named && !named.includes(id)) continue
          const row = lists.get(kind)?.isThing && found?.get(id)
          if (row && query.state.data !== undefined) client.setQueryData(query.queryKey, row)
          else refetch(query)
        }
      }),
      whole: throttle(LISTS_MS, async () => {
        for (const query of listsOf(kind)) if (isWhole(query)) refetch(query)
      }),
    }
    pacers.set(kind, pacer)
    return pacer
  }

  /** Reads items, their lists, and the data that depends on them again. */
  function refresh(kind: string, ids: Ids): void {
    const pacer = pacerOf(kind)
    if (lists.has(kind)) pacer.rows(ids)
    else
      void client.invalidateQueries({
        predicate: ({ queryKey: [queryKind, part, id] }) =>
          queryKind === kind && part === 'one' && (ids === 'many' || ids.includes(id as string)),
      })
    pacer.whole(ids)
    void client.invalidateQueries({
      predicate: ({ queryKey: [queryKind, part, id] }) =>
        queryKind === kind &&
        part !== 'list' &&
        part !== 'one' &&
        (ids === 'many' || ids.includes(id as string)),
    })
  }

  const callRules = (to: ReadonlyMap<string, ReadonlySet<ChangeRule>>, changed: Changed): void => {
    for (const [kind, ids] of Object.entries(changed))
      for (const rule of to.get(kind) ?? []) void rule(ids, changed)
  }

  function apply(changed: Changed): void {
    callRules(always, changed)
    if (isHidden()) {
      if (missedChanges === 'reset') return
      const before = missedChanges ?? {}
      missedChanges = Object.fromEntries(
        [...new Set([...Object.keys(before), ...Object.keys(changed)])].map((kind) => [
          kind,
          changed[kind] ? mergeIds(before[kind], changed[kind]) : before[kind]!,
        ]),
      )
      return
    }
    for (const [kind, ids] of Object.entries(changed)) refresh(kind, ids)
    callRules(rules, changed)
  }

  /** Runs after a gap in the stream: reads all visible data again, and the rest when it is shown. */
  function reset(): void {
    if (isHidden()) missedChanges = 'reset'
    else void client.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'session' })
  }

  function readSince(): void {
    if (isHidden()) reset()
    else readAll()
  }
  function readAll(): void {
    for (const query of client.getQueryCache().findAll()) {
      if (query.queryKey[0] === 'session') continue
      const reread = () => refetch(query)
      if (query.state.fetchStatus === 'fetching') query.promise?.then(reread, () => {})
      else if (query.state.data !== undefined) reread()
    }
  }

  return {
    apply,
    reset,
    readSince,
    /** Runs when the tab becomes visible again. */
    seen: (): void => {
      const due = missedChanges
      missedChanges = undefined
      if (due === 'reset') reset()
      else if (due) apply(due)
    },
    /**
     * Adds further work for changes of `kind`; returns a function that removes it. A rule with `always` also
     * runs while the tab is hidden.
     */
    onChange: (kind: string, rule: ChangeRule, options: { always?: boolean } = {}): (() => void) => {
      const to = options.always ? always : rules
      const kindRules = to.get(kind) ?? new Set()
      to.set(kind, kindRules.add(rule))
      return () => kindRules.delete(rule)
    },
    /** Adds how lists are updated by the IDs of their rows; other lists are read again as a whole. */
    patchLists: (rules: readonly ListRule[]): void => {
      for (const rule of rules) lists.set(rule.kind, rule)
    },
  }
}
