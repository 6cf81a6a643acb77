/** Assigns the findings of a template to the parts of the editor. */
import type { Issue } from '../../api/errors.ts'
import type { LintResult } from '../queries.ts'

export type EditorPart = 'name' | 'language' | 'header' | 'body' | 'footer' | 'buttons' | 'whole'
export type Finding = { kind: 'bad' | 'warn'; message: string; path: string }
export type Findings = Record<EditorPart, Finding[]>

const PARTS: readonly EditorPart[] = ['name', 'language', 'header', 'body', 'footer', 'buttons', 'whole']

function partOf(path: string, components: readonly Record<string, unknown>[]): EditorPart {
  const index = /^components\[(\d+)\]/.exec(path)?.[1]
  const name = index === undefined ? path : String(components[Number(index)]?.type).toLowerCase()
  return PARTS.find((part) => part === name) ?? 'whole'
}

/** Returns all findings by part; errors come before possible objections. */
export function findingsOf(
  { issues, warnings }: LintResult,
  components: readonly Record<string, unknown>[],
): Findings {
  const found = Object.fromEntries(PARTS.map((part) => [part, [] as Finding[]])) as Findings
  const add = (kind: Finding['kind'], { path, message }: Issue) =>
    found[partOf(path, components)].push({ kind, message, path })
  for (const issue of issues) add('bad', issue)
  for (const warning of warnings) add('warn', warning)
  return found
}
