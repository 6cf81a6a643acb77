/** Which part of the editor what was found in a template belongs to. */
import type { Issue } from '../../api/errors.ts'
import type { Linted } from '../queries.ts'

export type EditorPart = 'name' | 'language' | 'header' | 'body' | 'footer' | 'buttons' | 'whole'
export type Finding = { kind: 'bad' | 'warn'; message: string; path: string }
export type Findings = Record<EditorPart, Finding[]>

const PARTS: readonly EditorPart[] = ['name', 'language', 'header', 'body', 'footer', 'buttons', 'whole']

function partOf(path: string, components: readonly Record<string, unknown>[]): EditorPart {
  const index = /^components\[(\d+)\]/.exec(path)?.[1]
  const name = index === undefined ? path : String(components[Number(index)]?.type).toLowerCase()
  return PARTS.find((part) => part === name) ?? 'whole'
}

/** Everything that was found, by part; what is wrong stands before what may be held against it. */
export function findingsOf(
  { issues, warnings }: Linted,
  components: readonly Record<string, unknown>[],
): Findings {
  const found = Object.fromEntries(PARTS.map((part) => [part, [] as Finding[]])) as Findings
  const add = (kind: Finding['kind'], { path, message }: Issue) =>
    found[partOf(path, components)].push({ kind, message, path })
  for (const issue of issues) add('bad', issue)
  for (const warning of warnings) add('warn', warning)
  return found
}
